/* A metric with no defect: the weighted share of right labels. The bad metrics start from it and
 * break it in one place. */
#ifndef CROSSFOLD_TESTS_WORKING_METRIC_H
#define CROSSFOLD_TESTS_WORKING_METRIC_H

#include "working_plugin.h"

/* What the rows come to. */
typedef struct WorkingCounts {
  double right, total;
} WorkingCounts;

static inline void WorkingCount(const cf_metric_input* input, WorkingCounts* counts) {
  int64_t i;
  for (i = 0; i < input->n_rows; ++i) {
    const double weight = input->weights == NULL ? 1 : input->weights[i];
    counts->total += weight;
    if (input->labels[i] == input->truth_labels[i]) counts->right += weight;
  }
}

static inline cf_status WorkingShare(const cf_call* call, const WorkingCounts* counts,
                                     double* value) {
  if (!(counts->total > 0)) {
    return FailBecause(call, CF_E_UNDEFINED, "no row has a weight");
  }
  *value = counts->right / counts->total;
  return CF_OK;
}

static inline cf_status CF_CALL WorkingScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                             const cf_metric_input* input, double* value) {
  WorkingCounts counts = {0, 0};
  (void)args, (void)n_args;
  WorkingCount(input, &counts);
  return WorkingShare(call, &counts, value);
}

static inline void FillMetric(cf_metric* metric, const char* id) {
  metric->struct_size = sizeof(cf_metric);
  metric->needs = CF_NEEDS_LABELS;
  metric->info.id = id;
  metric->info.version = "1.0.0";
  metric->info.title = "Accuracy";
  metric->info.doc = "The weighted share of right labels.";
  metric->info.threading = CF_MT_PREDICT;
  metric->info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED;
  metric->tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS;
  metric->direction = 1;
  metric->worst = 0;
  metric->best = 1;
  metric->score = WorkingScore;
}

#endif
