# Makes the headers of a plugin ABI 1.1 out of those of today: a field more in cf_call, cf_learner and
# cf_plugin (a kind), a bit more in needs and in the flags of parameters, one more type of parameters.
# REQUIRES: from, to (folders).
file(COPY "${from}/" DESTINATION "${to}")

function(change header before after)
  file(READ "${to}/${header}" text)
  string(REPLACE "${before}" "${after}" changed "${text}")
  if(changed STREQUAL text)
    message(FATAL_ERROR "${header} has no '${before}'")
  endif()
  file(WRITE "${to}/${header}" "${changed}")
endfunction()

change(crossfold_plugin/status.h "#define CF_ABI_MINOR 0u" "#define CF_ABI_MINOR 1u")
change(crossfold_plugin/host.h "that is called, in its own table */"
  "that is called, in its own table */\n  uint64_t deadline;")
change(crossfold_plugin/learner.h "(const cf_info* self, const char* id);\n} cf_learner;"
  "(const cf_info* self, const char* id);\n  const char* motto;\n} cf_learner;")
change(crossfold_plugin/param.h "CF_P_STRING_LIST = 8" "CF_P_STRING_LIST = 8,\n  CF_P_MATRIX = 9")
change(crossfold_plugin/param.h "CF_PF_LOG = 1u," "CF_PF_LOG = 1u,\n  CF_PF_PERIODIC = 256u,")
change(crossfold_plugin/metric.h "CF_NEEDS_LABELS = 1u," "CF_NEEDS_LABELS = 1u,\n  CF_NEEDS_TIMES = 64u,")
change(crossfold_plugin.h "get_factory)(const cf_plugin* self, const char* kind);"
  "get_factory)(const cf_plugin* self, const char* kind);\n  size_t n_explainers;\n  const void* const* explainers;")
file(READ "${to}/crossfold_plugin.h" text)
string(REGEX REPLACE "\nCF_LAYOUT\\([^;]*;" "" text "${text}")  # of today
file(WRITE "${to}/crossfold_plugin.h" "${text}")
