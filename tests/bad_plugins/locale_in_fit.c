/* Defect: fit changes the locale and leaves it so. */
#include "smoother.h"

#include <locale.h>

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  setlocale(LC_ALL, "C.UTF-8");
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
