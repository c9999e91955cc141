# cmake -DPROGRAM= -DSTAGE= -DFOLDER= -DNAME= -DKIND= -DLANG= [-DOPTIONS=a;b] [-DRUSTC=] [-DRSCRIPT=]
# [-DNO_NUMPY=] -P made_project.cmake
# Does what a new author does: crossfold plugin new, configure, build, test. The project lies in FOLDER.
function(step)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "it ended with ${status}: ${ARGN}")
  endif()
endfunction()

if(LANG STREQUAL "rust")
  if(NOT RUSTC)
    message("skipped: rustc is not installed; the package rustc has it")
    return()
  endif()
  list(APPEND OPTIONS "-DRUSTC=${RUSTC}")
endif()
if(LANG STREQUAL "r" AND NOT RSCRIPT)
  message("skipped: R is not installed; the package r-base-core has it")
  return()
endif()
if(LANG STREQUAL "python")
  if(NO_NUMPY)
    message("skipped: numpy is not installed; the package python3-numpy has it")
    return()
  endif()
  set(ENV{PATH} "/usr/bin:$ENV{PATH}")  # Debian's python3, which has numpy
endif()

file(REMOVE_RECURSE "${FOLDER}")
step("${PROGRAM}" plugin new --kind ${KIND} --lang ${LANG} --vendor "Łódź & Co." --output "${FOLDER}"
  "${NAME}")
if(LANG MATCHES "^(lua|python|r)$")
  step(sh "${FOLDER}/ci.sh" "${STAGE}")
else()
  step("${CMAKE_COMMAND}" -S "${FOLDER}" -B "${FOLDER}/build" "-DCMAKE_PREFIX_PATH=${STAGE}"
    -DCMAKE_BUILD_TYPE=Debug ${OPTIONS})
  step("${CMAKE_COMMAND}" --build "${FOLDER}/build")
  step("${CMAKE_CTEST_COMMAND}" --test-dir "${FOLDER}/build" --output-on-failure --no-tests=error)
endif()
