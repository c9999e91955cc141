# cmake -DROOT= -DPAGE= -DPROGRAM= -DLUA= -DFOLDER= [-DUPDATE=1] -P run_page.cmake
# Runs the code of a page in an empty folder, which has the bundled data in scripts/data.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}/scripts/page")
file(CREATE_LINK "${ROOT}/scripts/data" "${FOLDER}/scripts/data" SYMBOLIC)
unset(ENV{COLUMNS})  # figures are as wide as it says
set(update)
if(UPDATE)
  set(update --update)
endif()
execute_process(COMMAND "${LUA}" "${CMAKE_CURRENT_LIST_DIR}/run_page.lua" "${ROOT}" "${PAGE}"
    "${PROGRAM}" "${FOLDER}" ${update}
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PAGE}: ${status}")
endif()
