# Lets scikit-learn predict again and compares: PROGRAM, FOLDER (of parity.lua), DATA, SCRATCH.
file(MAKE_DIRECTORY ${SCRATCH})
file(COPY ${FOLDER}/stored/j48.csv DESTINATION ${SCRATCH})
execute_process(COMMAND ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
  /usr/bin/python3 ${FOLDER}/reference.py ${DATA} ${SCRATCH} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${PROGRAM} run ${FOLDER}/parity.lua ${DATA} ${SCRATCH}
  COMMAND_ERROR_IS_FATAL ANY)
