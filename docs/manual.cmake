# The manual page: docs/man/crossfold.1.in with the commands and options that the program declares, as
# BUILD/share/man/man1/crossfold.1.
set(manual "${PROJECT_BINARY_DIR}/share/man/man1/crossfold.1")
add_custom_command(OUTPUT "${manual}"
  COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:crossfold_program>
    "-DFRAME=${PROJECT_SOURCE_DIR}/docs/man/crossfold.1.in" -DVERSION=${PROJECT_VERSION}
    "-DOUTPUT=${manual}" -P "${PROJECT_SOURCE_DIR}/docs/man/make_manual.cmake"
  DEPENDS crossfold_program docs/man/crossfold.1.in docs/man/make_manual.cmake
  VERBATIM)
add_custom_target(manual ALL DEPENDS "${manual}")
