# Toolchain of the WebAssembly build: Debian's clang, lld and wasi-libc.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
find_program(WITHY_CLANG NAMES clang clang-14 clang-15 clang-16 clang-19 REQUIRED)
set(CMAKE_C_COMPILER ${WITHY_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_SYSROOT /usr) # where wasi-libc is: /usr/include/wasm32-wasi, /usr/lib/wasm32-wasi
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE NEVER)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(WITHY_WASM TRUE)
