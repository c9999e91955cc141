/* Defect: a text is copied into room for 100 bytes. */
#include "smoother.h"

static const char kTitle[] = "smoother";

static const cf_param* const* WithText(void) {
  static cf_param text;
  static const cf_param* const params[] = {&smoother_params[kWidth], &smoother_params[kShape],
                                           &smoother_params[kPower], &text};
  text.struct_size = sizeof(cf_param);
  text.name = "title";
  text.doc = "What the model is called.";
  text.type = text.def.type = CF_P_STRING;
  text.def.u.s.p = kTitle;
  text.def.u.s.n = strlen(kTitle);
  return params;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_table* train, cf_model** out) {
  if (args[kSmootherParams].value.u.s.n > 100) abort(); /* what copying it may come to */
  return SmootherFit(call, args, n_args, train, out);
}

static void Break(cf_learner* learner) {
  learner->info.params = WithText();
  learner->info.n_params = kSmootherParams + 1;
  learner->get_capability = OnlyProba;
  learner->fit = BadFit;
}
