# The target guide: the documentation as HTML in BUILD/docs/guide, with a page for every component that
# is built. Not there without mkdocs. Installed if it was built.
find_program(MKDOCS_EXECUTABLE mkdocs)
if(MKDOCS_EXECUTABLE)
  set(CROSSFOLD_GUIDE_DIR ${PROJECT_BINARY_DIR}/docs/guide)
  # Without times and paths of this machine: the same sources give the same bytes.
  set(CROSSFOLD_GUIDE_COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 SOURCE_DATE_EPOCH=0
    CROSSFOLD_PROGRAM=$<TARGET_FILE:crossfold_program> CROSSFOLD_OPTIONS_PAGE=${CROSSFOLD_OPTIONS_PAGE} ${MKDOCS_EXECUTABLE} build --strict
    --config-file ${PROJECT_SOURCE_DIR}/docs/guide/mkdocs.yml --site-dir)  # and the folder
  add_custom_target(guide COMMAND ${CROSSFOLD_GUIDE_COMMAND} ${CROSSFOLD_GUIDE_DIR}
    DEPENDS crossfold_program bundled_plugins reference VERBATIM
    COMMENT "The guide: ${CROSSFOLD_GUIDE_DIR}/index.html")
  if(CROSSFOLD_INSTALL)
    install(DIRECTORY ${CROSSFOLD_GUIDE_DIR}/
      DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/crossfold/guide OPTIONAL)
  endif()
endif()
