# The WebAssembly build (cmake --preset wasm): Lua from its sources, and build/wasm/withy.wasm of web/withy.c, without
# generated JavaScript; web/module.js gives the module the few functions of WASI that it asks for.
set(WITHY_LUA_SOURCE ${PROJECT_SOURCE_DIR}/build/lua/src CACHE PATH "Lua's C sources (tools/lua_source.sh)")
file(GLOB lua ${WITHY_LUA_SOURCE}/l*.c)
list(FILTER lua EXCLUDE REGEX "/(lua|luac|linit|liolib|loslib|loadlib|ldblib|lcorolib|lutf8lib)\\.c$")
if(NOT lua)
  message(FATAL_ERROR "withy: Lua's sources are not in ${WITHY_LUA_SOURCE}; sh tools/lua_source.sh build/lua fetches them")
endif()
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG") # a page is read over networks too: -O3 only where it gains
# Vectors of 128 bits; setjmp and longjmp, by which Lua reports errors, are exceptions of the machine.
add_compile_options(-msimd128 -fno-math-errno -fno-vectorize -fno-slp-vectorize -mexception-handling
                    "SHELL:-mllvm -wasm-enable-sjlj")
# clock() is that of the wall
set_source_files_properties(src/scene/sandbox.c src/study/compare/compare.c PROPERTIES COMPILE_DEFINITIONS _WASI_EMULATED_PROCESS_CLOCKS)
include_directories(BEFORE SYSTEM ${PROJECT_SOURCE_DIR}/web/include)
add_library(withy_lua STATIC ${lua} web/longjmp.c)
target_compile_options(withy_lua PRIVATE -w)
target_compile_definitions(withy_lua PRIVATE _WASI_EMULATED_SIGNAL) # for the type of a flag: nothing is raised
target_include_directories(withy_lua SYSTEM PUBLIC ${WITHY_LUA_SOURCE})
# After the core: the scenes, which a page has beside it (it has no files, so no sinks), and the module itself.
function(withy_web)
  # A page computes no derivatives: small will do.
  file(GLOB slopes ${PROJECT_SOURCE_DIR}/src/method/director/gradient/*.c)
  set_source_files_properties(${slopes} PROPERTIES COMPILE_OPTIONS "-Oz;-ffp-contract=fast;-fno-math-errno")
  # What reads and checks a scene does so once, and what drives a study does little work of its own.
  file(GLOB once ${PROJECT_SOURCE_DIR}/src/scene/*.c ${PROJECT_SOURCE_DIR}/src/model/schema/*.c ${PROJECT_SOURCE_DIR}/src/study/*.c
       ${PROJECT_SOURCE_DIR}/src/study/run/*.c ${PROJECT_SOURCE_DIR}/src/study/equilibrium/*.c ${PROJECT_SOURCE_DIR}/src/study/compare/*.c
       ${PROJECT_SOURCE_DIR}/src/study/modes/*.c ${PROJECT_SOURCE_DIR}/src/study/stability/*.c ${PROJECT_SOURCE_DIR}/src/model/*.c
       ${PROJECT_SOURCE_DIR}/src/model/load/*.c ${PROJECT_SOURCE_DIR}/src/model/shape/*.c ${PROJECT_SOURCE_DIR}/src/observe/*.c
       ${PROJECT_SOURCE_DIR}/src/method/director/static/*.c)
  set_property(SOURCE ${once} APPEND PROPERTY COMPILE_OPTIONS -Oz)
  file(GLOB scene CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/scene/*.c)
  withy_objects(withy_scenes ${scene} ${PROJECT_BINARY_DIR}/scene_opening.c)
  target_compile_definitions(withy_scenes PRIVATE WITHY_HAVE_LIB_LUA=1 _POSIX_C_SOURCE=200809L)
  target_include_directories(withy_scenes SYSTEM PRIVATE ${WITHY_LUA_SOURCE})
  add_executable(withy_web web/withy.c $<TARGET_OBJECTS:withy_scenes>)
  target_include_directories(withy_web PRIVATE include cli)
  target_compile_options(withy_web PRIVATE -Wno-missing-prototypes)
  target_link_libraries(withy_web PRIVATE withy_core_static withy_lua wasi-emulated-process-clocks)
  file(STRINGS ${PROJECT_SOURCE_DIR}/web/withy.c lines REGEX "^WEB ")
  set(exports -Wl,--export=malloc -Wl,--export=free)
  foreach(line ${lines})
    string(REGEX REPLACE "^WEB [^(]*[ *](web_[a-z_]+)\\(.*$" "\\1" name "${line}")
    list(APPEND exports -Wl,--export=${name})
  endforeach()
  set_target_properties(withy_web PROPERTIES OUTPUT_NAME withy SUFFIX .wasm LINKER_LANGUAGE C)
  target_link_options(withy_web PRIVATE -mexec-model=reactor ${exports} -Wl,--max-memory=1073741824 -Wl,-z,stack-size=2097152 -Wl,--stack-first -Wl,--strip-all -O0) # -O0: else clang calls wasm-opt, if
                      # there is one, without the features in use; it would save 2 % and no time
endfunction()
