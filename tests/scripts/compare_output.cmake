# cmake -DPROGRAM= -DSCRIPT= -DEXPECTED= -P compare_output.cmake
# Runs the script and compares what it prints, byte for byte, with the stored output.
if(NOT EXISTS "${EXPECTED}")
  message(FATAL_ERROR "${SCRIPT} has no ${EXPECTED}")
endif()
unset(ENV{COLUMNS})  # figures are as wide as it says
execute_process(COMMAND "${PROGRAM}" run "${SCRIPT}"
  OUTPUT_VARIABLE printed ERROR_VARIABLE errors RESULT_VARIABLE status)
file(READ "${EXPECTED}" expected)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "exit status ${status}\n${errors}")
endif()
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "printed:\n${printed}\nexpected:\n${expected}")
endif()
