// Definitions for the Lua language server (LuaLS): the ids of installed components and the options
// that each of them takes, so that an editor completes and checks them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold::cli {

// A Lua file of annotations; the same bytes for the same components, in whatever order they come.
std::string LuaAnnotations(std::vector<std::shared_ptr<const Component>> components);

}  // namespace crossfold::cli
