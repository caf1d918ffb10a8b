# What is installed serves find_package(withy), pkg-config and plain -lwithy, wherever it is moved to.
include(CMakePackageConfigHelpers)
set(WITHY_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/withy)
set(names withy_core)
if(NOT WITHY_CORE_ONLY)
  list(APPEND names withy)
endif()
# The shared libraries need nothing of their users; the static ones pass on what they are linked with.
foreach(name ${names})
  string(REPLACE withy_core core short ${name})
  set_target_properties(${name}_shared PROPERTIES EXPORT_NAME ${short})
  set_target_properties(${name}_static PROPERTIES EXPORT_NAME ${short}_static)
  install(TARGETS ${name}_shared EXPORT withyShared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(TARGETS ${name}_static EXPORT withyStatic ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()
foreach(kind Shared Static)
  install(EXPORT withy${kind} FILE withy${kind}.cmake NAMESPACE withy:: DESTINATION ${WITHY_CMAKE_DIR})
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/withy DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
configure_package_config_file(cmake/withyConfig.cmake.in ${PROJECT_BINARY_DIR}/withyConfig.cmake
                              INSTALL_DESTINATION ${WITHY_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/withyConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/withyConfig.cmake ${PROJECT_BINARY_DIR}/withyConfigVersion.cmake
        DESTINATION ${WITHY_CMAKE_DIR})

# The prefix of a .pc file is where it lies, so that DESTDIR, --prefix and moving the folder all keep it right.
file(RELATIVE_PATH WITHY_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(WITHY_PC_PREFIX ../..)
endif()
string(REGEX REPLACE "/$" "" WITHY_PC_PREFIX "${WITHY_PC_PREFIX}")
# What they were linked with is in Libs.private and not in Requires.private: who uses the shared library
# needs no development files of it.
foreach(name ${names})
  string(TOUPPER ${name}_PC_LIBS libs)
  set(WITHY_PC_NAME ${name})
  set(WITHY_PC_PRIVATE "${${libs}}")
  configure_file(cmake/withy.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
