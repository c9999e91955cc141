# cmake -DPROGRAM= -DPLUGIN= -DSCRIPT= -DEXPECTED= -P compare_output.cmake
# Runs a Lua script with the plugin. What it prints must be what the file EXPECTED holds.
execute_process(COMMAND "${PROGRAM}" --plugin-path "${PLUGIN}" run "${SCRIPT}"
  OUTPUT_VARIABLE printed RESULT_VARIABLE status)
file(READ "${EXPECTED}" expected)
if(NOT status EQUAL 0 OR NOT printed STREQUAL expected)
  message(FATAL_ERROR "status ${status}\nprinted:\n${printed}\nexpected:\n${expected}")
endif()
