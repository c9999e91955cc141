/* @NAME@: the mean over the classes of the share of rows that is right (balanced accuracy). */
#include <crossfold_c.h>

static const cf_param kSkip =
    CF_BOOL("skip_undefined", 0, "Leave out classes without rows; otherwise there is no value.");

static cf_status score(const cf_call* call, cf_args args, const cf_metric_input* rows,
                       double* value) {
  double *all = cf_doubles(call, rows->n_classes), *right = cf_doubles(call, rows->n_classes);
  double sum = 0;
  int64_t counted = 0;
  if (all == NULL || right == NULL) return CF_E_OUT_OF_MEMORY;
  for (int64_t i = 0; i < rows->n_rows; ++i) {
    const double weight = rows->weights != NULL ? rows->weights[i] : 1.0;
    const int32_t truth = rows->truth_labels[i];
    all[truth] += weight;
    if (rows->labels[i] == truth) right[truth] += weight;
  }
  for (int64_t c = 0; c < rows->n_classes; ++c) {
    if (all[c] > 0) {
      sum += right[c] / all[c];
      ++counted;
    } else if (!cf_bool(args, &kSkip)) {
      return cf_fail(call, CF_E_UNDEFINED, "class '%.200s' has no row", rows->class_names[c]);
    }
  }
  if (counted == 0) return cf_fail(call, CF_E_UNDEFINED, "there are no rows");
  *value = sum / (double)counted;
  return CF_OK;
}

CF_METRIC_PLUGIN("@ID@", "0.1.0", "@VENDOR@", "@LICENSE@", "@NAME@",
                 "Mean over the classes of the weighted share of their rows that is predicted "
                 "right. Has no value if a class has no rows.",
                 CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED,
                 CF_TASK_BINARY | CF_TASK_MULTICLASS, CF_NEEDS_LABELS, +1, 0.0, 1.0, score, &kSkip)
