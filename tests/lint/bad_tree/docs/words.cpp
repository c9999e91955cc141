// Calls are counted for the {}. time.
/* Two lines: the first one is
 * no problem, because told is a name. */
int behind = told("anew", 'b', R"(the rows are no partition)");  // anew
