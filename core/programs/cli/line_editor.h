// A line that is edited on a terminal: history, completion by Tab, Ctrl-C as a key.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace crossfold::cli {

// The candidates for the end of a line.
struct Completion {
  std::size_t from = 0;                 // byte where what is typed of it begins
  std::vector<std::string> candidates;  // whole, sorted
  std::string suffix;                   // follows if there is one candidate only
};

struct LineEditorOptions {
  // Called at Tab with the line up to the cursor; may be empty. Must not throw.
  std::function<Completion(const std::string& before)> complete;
  std::vector<std::string> history;  // the latest last
};

// Reads standard input and writes to standard output, which are a terminal. One at a time.
class LineEditor {
 public:
  enum class End { kLine, kInterrupted, kClosed };

  // Throws Error if the terminal cannot be used.
  explicit LineEditor(LineEditorOptions options);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Reads a line without its end. kInterrupted: Ctrl-C; kClosed: Ctrl-D on an empty line.
  End Read(const std::string& prompt, std::string& line);
  // Adds a line to the history of this editor.
  void Remember(const std::string& line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// What all candidates begin with. REQUIRES: there is one.
std::string CommonPrefix(const std::vector<std::string>& candidates);
// Candidates in columns of a terminal that is so wide, each line with its end; no more than `most`.
std::string InColumns(const std::vector<std::string>& candidates, std::size_t width,
                      std::size_t most);

// ---- the lines that were typed at earlier prompts ----

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
