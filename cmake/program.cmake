# The program withy, with the cases and the viewer in it.
include(cmake/cases.cmake) # embeds cases/*/scene.lua
file(GLOB CLI_SOURCES CONFIGURE_DEPENDS cli/*.c cli/*/*.c studies/*.c)
add_library(withy_cases OBJECT ${PROJECT_BINARY_DIR}/cases.c) # once for the program and all tests
target_include_directories(withy_cases PRIVATE cli)
add_executable(withy ${CLI_SOURCES} $<TARGET_OBJECTS:withy_cases>)
target_link_libraries(withy PRIVATE withy_static)
target_include_directories(withy PRIVATE cli studies src)
target_compile_definitions(withy PRIVATE _POSIX_C_SOURCE=200809L)
if(EMBREE_INCLUDE AND EMBREE_LIBRARY)
  set_source_files_properties(cli/shade/embree.c PROPERTIES COMPILE_DEFINITIONS WITHY_HAVE_LIB_EMBREE=1)
  target_include_directories(withy SYSTEM PRIVATE ${EMBREE_INCLUDE})
  set(WITHY_PROGRAM_LIBRARIES ${EMBREE_LIBRARY}) # of its objects, in other programs too
  target_link_libraries(withy PRIVATE ${WITHY_PROGRAM_LIBRARIES})
endif()
# The 3-D viewer is built by npm (make viewer); without it `withy view` says so.
# A source tarball brings it along.
set(page ${PROJECT_SOURCE_DIR}/build/viewer.html)
if(NOT EXISTS ${page} AND EXISTS ${PROJECT_SOURCE_DIR}/viewer/dist/viewer.html)
  set(page ${PROJECT_SOURCE_DIR}/viewer/dist/viewer.html)
endif()
set(WITHY_VIEWER_PAGE ${page} CACHE FILEPATH "page made by viewer/build.mjs")
file(GLOB page CONFIGURE_DEPENDS ${WITHY_VIEWER_PAGE}) # it may come later: the next build takes it in
if(page)
  set_source_files_properties(cli/viewer.c PROPERTIES COMPILE_DEFINITIONS WITHY_VIEWER="${WITHY_VIEWER_PAGE}"
                              OBJECT_DEPENDS ${WITHY_VIEWER_PAGE})
endif()
# Manual page and completion come from the table of commands in the program itself, so they are always its own.
add_custom_command(TARGET withy POST_BUILD
                   COMMAND withy help --man > withy.1
                   COMMAND withy help --completion bash > withy.bash
                   COMMAND withy help --completion zsh > _withy
                   BYPRODUCTS ${PROJECT_BINARY_DIR}/withy.1 ${PROJECT_BINARY_DIR}/withy.bash ${PROJECT_BINARY_DIR}/_withy
                   WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM)
install(FILES ${PROJECT_BINARY_DIR}/withy.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${PROJECT_BINARY_DIR}/withy.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME withy)
install(FILES ${PROJECT_BINARY_DIR}/_withy DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(TARGETS withy RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
