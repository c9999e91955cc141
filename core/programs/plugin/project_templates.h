// The files of sdk/templates, which are part of the program: `crossfold plugin new` works wherever
// the program is.
#pragma once

#include <span>
#include <string_view>

namespace crossfold::cli {

struct ProjectTemplate {
  std::string_view kinds;      // "learner", "learner+transform" or "any"
  std::string_view languages;  // "cpp", "c+cpp" or "any"
  std::string_view path;       // in the project; "dot_" at the start of a part stands for "."
  std::string_view text;       // with placeholders such as @ID@
};

// The templates in a fixed order.
std::span<const ProjectTemplate> ProjectTemplates();

}  // namespace crossfold::cli
