// The lines that were typed at earlier prompts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace crossfold::cli {

// A text file with one line per entry, the latest last, which only its user can read. Several
// prompts may add to it at the same time. Failures to read or write are ignored: a prompt works
// without it.
class HistoryFile {
 public:
  static constexpr std::size_t kMaxLines = 1000;

  // Without a path nothing is kept.
  explicit HistoryFile(std::filesystem::path path) : path_(std::move(path)) {}

  // The last kMaxLines lines. A file with more than twice as many is cut down to these.
  std::vector<std::string> Load() const;
  // Adds a line at once, so that it outlives a crash; makes the file and its folder.
  void Append(const std::string& line) const;

 private:
  std::filesystem::path path_;
};

// $XDG_STATE_HOME/crossfold/history, else ~/.local/state/crossfold/history; empty if neither is set
// or this process has more rights than its user.
std::filesystem::path HistoryPath();

}  // namespace crossfold::cli
