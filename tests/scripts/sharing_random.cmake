# cmake -DPROGRAM= -DSCRIPT= -DCOUNT= -P sharing_random.cmake
# Runs the random experiments in several ways and compares what they print, byte for byte.
cmake_minimum_required(VERSION 3.25)

include(${CMAKE_CURRENT_LIST_DIR}/random_experiments.cmake)

run_experiments(alone exact --no-sharing --workers 2)
run_experiments(shared exact --verify --workers 2)
require_equal(alone shared "sharing changes a result")

run_experiments(one_worker all --workers 1)
run_experiments(two_workers all --workers 2 --memory 1)
run_experiments(seven_workers all --workers 7 --memory 20K)
require_equal(one_worker two_workers "two workers without memory change a result")
require_equal(one_worker seven_workers "seven workers change a result")
