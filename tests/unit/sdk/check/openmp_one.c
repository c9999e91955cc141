/* Stands for an OpenMP runtime: a library of that name. */
void omp_one(void);
void omp_one(void) {}
