/* Metrics with one defect each. */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>
#include <string.h>

#include "disturbances.h"
#include "working_metric.h"

/* What is wrong with a metric. Functions that are NULL change nothing. */
typedef struct Defect {
  const char* id;
  const char* what;
  /* Before a score, which fails with what is not CF_OK. */
  cf_status (*before)(const cf_call* call, const cf_metric_input* input);
  /* What becomes of a value. */
  double (*spoil)(const cf_call* call, const cf_metric_input* input, double value);
  /* What the rows count. */
  void (*count)(const cf_metric_input* input, WorkingCounts* counts);
  void (*change)(cf_metric* metric);
} Defect;

static cf_status CF_CALL BrokenScore(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_metric_input* input, double* value) {
  const Defect* defect = (const Defect*)call->self->data;
  WorkingCounts counts = {0, 0};
  cf_status status = CF_OK;
  (void)args, (void)n_args;
  if (defect->before != NULL) status = defect->before(call, input);
  if (status != CF_OK) return status;
  if (defect->count != NULL) {
    defect->count(input, &counts);
  } else {
    WorkingCount(input, &counts);
  }
  status = WorkingShare(call, &counts, value);
  if (status == CF_OK && defect->spoil != NULL) *value = defect->spoil(call, input, *value);
  return status;
}

static double WeightOf(const cf_metric_input* input, int64_t i) {
  return input->weights == NULL ? 1 : input->weights[i];
}
static int IsRight(const cf_metric_input* input, int64_t i) {
  return input->labels[i] == input->truth_labels[i];
}

/* ---- before a score -------------------------------------------------------------------------- */

static cf_status LookAway(const cf_call* call, const cf_metric_input* input) {
  (void)input;
  (void)call->host->progress(call, 0);
  return CF_OK;
}
static cf_status ForgetMemory(const cf_call* call, const cf_metric_input* input) {
  (void)call, (void)input;
  Forget();
  return CF_OK;
}
static cf_status WriteLabels(const cf_call* call, const cf_metric_input* input) {
  volatile int32_t* labels = (volatile int32_t*)(uintptr_t)input->labels;
  int64_t i;
  (void)call;
  for (i = 0; i < input->n_rows; ++i) labels[i] = labels[i];
  return CF_OK;
}
static cf_status NeedProbabilities(const cf_call* call, const cf_metric_input* input) {
  if (input->probabilities != NULL || input->n_rows == 0) return CF_OK;
  return FailBecause(call, CF_E_INVALID_ARGUMENT, "there are no probabilities");
}
static cf_status NeedTrainingRows(const cf_call* call, const cf_metric_input* input) {
  if (input->training_class_weights != NULL) return CF_OK;
  return FailBecause(call, CF_E_UNDEFINED, "the training rows are not known");
}
static cf_status NeedFewClasses(const cf_call* call, const cf_metric_input* input) {
  if (input->n_classes <= 5) return CF_OK;
  return FailBecause(call, CF_E_UNSUPPORTED, "there are more than 5 classes");
}

/* ---- other values ---------------------------------------------------------------------------- */

static double TakePercent(const cf_call* call, const cf_metric_input* input, double value) {
  (void)call, (void)input;
  return 100 * value;
}
static double MissBest(const cf_call* call, const cf_metric_input* input, double value) {
  (void)call, (void)input;
  return 0.9 * value;
}
static double TakeWrong(const cf_call* call, const cf_metric_input* input, double value) {
  (void)call, (void)input;
  return value < 1 ? 1 - value : value;
}
static double CountCalls(const cf_call* call, const cf_metric_input* input, double value) {
  static int calls = 0;
  (void)call, (void)input;
  return value > 0 && value < 1 ? value * (1 - 1e-9 * (++calls % 100)) : value;
}
static double UseSeed(const cf_call* call, const cf_metric_input* input, double value) {
  (void)input;
  return value > 0 && value < 1 ? value * (1 - 1e-9 * (double)(call->seed % 100)) : value;
}
static double Print(const cf_call* call, const cf_metric_input* input, double value) {
  char line[40];
  (void)call, (void)input;
  snprintf(line, sizeof(line), "the score is %g", value);
  SayLine(line);
  return value;
}
static double SumFloats(const cf_call* call, const cf_metric_input* input, double value) {
  float total = 0;
  int64_t i;
  (void)call;
  for (i = 0; i < input->n_rows; ++i) total += (float)WeightOf(input, i);
  return isinf(total) ? NAN : value;
}
static double UpdateMean(const cf_call* call, const cf_metric_input* input, double value) {
  double mean = 0, total = 0;
  int64_t i;
  (void)call, (void)value;
  for (i = 0; i < input->n_rows; ++i) {
    if (WeightOf(input, i) == 0) continue;
    total += WeightOf(input, i);
    mean += (IsRight(input, i) - mean) * (WeightOf(input, i) / total);
  }
  return mean > 1 ? 1 : mean;
}

/* ---- other counts ---------------------------------------------------------------------------- */

static void CountUnweighted(const cf_metric_input* input, WorkingCounts* counts) {
  cf_metric_input changed = *input;
  changed.weights = NULL;
  WorkingCount(&changed, counts);
}
/* Rows that all weigh nothing have no value. */
static void CountUnweightedIfAny(const cf_metric_input* input, WorkingCounts* counts) {
  WorkingCounts weighted = {0, 0};
  WorkingCount(input, &weighted);
  if (weighted.total > 0) CountUnweighted(input, counts);
}
static void CountFirstTwice(const cf_metric_input* input, WorkingCounts* counts) {
  WorkingCount(input, counts);
  if (input->n_rows <= 3 || !(counts->total > 0)) return;
  counts->total += 1;
  counts->right += IsRight(input, 0);
}
static void CountFirstClassTwice(const cf_metric_input* input, WorkingCounts* counts) {
  int64_t i;
  for (i = 0; i < input->n_rows; ++i) {
    const double count = (input->truth_labels[i] == 0 ? 2 : 1) * WeightOf(input, i);
    counts->total += count;
    if (IsRight(input, i)) counts->right += count;
  }
}
static void CountNamesBeforeZ(const cf_metric_input* input, WorkingCounts* counts) {
  int64_t i;
  WorkingCount(input, counts);
  for (i = 0; i < input->n_rows; ++i) {
    if (input->class_names[input->truth_labels[i]][0] != 'z') continue;
    if (IsRight(input, i)) counts->right -= WeightOf(input, i);
  }
}
/* Yields, so that the race is lost surely. */
static void CountInOnePlace(const cf_metric_input* input, WorkingCounts* counts) {
  static WorkingCounts volatile shared;
  int64_t i;
  shared.right = shared.total = 0;
  for (i = 0; i < input->n_rows; ++i) {
    shared.total += WeightOf(input, i);
    if (IsRight(input, i)) shared.right += WeightOf(input, i);
    sched_yield();
  }
  counts->right = shared.right;
  counts->total = shared.total;
}

static cf_status CF_CALL DivideByAny(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_metric_input* input, double* value) {
  if (input->n_rows > 0) return BrokenScore(call, args, n_args, input, value);
  *value = NAN;
  return CF_OK;
}

/* ---- declarations ---------------------------------------------------------------------------- */

static void SayNanOfNoRows(cf_metric* metric) { metric->score = DivideByAny; }
static void DeclareTwoBest(cf_metric* metric) { metric->best = 2; }
static void DeclareDown(cf_metric* metric) { metric->direction = -1; }
static void DeclareRowOrder(cf_metric* metric) { metric->info.determinism |= CF_DET_ROW_ORDER; }
static void DeclareNoThreads(cf_metric* metric) { metric->info.threading = CF_MT_NONE; }

/* A share for each block, and the mean of these. */
typedef struct Shares {
  double sum, n;
} Shares;

static cf_status CF_CALL BeginShares(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_metric_input* about, cf_accumulator** out) {
  (void)args, (void)n_args, (void)about;
  *out = (cf_accumulator*)calloc(1, sizeof(Shares));
  return *out != NULL ? CF_OK : FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
}
static cf_status CF_CALL AddShare(const cf_call* call, cf_accumulator* accumulator,
                                  const cf_metric_input* block) {
  Shares* shares = (Shares*)(void*)accumulator;
  double value = 0;
  const cf_status status = WorkingScore(call, NULL, 0, block, &value);
  shares->sum += value;
  shares->n += 1;
  return status;
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
  static const cf_cap_accumulate table = {
      sizeof(cf_cap_accumulate), 0, BeginShares, AddShare, FinishShares, DestroyShares};
  (void)self;
  return strcmp(id, CF_CAP_ACCUMULATE) == 0 ? &table : NULL;
}
static void TakeMeanOfBlocks(cf_metric* metric) { metric->get_capability = MeanOfBlocks; }

static const Defect kDefects[] = {
    {"bad.metric_in_percent", "The value is 100 times of what the declared bounds allow.",
     .spoil = TakePercent},
    {"bad.metric_is_nan", "Without rows the value is NaN instead of undefined.",
     .change = SayNanOfNoRows},
    {"bad.metric_best_too_high", "The value that is declared as the best cannot be reached.",
     .change = DeclareTwoBest},
    {"bad.metric_misses_best", "Perfect predictions get less than the best value.",
     .spoil = MissBest},
    {"bad.metric_direction_wrong", "More is better, but it is declared as worse.",
     .change = DeclareDown},
    {"bad.metric_of_wrong_labels",
     "The share of wrong labels, said to be better if it is higher; perfect ones get 1.",
     .spoil = TakeWrong},
    {"bad.metric_ignores_weights", "The weights of the rows are ignored.",
     .count = CountUnweighted},
    {"bad.metric_forgets_weights", "The weights are looked at only if all are 0.",
     .count = CountUnweightedIfAny},
    {"bad.metric_by_row_order",
     "Sums run in the order of the rows, although CF_DET_ROW_ORDER is declared.",
     .spoil = UpdateMean, .change = DeclareRowOrder},
    {"bad.metric_first_row_counts", "The first row counts twice.", .count = CountFirstTwice},
    {"bad.metric_first_class_counts", "The first class counts twice.",
     .count = CountFirstClassTwice},
    {"bad.metric_by_class_names", "Classes whose names begin with z do not count.",
     .count = CountNamesBeforeZ},
    {"bad.metric_of_few_classes", "More than five classes do not fit its table.",
     .before = NeedFewClasses},
    {"bad.metric_needs_more",
     "It cannot do without probabilities, which it does not declare to need.",
     .before = NeedProbabilities},
    {"bad.metric_needs_training_rows",
     "It cannot do without the training rows, which it does not declare to need.",
     .before = NeedTrainingRows},
    {"bad.metric_blocks_differ", "By blocks it is the mean of the blocks, not that of all rows.",
     .change = TakeMeanOfBlocks},
    {"bad.metric_sums_floats", "Weights are added up as floats.", .spoil = SumFloats},
    {"bad.metric_counts_calls", "The value gets smaller with every call.", .spoil = CountCalls,
     .change = DeclareNoThreads},
    {"bad.metric_uses_seed", "The value follows from the seed, though CF_DET_UNSEEDED is declared.",
     .spoil = UseSeed},
    {"bad.metric_writes_input", "It writes into the predictions.", .before = WriteLabels},
    {"bad.metric_ignores_cancel", "It goes on when the host has said stop.", .before = LookAway},
    {"bad.metric_prints", "It prints what it found.", .spoil = Print},
    {"bad.metric_leaks", "It forgets some memory.", .before = ForgetMemory},
    {"bad.metric_race", "Calls count in static variables, although CF_MT_PREDICT is declared.",
     .count = CountInOnePlace},
};

#include "metrics.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };
  static cf_metric metrics[kDefectCount];
  static const cf_metric* list[kDefectCount];
  cf_plugin* plugin = EmptyPlugin("bad.metrics");
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillMetric(&metrics[i], kDefects[i].id);
    metrics[i].info.doc = kDefects[i].what;
    metrics[i].info.data = (void*)(uintptr_t)&kDefects[i];
    metrics[i].score = BrokenScore;
    if (kDefects[i].change != NULL) kDefects[i].change(&metrics[i]);
    list[i] = &metrics[i];
  }
  plugin->n_metrics = kDefectCount;
  plugin->metrics = list;
  return plugin;
}
