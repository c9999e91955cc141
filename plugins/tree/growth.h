// Where trees are grown: the parameter `growth` of the plugins with trees.
#pragma once

#include <array>

namespace crossfold::bundled::tree {

// The trees are the same. kSliq is for data larger than memory: see level_growth.h.
enum class Growth { kMemory, kSliq };
inline constexpr std::array<const char*, 2> kGrowthNames = {"memory", "sliq"};

}  // namespace crossfold::bundled::tree
