// The Lua part of the library (scripts/crossfold), compiled into the binary so that one file is
// enough wherever it is loaded.
#pragma once

#include <lua.hpp>
#include <span>
#include <string_view>

namespace crossfold::lua {

struct EmbeddedScript {
  const char* module;      // "crossfold.run"
  const char* chunk_name;  // "@[crossfold]/run.lua"; error positions skip chunks named like this
  std::string_view text;
};

std::span<const EmbeddedScript> EmbeddedScripts();

// Puts loaders of the scripts and of "crossfold.native" into package.preload.
void Preload(lua_State* L);

}  // namespace crossfold::lua
