// The width of terminals.
#pragma once

namespace crossfold {

// Returns the columns of the terminal that is open as `file`; 0 if it is not a terminal or does not
// report its width.
int TerminalWidth(int file);

// Returns the columns for standard output: those of the variable COLUMNS, else those of its
// terminal; 0 if neither is known.
int OutputWidth();

}  // namespace crossfold
