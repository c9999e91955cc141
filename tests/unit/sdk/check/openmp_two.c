/* Stands for another OpenMP runtime: a library of that name. */
void omp_two(void);
void omp_two(void) {}
