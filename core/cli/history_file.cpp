#include "cli/history_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <system_error>

namespace crossfold::cli {
namespace {

namespace fs = std::filesystem;

// "" if it is not set, or if the process has more rights than its user.
fs::path Folder(const char* variable) {
  const char* value = ::secure_getenv(variable);
  const fs::path folder = value == nullptr ? "" : value;
  return folder.is_absolute() ? folder : fs::path();
}

// One write, so that lines of several processes do not mix. Whether all was written.
bool Write(const fs::path& path, int flags, const std::string& text) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (file < 0) return false;
  const ssize_t written = write(file, text.data(), text.size());
  const bool closed = close(file) == 0;
  return closed && written == static_cast<ssize_t>(text.size());
}

}  // namespace

std::vector<std::string> HistoryFile::Load() const {
  std::vector<std::string> lines;
  if (path_.empty()) return lines;
  std::ifstream file(path_, std::ios::binary);
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  const bool is_long = lines.size() > 2 * kMostLines;
  if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
  if (is_long) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    const fs::path fresh = path_.string() + "." + std::to_string(getpid());
    std::error_code error;
    if (Write(fresh, O_TRUNC, text)) {
      fs::rename(fresh, path_, error);
    } else {
      fs::remove(fresh, error);
    }
  }
  return lines;
}

void HistoryFile::Append(const std::string& line) const {
  if (path_.empty()) return;
  std::error_code error;
  fs::create_directories(path_.parent_path(), error);
  Write(path_, O_APPEND, line + "\n");
}

fs::path HistoryPath() {
  if (const fs::path state = Folder("XDG_STATE_HOME"); !state.empty()) {
    return state / "crossfold/history";
  }
  const fs::path home = Folder("HOME");
  return home.empty() ? fs::path() : home / ".local/state/crossfold/history";
}

}  // namespace crossfold::cli
