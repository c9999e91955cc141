# cmake -DSOURCE=... -DBUILD=... -DSCRATCH=... -DLUAROCKS=... -DLUA=... -P rock.cmake: `luarocks make` from
# what is built already, and the rock in stock Lua.
function(run_or_fail)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE output
    ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}\n${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(ENV{CROSSFOLD_BUILD} ${BUILD})
file(GLOB rockspec ${SOURCE}/crossfold-*.rockspec)
run_or_fail(${LUAROCKS} --lua-version 5.4 --tree ${SCRATCH} make ${rockspec})

set(ENV{LUA_CPATH} ${SCRATCH}/lib/lua/5.4/?.so)
run_or_fail(${LUA} scripts/lectures/golden_nested.lua)
if(NOT output MATCHES "together 145 of 150")
  message(FATAL_ERROR "the golden run of the rock says:\n${output}")
endif()
run_or_fail(${LUA} -e "
  local cf = require 'crossfold'
  local data = cf.read('scripts/data/iris.csv', { target = 'class' })
  local result = cf.evaluate { data = data, learners = 'naive_bayes', splitter = 'kfold',
    metrics = 'accuracy', isolate = 'worker' }
  assert(#result:failures() == 0)")
