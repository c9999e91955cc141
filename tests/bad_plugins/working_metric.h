/* A metric with no defect: the weighted share of right labels. The bad metrics start from it and
 * break it in one place. */
#ifndef CROSSFOLD_TESTS_WORKING_METRIC_H
#define CROSSFOLD_TESTS_WORKING_METRIC_H

#include <crossfold_plugin.h>

/* A plugin of one metric of the same id. */
#define WORKING_METRIC_MANIFEST(ID)                             \
  "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"" ID               \
  "\",\"version\":\"1.0.0\",\"learners\":[],\"transforms\":[]," \
  "\"splitters\":[],\"metrics\":[\"" ID "\"]}"

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
    call->host->fail(call, CF_E_UNDEFINED, "no row has a weight");
    return CF_E_UNDEFINED;
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

static inline void FillMetricPlugin(cf_plugin* plugin, const char* id,
                                    const cf_metric* const* metrics, size_t n_metrics) {
  plugin->magic = CF_ABI_MAGIC;
  plugin->struct_size = sizeof(cf_plugin);
  plugin->abi_major = CF_ABI_MAJOR;
  plugin->abi_minor = CF_ABI_MINOR;
  plugin->id = id;
  plugin->version = "1.0.0";
  plugin->vendor = "The Crossfold Authors";
  plugin->license = "MIT";
  plugin->n_metrics = n_metrics;
  plugin->metrics = metrics;
}

#endif
