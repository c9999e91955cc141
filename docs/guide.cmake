# The target guide: the documentation as HTML in BUILD/docs/guide, with a page for every component that
# is built. Not there without cmark-gfm. Installed if it was built.
find_program(CMARK_GFM_EXECUTABLE cmark-gfm)
find_program(LUA54_EXECUTABLE lua5.4)
if(CMARK_GFM_EXECUTABLE AND LUA54_EXECUTABLE)
  set(CROSSFOLD_GUIDE_DIR ${PROJECT_BINARY_DIR}/docs/guide CACHE INTERNAL "The HTML of the guide")
  add_custom_target(guide
    COMMAND ${LUA54_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/guide/build.lua
      ${PROJECT_SOURCE_DIR} $<TARGET_FILE:crossfold_program> ${CMARK_GFM_EXECUTABLE} ${CROSSFOLD_GUIDE_DIR}
    DEPENDS crossfold_program bundled_plugins
    WORKING_DIRECTORY ${PROJECT_BINARY_DIR} VERBATIM
    COMMENT "The guide: ${CROSSFOLD_GUIDE_DIR}/index.html")
  if(CROSSFOLD_INSTALL)
    install(DIRECTORY ${CROSSFOLD_GUIDE_DIR}/
      DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/crossfold/guide OPTIONAL)
  endif()
endif()
