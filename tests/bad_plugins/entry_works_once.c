/* Defect: the entry function works only once. */
#include "smoother.h"

static void Break(cf_learner* learner) {
  static int n_entries;
  if (++n_entries > 1) learner->fit = NULL;
}
