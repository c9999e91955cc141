# crossfold_add_plugin(NAME SOURCE...) makes the loadable plugin NAME.crossfold.so: hidden symbols,
# one exported function, no undefined symbols, no contraction or fast-math that would change results
# from one compiler to the next. The same file serves the bundled plugins and outside projects.
function(crossfold_add_plugin name)
  set(map "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/crossfold_plugin.map")
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE Crossfold::sdk)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_compile_options(${name} PRIVATE -ffp-contract=off)
  set_target_properties(${name} PROPERTIES
    PREFIX "" SUFFIX ".crossfold.so" CXX_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LINK_DEPENDS "${map}")
  target_link_options(${name} PRIVATE "LINKER:--version-script=${map}"
    "LINKER:-z,now")
  # clang leaves the sanitizer runtime to the program, so its modules have undefined symbols.
  if(NOT (CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize"))
    target_link_options(${name} PRIVATE "LINKER:-z,defs")
  endif()
endfunction()

# crossfold_add_plugin_check(TARGET [OPTIONS...]) adds the test plugin_check.TARGET: every check of
# `crossfold plugin check` that goes for the plugin that TARGET builds. OPTIONS are those of the
# command, as in --exclude "^leak$" or --strictness 8.
function(crossfold_add_plugin_check target)
  add_test(NAME plugin_check.${target}
    COMMAND Crossfold::crossfold plugin check ${ARGN} $<TARGET_FILE:${target}>)
endfunction()
