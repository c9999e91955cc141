// The same table in C++.
#include "layout_table.c"
