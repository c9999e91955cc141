// Which class counts as the positive one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

struct ClassNames {
  const char* const* names;  // null = not known
  std::int64_t size;

  static ClassNames Of(const cf_shape& shape) { return {shape.class_names, shape.n_classes}; }
  static ClassNames Of(const plugin::MetricInput& about) {
    return {about.class_names(), about.num_classes()};
  }
};

inline std::string NamesText(const ClassNames& classes) {
  std::string text;
  for (std::int64_t c = 0; c < classes.size; ++c) {
    text += (c == 0 ? "" : ", ") + std::string(classes.names[c]);
  }
  return text;
}

// Index of the class called `positive`; if that is empty, of the second of two. Throws Error;
// `way_out` names what can be done instead of naming a class. REQUIRES: the names are known.
inline std::size_t FindPositive(const std::string& positive, const ClassNames& classes,
                                std::string_view way_out = "") {
  if (positive.empty()) {
    if (classes.size == 2) return 1;
    throw plugin::Error(CF_E_INVALID_ARGUMENT, "the dataset has " + std::to_string(classes.size) +
                                                   (classes.size == 1 ? " class" : " classes") +
                                                   "; name one with positive = \"...\"" +
                                                   std::string(way_out));
  }
  const auto* end = classes.names + classes.size;
  const auto* found = std::find(classes.names, end, std::string_view(positive));
  if (found != end) return static_cast<std::size_t>(found - classes.names);
  throw plugin::Error(
      CF_E_INVALID_ARGUMENT,
      "positive = '" + positive + "' is not a class of the dataset; known: " + NamesText(classes));
}

// The same before anything runs, when the names may not be known yet.
inline void CheckPositive(const std::string& positive, const cf_shape& shape,
                          std::string_view way_out = "") {
  const ClassNames classes = ClassNames::Of(shape);
  if (positive.empty() || classes.names != nullptr) FindPositive(positive, classes, way_out);
}

}  // namespace crossfold::bundled
