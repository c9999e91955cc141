/* Says cf_comment in a comment only. */
#include <crossfold_c.h>

struct cf_model {
  double mean;
};

static cf_status fit(const cf_call* call, cf_model* model) {
  return cf_fail(call, CF_OK, "cf_text");
}
