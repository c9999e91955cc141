/* Defect: what is prepared depends on a parameter without the flag CF_PF_PREPARE. */
#include "smoother.h"

static cf_status CF_CALL BadPrepare(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* all, cf_prepared** out) {
  const cf_status status = SmootherPrepare(call, args, n_args, all, out);
  Matrix* matrix = (Matrix*)*out;
  int64_t i;
  for (i = 0; status == CF_OK && i < matrix->n_rows * matrix->n_features; ++i) {
    ((double*)(matrix + 1))[i] *= (double)args[kPower].value.u.i;
  }
  return status;
}

static cf_status CF_CALL BadFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                const cf_prepared* prepared, const cf_table* train,
                                cf_model** out) {
  const cf_status status = SmootherFitPrepared(call, args, n_args, prepared, train, out);
  Smoother* s = (Smoother*)*out;
  int64_t i, j;
  for (i = 0; status == CF_OK && i < s->n_rows; ++i) {
    for (j = 0; j < s->n_features; ++j) {
      EntriesOf(RecordAt(s, i))[j] /= (double)args[kPower].value.u.i;
    }
  }
  return status;
}

static void Break(cf_learner* learner) {
  (void)learner;
  smoother_prepare.prepare = BadPrepare;
  smoother_prepare.fit_prepared = BadFit;
  smoother_prepare.fit_path_prepared = NULL;
}
