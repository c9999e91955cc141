/* Defect: fit calls itself without end. */
#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  volatile char kept[256]; /* so that no compiler makes a loop of it */
  cf_status status;
  kept[0] = (char)n_args;
  status = n_args > (size_t)-2 ? SmootherFit(call, args, n_args, train, out)
                               : BadFit(call, args, n_args, train, out);
  return kept[0] == (char)n_args ? status : CF_E_INTERNAL;
}

static void Break(cf_learner* learner) { learner->fit = BadFit; }
