#include "programs/cli/history_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <system_error>

#include "crossfold/error.h"
#include "crossfold/whole_file.h"
#include "programs/cli/user_file.h"

namespace crossfold::cli {
namespace {

namespace fs = std::filesystem;

// One write, so that lines of several processes do not mix.
void AppendAtOnce(const fs::path& path, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0600);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, text.data(), text.size());
  close(file);
}

}  // namespace

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> lines;
  if (path_.empty()) return lines;
  std::ifstream file(path_, std::ios::binary);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  const bool is_long = lines.size() > 2 * kMaxLines;
  if (lines.size() > kMaxLines) lines.erase(lines.begin(), lines.end() - kMaxLines);
  if (is_long) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    try {
      WriteWholeFile(path_, text);
    } catch (const Error&) {  // it stays long
    }
  }
  return lines;
}

void HistoryFile::Append(const std::string& line) const {
  if (path_.empty()) return;
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  AppendAtOnce(path_, line + "\n");
}

fs::path HistoryPath() { return UserFile("XDG_STATE_HOME", ".local/state", "history"); }

}  // namespace crossfold::cli
