# cmake -DPROGRAM=crossfold -DFRAME=crossfold.1.in -DVERSION=1.2.3 -DOUTPUT=crossfold.1 -P make_manual.cmake
execute_process(COMMAND "${PROGRAM}" manual OUTPUT_VARIABLE COMMANDS RESULT_VARIABLE status)
if(status)
  message(FATAL_ERROR "cannot make the manual: '${PROGRAM} manual' exited with ${status}")
endif()
configure_file("${FRAME}" "${OUTPUT}" @ONLY)
