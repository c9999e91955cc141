# crossfold_seal_library(PLUGIN ARCHIVE) links a C library into a plugin so that nothing of it is
# shared with the process: what it would take from the C library (rand, stdout, stderr) it gets from
# sealed_library.cpp. The archive brings its own copy of every global variable, and the plugin's
# version script keeps its symbols inside.
#
# Debian builds archives for programs (-fPIE), not for shared libraries. Such code can be linked into
# one as long as it refers to no variable of another library; stdout and stderr were the only ones.
function(crossfold_seal_library plugin archive)
  target_sources(${plugin} PRIVATE ${PROJECT_SOURCE_DIR}/plugins/sealed_library.cpp)
  target_link_libraries(${plugin} PRIVATE ${archive})
  foreach(symbol rand stdout stderr fputs fwrite fputc putchar puts fflush printf fprintf
                 __printf_chk __fprintf_chk)
    target_link_options(${plugin} PRIVATE "LINKER:--wrap=${symbol}")
  endforeach()
endfunction()

# crossfold_require_wrapped(VARIABLE HEADER LIBRARY PACKAGE) sets VARIABLE_INCLUDE_DIR and
# VARIABLE_LIBRARY. If one is not there, it says so, and the calling CMakeLists.txt returns.
macro(crossfold_require_wrapped variable header library package)
  find_path(${variable}_INCLUDE_DIR ${header})
  find_library(${variable}_LIBRARY ${library})
  mark_as_advanced(${variable}_INCLUDE_DIR ${variable}_LIBRARY)
  if(NOT ${variable}_INCLUDE_DIR OR NOT ${variable}_LIBRARY)
    get_filename_component(plugin ${CMAKE_CURRENT_SOURCE_DIR} NAME)
    message(STATUS "Plugin ${plugin} is left out: the package ${package} is not installed")
    return()
  endif()
endmacro()
