// The positive class of a metric of two classes: the parameter `positive`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

inline std::string Quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

// "'a', 'b', 'c'"; of many classes the first twenty.
inline std::string ClassList(std::int64_t n_classes, const char* const* names) {
  constexpr std::int64_t kMost = 20;
  std::string text;
  for (std::int64_t c = 0; c < std::min(n_classes, kMost); ++c) {
    text += (c == 0 ? "" : ", ") + Quoted(names[c]);
  }
  return n_classes > kMost ? text + ", ..." : text;
}

// Index of the class named `positive`; of the second of two classes if that is "". -1 if it is
// named but the names of the classes are not known (null). Throws Error; `otherwise` names the
// alternative for more than two classes ("choose average = ..."); "" = there is none.
inline std::int64_t PositiveClass(std::string_view positive, std::int64_t n_classes,
                                  const char* const* names, std::string_view otherwise = "") {
  if (!positive.empty()) {
    if (names == nullptr) return -1;
    for (std::int64_t c = 0; c < n_classes; ++c) {
      if (positive == names[c]) return c;
    }
    throw plugin::Error(CF_E_INVALID_ARGUMENT, "there is no class " + Quoted(positive) +
                                                   " that could be positive; the classes are " +
                                                   ClassList(n_classes, names));
  }
  if (n_classes == 2) return 1;
  std::string finding = "the dataset has " + std::to_string(n_classes) +
                        (n_classes == 1 ? " class" : " classes") + "; ";
  if (n_classes < 2) {
    throw plugin::Error(CF_E_INVALID_ARGUMENT, finding + "two classes are needed");
  }
  finding += "name one with positive = \"...\"";
  if (!otherwise.empty()) finding += ", or " + std::string(otherwise);
  throw plugin::Error(CF_E_INVALID_ARGUMENT, finding);
}

}  // namespace crossfold::bundled
