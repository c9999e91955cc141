#include "crossfold/terminal_width.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace crossfold {

int TerminalWidth(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int OutputWidth() {
  const char* variable = std::getenv("COLUMNS");
  const std::string_view text = variable == nullptr ? "" : variable;
  int columns = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), columns);
  const bool is_number = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return is_number && columns > 0 ? columns : TerminalWidth(STDOUT_FILENO);
}

}  // namespace crossfold
