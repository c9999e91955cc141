/* Defect: it says that a fit takes no memory. */
#include "smoother.h"

static cf_status CF_CALL BadFitBytes(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_shape* shape, uint64_t* bytes) {
  (void)call, (void)args, (void)n_args, (void)shape;
  *bytes = 0;
  return CF_OK;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_fit_memory.fit_bytes = BadFitBytes;
}
