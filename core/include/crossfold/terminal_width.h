// How wide a terminal is.
#pragma once

namespace crossfold {

// Columns of the terminal that is open as `file`; 0 if it is none, or does not tell.
int TerminalWidth(int file);

// Columns for what goes to standard output: those of the variable COLUMNS, else of its terminal; 0
// if nothing tells.
int OutputWidth();

}  // namespace crossfold
