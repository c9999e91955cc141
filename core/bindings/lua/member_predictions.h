// Numbers that stay in C++ while Lua passes them on.
#pragma once

#include <vector>

namespace crossfold::lua {

// What native.member_answers gives and native.with_features takes: one number per row.
struct NumberArray {
  std::vector<double> numbers;
};

}  // namespace crossfold::lua
