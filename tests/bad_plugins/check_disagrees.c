/* Defect: the check of a setting refuses what fit takes. */
#include "smoother.h"

static cf_status CF_CALL BadCheck(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_shape* shape) {
  if (shape->n_rows < 1000) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it needs 1000 rows");
  }
  return SmootherCheck(call, args, n_args, shape);
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_check.check = BadCheck;
}
