// What --data names: a file for sources to read, and how.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold::check {

// "FILE" or "FILE{NAME=VALUE,...}".
struct SampleText {
  std::filesystem::path path;
  std::string settings;  // the text between the braces

  // A file whose name ends in braces is that file.
  static SampleText Parse(std::string_view text);
  // With an absolute path.
  std::string ToString() const;
};

// What --data names, with absolute paths, as another process takes it.
std::vector<std::string> WholeTexts(std::span<const std::string> data);

}  // namespace crossfold::check
