/* Metrics with one defect each, named after it. */
#include "working_metric.h"

#include <math.h>
#include <stdlib.h>

typedef cf_status(CF_CALL* ScoreFunction)(const cf_call*, const cf_arg*, size_t,
                                          const cf_metric_input*, double*);

static cf_status Fail(const cf_call* call, cf_status code, const char* text) {
  call->host->fail(call, code, text);
  return code;
}

static cf_status CF_CALL Percent(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK) *value *= 100;
  return status;
}

static cf_status CF_CALL MissesBest(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK) *value *= 0.9;
  return status;
}

/* The share of wrong labels, said to be better if it is higher; perfect ones get 1. */
static cf_status CF_CALL WrongDirection(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK && *value < 1) *value = 1 - *value;
  return status;
}

static cf_status CF_CALL NanWithoutRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_metric_input* input, double* value) {
  WorkingCounts counts = {0, 0};
  (void)call, (void)args, (void)n_args;
  WorkingCount(input, &counts);
  *value = counts.right / counts.total;
  return CF_OK;
}

/* The first row counts twice. */
static cf_status CF_CALL FirstRowCounts(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_metric_input* input, double* value) {
  WorkingCounts counts = {0, 0};
  (void)args, (void)n_args;
  WorkingCount(input, &counts);
  if (input->n_rows > 3 && counts.total > 0) {
    counts.total += 1;
    counts.right += input->labels[0] == input->truth_labels[0] ? 1 : 0;
  }
  return WorkingShare(call, &counts, value);
}

/* The classes before the last one, as if they were one. */
static cf_status CF_CALL FirstClassCounts(const cf_call* call, const cf_arg* args, size_t n_args,
                                          const cf_metric_input* input, double* value) {
  WorkingCounts counts = {0, 0};
  int64_t i;
  (void)args, (void)n_args;
  for (i = 0; i < input->n_rows; ++i) {
    const double weight = input->weights == NULL ? 1 : input->weights[i];
    const double count = input->truth_labels[i] == 0 ? 2 * weight : weight;
    counts.total += count;
    if (input->labels[i] == input->truth_labels[i]) counts.right += count;
  }
  return WorkingShare(call, &counts, value);
}

static cf_status CF_CALL NameCounts(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK && input->class_names[0][0] != 'k' && *value < 1) *value *= 0.5;
  return status;
}

static cf_status CF_CALL ForgetsWeights(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_metric_input* input, double* value) {
  cf_metric_input unweighted = *input;
  int64_t i = 0;
  /* Rows that all weigh nothing have no value. */
  while (input->weights != NULL && i < input->n_rows && input->weights[i] == 0) ++i;
  if (input->weights != NULL && i == input->n_rows) {
    return Fail(call, CF_E_UNDEFINED, "no row has a weight");
  }
  unweighted.weights = NULL;
  return WorkingScore(call, args, n_args, &unweighted, value);
}

static cf_status CF_CALL CountsCalls(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_metric_input* input, double* value) {
  static int calls = 0;
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK && *value > 0 && *value < 1) *value *= 1 - 1e-9 * (++calls % 100);
  return status;
}

static cf_status CF_CALL DrawsNumbers(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  if (status == CF_OK && *value > 0 && *value < 1) *value *= 1 - 1e-9 * (double)(call->seed % 100);
  return status;
}

static cf_status CF_CALL WritesLabels(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_metric_input* input, double* value) {
  /* Volatile, as compilers leave out what changes nothing. */
  volatile int32_t* labels = (volatile int32_t*)input->labels;
  if (input->n_rows > 0) labels[0] = labels[0];
  return WorkingScore(call, args, n_args, input, value);
}

static cf_status CF_CALL ReadsUndeclared(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_metric_input* input, double* value) {
  if (input->training_class_weights == NULL) {
    return Fail(call, CF_E_UNDEFINED, "the training rows are not known");
  }
  return WorkingScore(call, args, n_args, input, value);
}

static cf_status CF_CALL FewClasses(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_metric_input* input, double* value) {
  if (input->n_classes > 5) return Fail(call, CF_E_UNSUPPORTED, "there are more than 5 classes");
  return WorkingScore(call, args, n_args, input, value);
}

/* Weights are added up as floats. */
static cf_status CF_CALL SumsFloats(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_metric_input* input, double* value) {
  const cf_status status = WorkingScore(call, args, n_args, input, value);
  float total = 0;
  int64_t i;
  for (i = 0; i < input->n_rows; ++i) {
    total += input->weights == NULL ? 1.0f : (float)input->weights[i];
  }
  if (status == CF_OK && isinf(total)) *value = NAN;
  return status;
}

/* ---- crossfold.accumulate/1 --------------------------------------------------------------- */

/* A share for each block, and the mean of these. */
typedef struct Shares {
  double sum, n;
} Shares;

static cf_status CF_CALL BeginShares(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_metric_input* about, cf_accumulator** out) {
  (void)call, (void)args, (void)n_args, (void)about;
  *out = (cf_accumulator*)calloc(1, sizeof(Shares));
  return CF_OK;
}

static cf_status CF_CALL AddShare(const cf_call* call, cf_accumulator* accumulator,
                                  const cf_metric_input* block) {
  Shares* shares = (Shares*)(void*)accumulator;
  WorkingCounts counts = {0, 0};
  (void)call;
  WorkingCount(block, &counts);
  if (counts.total > 0) shares->sum += counts.right / counts.total;
  if (counts.total > 0) shares->n += 1;
  return CF_OK;
}

static cf_status CF_CALL FinishShares(const cf_call* call, cf_accumulator* accumulator,
                                      double* value) {
  const Shares* shares = (const Shares*)(void*)accumulator;
  const WorkingCounts counts = {shares->sum, shares->n};
  return WorkingShare(call, &counts, value);
}

static void CF_CALL DestroyShares(const cf_info* self, cf_accumulator* accumulator) {
  (void)self;
  free(accumulator);
}

static const void* CF_CALL MeanOfBlocks(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_accumulate table = {
      sizeof(cf_cap_accumulate), 0, BeginShares, AddShare, FinishShares, DestroyShares};
  const char* wanted = CF_CAP_ACCUMULATE;
  while (*id != '\0' && *id == *wanted) ++id, ++wanted;
  return *id == *wanted ? &table : NULL;
}

static const struct {
  const char* id;
  ScoreFunction score;
} kDefects[] = {
    {"bad.percent", Percent},
    {"bad.misses_best", MissesBest},
    {"bad.wrong_direction", WrongDirection},
    {"bad.nan_without_rows", NanWithoutRows},
    {"bad.first_row_counts", FirstRowCounts},
    {"bad.first_class_counts", FirstClassCounts},
    {"bad.name_counts", NameCounts},
    {"bad.forgets_weights", ForgetsWeights},
    {"bad.counts_calls", CountsCalls},
    {"bad.draws_numbers", DrawsNumbers},
    {"bad.writes_labels", WritesLabels},
    {"bad.reads_undeclared", ReadsUndeclared},
    {"bad.few_classes", FewClasses},
    {"bad.sums_floats", SumsFloats},
    {"bad.mean_of_blocks", WorkingScore},
};
enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"bad.defective_metrics\",\"version\":\"1.0.0\","
    "\"learners\":[],\"transforms\":[],\"splitters\":[],\"metrics\":["
    "\"bad.percent\",\"bad.misses_best\",\"bad.wrong_direction\",\"bad.nan_without_rows\","
    "\"bad.first_row_counts\",\"bad.first_class_counts\",\"bad.name_counts\","
    "\"bad.forgets_weights\",\"bad.counts_calls\",\"bad.draws_numbers\",\"bad.writes_labels\","
    "\"bad.reads_undeclared\",\"bad.few_classes\",\"bad.sums_floats\",\"bad.mean_of_blocks\"]}");

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_metric metrics[kDefectCount];
  static const cf_metric* list[kDefectCount];
  static cf_plugin plugin;
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillMetric(&metrics[i], kDefects[i].id);
    metrics[i].score = kDefects[i].score;
    if (kDefects[i].score == WorkingScore) metrics[i].get_capability = MeanOfBlocks;
    list[i] = &metrics[i];
  }
  FillMetricPlugin(&plugin, "bad.defective_metrics", list, kDefectCount);
  return &plugin;
}
