// An argument of --data: a file for sources to read, with settings.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold::check {

// Reads "FILE" or "FILE{NAME=VALUE,...}".
struct SampleText {
  std::filesystem::path path;
  std::string settings;  // the text between the braces

  // A file whose name ends in braces is that file.
  static SampleText Parse(std::string_view text);
  // The same with an absolute path.
  std::string ToString() const;
};

// The arguments of --data with absolute paths, for another process.
std::vector<std::string> WholeTexts(std::span<const std::string> data);

}  // namespace crossfold::check
