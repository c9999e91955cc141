#include "cli/terminal_width.h"

#include <sys/ioctl.h>

namespace crossfold::cli {

int TerminalWidth(int file) {
  winsize size{};
  return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace crossfold::cli
