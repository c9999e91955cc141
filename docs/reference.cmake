# The target reference: the definitions for editors and the page of all options, made of the declarations in
# scripts/crossfold, in the places of the build tree that they have when they are installed.
set(CROSSFOLD_DEFINITIONS "${PROJECT_BINARY_DIR}/share/crossfold/scripts/meta/crossfold.d.lua")
set(CROSSFOLD_OPTIONS_PAGE "${PROJECT_BINARY_DIR}/share/doc/crossfold/docs/options.md")
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/crossfold/scripts/meta"
  "${PROJECT_BINARY_DIR}/share/doc/crossfold/docs")
add_custom_command(OUTPUT "${CROSSFOLD_DEFINITIONS}" "${CROSSFOLD_OPTIONS_PAGE}"
  COMMAND crossfold_program --quiet run "${PROJECT_SOURCE_DIR}/docs/reference/generate.lua"
    "${CROSSFOLD_DEFINITIONS}" "${CROSSFOLD_OPTIONS_PAGE}"
  DEPENDS crossfold_program docs/reference/generate.lua docs/reference/definitions.lua docs/reference/option_tables.lua
    docs/reference/crossfold.d.lua.in
  VERBATIM)
add_custom_target(reference ALL DEPENDS "${CROSSFOLD_DEFINITIONS}" "${CROSSFOLD_OPTIONS_PAGE}")
if(CROSSFOLD_INSTALL)
  install(FILES "${CROSSFOLD_DEFINITIONS}" DESTINATION "${CMAKE_INSTALL_DATADIR}/crossfold/scripts/meta")
  install(FILES "${CROSSFOLD_OPTIONS_PAGE}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")
endif()
