/* Defect: fit takes one feature only, and the check of a setting has nothing against more. */
#include "smoother.h"

static cf_status CF_CALL BadCheck(const cf_call* call, const cf_arg* args, size_t n_args,
                                  const cf_shape* shape) {
  cf_shape narrow = *shape;
  narrow.n_features = 1;
  return SmootherCheck(call, args, n_args, &narrow);
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_most_features = 1;
  smoother_check.check = BadCheck;
}
