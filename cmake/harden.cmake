# What makes a fault in C harder to use, in every build: a guard on the stack, checked copies (where optimised), tables
# of addresses that are read-only once the program runs, code at no fixed address, no stack that can be executed, jumps
# that land only where they may.  tools/check_elf.py reads it from what was built.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# withy_harden(COMPILE|LINK flag): if there is such a flag.
function(withy_harden kind flag)
  string(MAKE_C_IDENTIFIER "WITHY_HAS${flag}" has)
  if(kind STREQUAL "COMPILE")
    check_c_compiler_flag(${flag} ${has})
  else()
    check_linker_flag(C ${flag} ${has})
  endif()
  if(${has})
    set_property(DIRECTORY APPEND PROPERTY ${kind}_OPTIONS ${flag})
  endif()
endfunction()
withy_harden(COMPILE -fstack-protector-strong)
withy_harden(COMPILE -fcf-protection)
foreach(flag relro now noexecstack)
  withy_harden(LINK -Wl,-z,${flag})
endforeach()

# Level 3 knows the sizes of what malloc gave; older compilers and C libraries warn of it and have 2.  Unoptimised code
# has none; the address sanitizer checks more, and does not see what goes through the checked functions.
if(NOT WITHY_SANITIZE AND NOT WITHY_TSAN)
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_c_source_compiles("#include <string.h>\nint main(void) { return (int)strlen(\"\"); }" WITHY_HAS_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  set(level $<IF:$<BOOL:${WITHY_HAS_FORTIFY_3}>,3,2>)
  add_compile_options("$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${level}>")
endif()
