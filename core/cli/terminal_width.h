// How wide a terminal is.
#pragma once

namespace crossfold::cli {

// Columns of the terminal that is open as `file`; 0 if it is none, or does not tell.
int TerminalWidth(int file);

}  // namespace crossfold::cli
