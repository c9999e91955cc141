// Defect: an exception leaves fit when there are too few rows for a setting.
#include <stdexcept>

#include "smoother.h"

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  if (train->n_rows <= 3 && args[kPower].value.u.i == 8) {
    throw std::invalid_argument("power = 8 needs more rows");
  }
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  KeepOnlyProba(learner);
  learner->fit = BadFit;
}
