# Makes headers that break the boundary on purpose: metrics get a field in the middle of their struct, where
# fields may only be appended.
# REQUIRES: from, to (folders).
file(COPY "${from}/" DESTINATION "${to}")
file(READ "${to}/crossfold_plugin/metric.h" text)
string(REPLACE "  int32_t direction;" "  uint32_t unit;\n  int32_t direction;" changed "${text}")
if(changed STREQUAL text)
  message(FATAL_ERROR "metric.h has no field 'direction'")
endif()
file(WRITE "${to}/crossfold_plugin/metric.h" "${changed}")
file(READ "${to}/crossfold_plugin.h" text)
string(REGEX REPLACE "\nCF_LAYOUT\\([^;]*;" "" text "${text}")  # of today
file(WRITE "${to}/crossfold_plugin.h" "${text}")
