# Lets scikit-learn score other random cases and compares: PROGRAM (of the unit tests), GENERATORS (the
# root of the project), SCRATCH, SEED.
file(MAKE_DIRECTORY ${SCRATCH})
function(generate file)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
    /usr/bin/python3 ${ARGN} ${SEED} OUTPUT_FILE ${SCRATCH}/${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()
set(metrics ${GENERATORS}/tests/bench/parity/metrics_reference.py)
generate(reference_label_metrics.csv ${metrics} labels)
generate(reference_regression_metrics.csv ${metrics} regression)
generate(reference_score_metrics.csv ${GENERATORS}/tests/bench/parity/score_metrics_reference.py)
execute_process(COMMAND ${CMAKE_COMMAND} -E env CROSSFOLD_METRIC_REFERENCES=${SCRATCH}
  ${PROGRAM} --gtest_filter=*OnRandomCases*:*ReferenceScoreMetrics* COMMAND_ERROR_IS_FATAL ANY)
