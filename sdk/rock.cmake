# What the rock holds (crossfold-0.1.0-1.rockspec): component `rock`, which no other installation
# has. LuaRocks moves lib/ to the modules of Lua, so the plugins are in a folder next to the module;
# workers go where programs of rocks go.
if(TARGET crossfold_module)
  install(TARGETS crossfold_module LIBRARY DESTINATION lib COMPONENT rock EXCLUDE_FROM_ALL)
  install(TARGETS ${plugins} LIBRARY DESTINATION lib/crossfold/plugins COMPONENT rock
    EXCLUDE_FROM_ALL)
  install(TARGETS crossfold_worker RUNTIME DESTINATION bin COMPONENT rock EXCLUDE_FROM_ALL)
  add_custom_target(rock DEPENDS crossfold_module crossfold_worker ${plugins})
endif()
