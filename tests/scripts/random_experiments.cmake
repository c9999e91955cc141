# Running sharing_random.lua and comparing what it prints; PROGRAM, SCRIPT and COUNT are set. What goes
# to standard error is left in ERRORS.
# What is printed in a mode with these options of the program.
function(run_experiments result mode)
  execute_process(COMMAND "${PROGRAM}" run ${ARGN} "${SCRIPT}" ${COUNT} ${mode}
    OUTPUT_VARIABLE printed ERROR_VARIABLE errors RESULT_VARIABLE status)
  if(NOT status EQUAL 3)  # some cells fail, as they should
    message(FATAL_ERROR "${ARGN}: exit status ${status}\n${errors}")
  endif()
  if(errors MATCHES "breaks a law")
    message(FATAL_ERROR "${ARGN}: ${errors}")
  endif()
  set(${result} "${printed}" PARENT_SCOPE)
  set(ERRORS "${errors}" PARENT_SCOPE)
endfunction()

# The first difference of two texts, line by line.
function(require_equal first_way other_way what)
  if("${${first_way}}" STREQUAL "${${other_way}}")
    return()
  endif()
  string(LENGTH "${${first_way}}" end)
  string(LENGTH "${${other_way}}" other_end)
  if(other_end LESS end)
    set(end ${other_end})
  endif()
  set(begin 0)
  while(begin LESS end)  # halves the stretch in which the texts part
    math(EXPR middle "(${begin} + ${end} + 1) / 2")
    string(SUBSTRING "${${first_way}}" 0 ${middle} a)
    string(SUBSTRING "${${other_way}}" 0 ${middle} b)
    if(a STREQUAL b)
      set(begin ${middle})
    else()
      math(EXPR end "${middle} - 1")
    endif()
  endwhile()
  string(SUBSTRING "${${first_way}}" 0 ${begin} same)
  string(REGEX MATCHALL "experiment\t[^\n]*" experiments "${same}")
  list(POP_BACK experiments experiment)
  string(SUBSTRING "${${first_way}}" ${begin} 200 a)
  string(SUBSTRING "${${other_way}}" ${begin} 200 b)
  message(FATAL_ERROR "${what}, in ${experiment}:\n${a}\n---\n${b}")
endfunction()
