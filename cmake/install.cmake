include(GNUInstallDirs)
install(TARGETS withy withy_static withy_shared
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/withy DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set(WITHY_PC_PRIVATE "")
foreach(library ${WITHY_LIBRARIES})
  string(APPEND WITHY_PC_PRIVATE " ${library}")
endforeach()
configure_file(${CMAKE_SOURCE_DIR}/cmake/withy.pc.in ${CMAKE_BINARY_DIR}/withy.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/withy.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
