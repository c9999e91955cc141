# cmake -DBUILD=... -DSCRATCH=... -DLUA=... -P deb.cmake: makes the Debian packages, unpacks them and
# runs what is in them.
function(run_or_fail)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SCRATCH} OUTPUT_VARIABLE output
    ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${status}\n${output}\n${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(require_match text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected '${pattern}' in:\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH}/root)
run_or_fail(${CMAKE_CPACK_COMMAND} --config ${BUILD}/CPackConfig.cmake -G DEB -B ${SCRATCH})

file(GLOB packages ${SCRATCH}/*.deb)
list(LENGTH packages n_packages)
if(NOT n_packages EQUAL 3)
  message(FATAL_ERROR "expected three packages, there are: ${packages}")
endif()
file(GLOB program ${SCRATCH}/crossfold_*.deb)
file(GLOB development ${SCRATCH}/crossfold-dev_*.deb)
run_or_fail(dpkg-deb --field ${program} Depends)
foreach(library libc6 liblua5.4-0 libsqlite3-0)
  require_match("${output}" "${library} ")
endforeach()
run_or_fail(dpkg-deb --field ${development} Depends)
require_match("${output}" "^crossfold \\(= ")
run_or_fail(dpkg-deb --contents ${development})
foreach(file include/crossfold_plugin.h include/crossfold/dataset.h lib/libcrossfold_run.a
    lib/cmake/Crossfold/CrossfoldConfig.cmake)
  require_match("${output}" " ./usr/${file}\n")
endforeach()

run_or_fail(dpkg-deb --contents ${program})
require_match("${output}" " ./usr/share/doc/crossfold/docs/tutorials/01_holdout.md\n")

run_or_fail(dpkg-deb --extract ${program} ${SCRATCH}/root)
set(usr ${SCRATCH}/root/usr)
set(golden ${usr}/share/crossfold/scripts/lectures/golden_nested.lua)
run_or_fail(${usr}/bin/crossfold run --isolate worker ${golden})
require_match("${output}" "together 145 of 150")
run_or_fail(${CMAKE_COMMAND} -E env LUA_CPATH=${usr}/lib/lua/5.4/?.so ${LUA} ${golden})
require_match("${output}" "together 145 of 150")

file(GLOB python ${SCRATCH}/python3-crossfold_*_all.deb)
run_or_fail(dpkg-deb --field ${python} Depends)
require_match("${output}" "^crossfold \\(= .*python3-numpy")
run_or_fail(dpkg-deb --extract ${python} ${SCRATCH}/root)
execute_process(COMMAND /usr/bin/python3 -c "import numpy, pandas" RESULT_VARIABLE no_pandas OUTPUT_QUIET ERROR_QUIET)
if(NOT no_pandas)
  # The loader's variable stands for ldconfig, which has run where the package is installed.
  file(GLOB_RECURSE library ${usr}/lib/libcrossfold.so.0)
  get_filename_component(folder "${library}" DIRECTORY)
  run_or_fail(${CMAKE_COMMAND} -E env PYTHONPATH=${usr}/lib/python3/dist-packages LD_LIBRARY_PATH=${folder}
    /usr/bin/python3 -B ${usr}/share/crossfold/python/flowers.py ${usr}/share/crossfold/scripts/data/iris.csv)
  require_match("${output}" "bayes +0.9556 +0.0441")
endif()
