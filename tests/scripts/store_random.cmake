# cmake -DPROGRAM= -DSCRIPT= -DCOUNT= -DSCRATCH= -P store_random.cmake
# Runs the random experiments with stores that are empty, full, cut short by signals, shared by
# processes or without room, and in worker processes; what is printed is compared byte for byte with
# a run that has neither.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/random_experiments.cmake)

file(REMOVE_RECURSE "${SCRATCH}")
file(MAKE_DIRECTORY "${SCRATCH}")

# Cells that were computed by the last run.
function(require_computed expected what)
  if(NOT ERRORS MATCHES "cells found, ${expected} computed")
    message(FATAL_ERROR "${what}: ${ERRORS}")
  endif()
endfunction()

# Runs into a store until a signal ends it after some seconds.
function(run_until signal seconds store)
  execute_process(COMMAND timeout -s ${signal} ${seconds} "${PROGRAM}" run --store "${store}" ${ARGN}
      "${SCRIPT}" ${COUNT} store
    OUTPUT_QUIET ERROR_QUIET)
endfunction()

function(require_one_file store)
  file(GLOB left "${store}-*")
  if(left)
    message(FATAL_ERROR "a run that ended well left ${left}")
  endif()
endfunction()

run_experiments(plain store --workers 2)

set(full ${SCRATCH}/full.cfdb)
run_experiments(first store --workers 2 --store ${full})
require_equal(plain first "a new store changes a result")
run_experiments(second store --workers 1 --store ${full})
require_equal(plain second "a full store changes a result")
require_computed(0 "a full store lacks cells")
run_experiments(isolated_full store --isolate worker --store ${full})
require_equal(plain isolated_full "a full store and processes change a result")
require_computed(0 "processes ask for other cells")
require_one_file(${full})

set(killed ${SCRATCH}/killed.cfdb)
foreach(seconds 0.1 0.3 0.2 0.5)
  run_until(KILL ${seconds} ${killed})
endforeach()
run_until(KILL 0.4 ${killed} --isolate worker)
run_experiments(resumed store --store ${killed})
require_equal(plain resumed "a killed run that goes on changes a result")
run_experiments(resumed_again store --store ${killed})
require_computed(0 "a killed run that went on left out cells")
require_one_file(${killed})

set(interrupted ${SCRATCH}/interrupted.cfdb)
foreach(seconds 0.15 0.35 0.55)
  run_until(INT ${seconds} ${interrupted} --isolate worker)
endforeach()
run_experiments(continued store --store ${interrupted})
require_equal(plain continued "an interrupted run that goes on changes a result")
require_one_file(${interrupted})

set(small ${SCRATCH}/small.cfdb)
run_experiments(little_room store --store ${small} --store-predictions 20K)
require_equal(plain little_room "a store with little room changes a result")
run_experiments(more_room store --store ${small} --workers 3)
require_equal(plain more_room "a store with some predictions changes a result")

set(shared "${SCRATCH}/shared.cfdb")
set(command "'${PROGRAM}' run --store '${shared}' '${SCRIPT}' ${COUNT} store")
execute_process(COMMAND sh -c "${command} >'${SCRATCH}/one' & ${command} >'${SCRATCH}/two'; wait"
  ERROR_QUIET)
foreach(process one two)
  file(READ ${SCRATCH}/${process} ${process})
  require_equal(plain ${process} "two processes on one store change a result")
endforeach()
run_experiments(after_both store --store ${shared})
require_equal(plain after_both "a store that two processes filled changes a result")
require_computed(0 "a store that two processes filled lacks cells")

run_experiments(isolated store --isolate worker --workers 3)
require_equal(plain isolated "worker processes change a result")
set(COUNT 3)
run_experiments(plain store)
run_experiments(alone store --isolate fresh)
require_equal(plain alone "a process for each cell changes a result")
