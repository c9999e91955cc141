/* A library that a plugin brings along, beside itself. */
int crossfold_tests_neighbour(void);
int crossfold_tests_neighbour(void) { return 42; }
