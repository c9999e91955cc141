# The target c_reference: the reference of the C headers as HTML in BUILD/docs/c_reference/html. Not there
# without Doxygen; a warning of it is an error.
find_program(DOXYGEN_EXECUTABLE doxygen)
if(DOXYGEN_EXECUTABLE)
  set(c_reference "${PROJECT_BINARY_DIR}/docs/c_reference")
  file(MAKE_DIRECTORY "${c_reference}")
  file(READ "${PROJECT_SOURCE_DIR}/docs/Doxyfile" doxyfile)
  file(CONFIGURE OUTPUT "${c_reference}/Doxyfile" @ONLY
    CONTENT "${doxyfile}OUTPUT_DIRECTORY = ${c_reference}\nPROJECT_NUMBER = ${PROJECT_VERSION}\n")
  add_custom_target(c_reference COMMAND ${DOXYGEN_EXECUTABLE} "${c_reference}/Doxyfile"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}" VERBATIM
    COMMENT "The reference of the C headers: ${c_reference}/html/index.html")
endif()
