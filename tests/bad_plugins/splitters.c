/* Splitters with one defect each. */
#define _GNU_SOURCE
#include <math.h>
#include <sched.h>

#include "disturbances.h"
#include "working_splitter.h"

/* What is wrong with a splitter. Functions that are NULL change nothing. */
typedef struct Defect {
  const char* id;
  const char* what;
  /* All rows are in fold 0 at first, and nothing is drawn. */
  int draws_nothing;
  /* Before a split. */
  void (*before)(const cf_call* call, const cf_split_input* input);
  /* Changes the folds, which are dealt at random. */
  void (*refold)(const cf_call* call, const cf_split_input* input, int32_t* folds, int64_t n_folds);
  /* Emits split `fold` by itself; `order` has all n rows at random. */
  cf_status (*emit)(const cf_split_sink* sink, int64_t* order, int64_t n, int64_t fold,
                    int64_t n_folds);
  /* What split takes for its input and folds. */
  void (*misread)(cf_split_input* input, cf_arg* folds);
  void (*change)(cf_splitter* splitter);
} Defect;

static cf_status CF_CALL BrokenSplit(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_split_input* input, const cf_split_sink* sink) {
  const Defect* defect = (const Defect*)call->self->data;
  cf_split_input changed = *input;
  cf_arg first = args[0];
  cf_status status;
  int64_t fold, n_folds;
  (void)n_args;
  if (defect->before != NULL) defect->before(call, input);
  if (defect->misread != NULL) defect->misread(&changed, &first);
  n_folds = first.value.u.i;
  status = WorkingSplitCheck(call, &changed, n_folds);
  if (status != CF_OK) return status;
  if (defect->emit != NULL) {
    int64_t* order = (int64_t*)malloc(((size_t)input->n_rows + 1) * sizeof(int64_t));
    if (order == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for the order");
    WorkingShuffle(call, order, input->n_rows);
    for (fold = 0; status == CF_OK && fold < n_folds; ++fold) {
      status = defect->emit(sink, order, input->n_rows, fold, n_folds);
    }
    free(order);
  } else {
    int32_t* folds = defect->draws_nothing
                         ? (int32_t*)calloc((size_t)input->n_rows + 1, sizeof(int32_t))
                         : WorkingFolds(call, input->n_rows, n_folds);
    if (folds == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for the folds");
    if (defect->refold != NULL) defect->refold(call, input, folds, n_folds);
    status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
    free(folds);
  }
  return status;
}

/* ---- before a split -------------------------------------------------------------------------- */

static void SetLocale(const cf_call* call, const cf_split_input* input) {
  (void)call, (void)input;
  ChangeLocale();
}
static void ForgetMemory(const cf_call* call, const cf_split_input* input) {
  (void)call, (void)input;
  Forget();
}
static void LookAway(const cf_call* call, const cf_split_input* input) {
  (void)input;
  (void)call->host->progress(call, 0);
}
static void WriteLabels(const cf_call* call, const cf_split_input* input) {
  volatile int32_t* labels = (volatile int32_t*)(uintptr_t)input->labels;
  int64_t i;
  (void)call;
  for (i = 0; labels != NULL && i < input->n_rows; ++i) labels[i] = labels[i];
}
static void AbortOnMissing(const cf_call* call, const cf_split_input* input) {
  int64_t i;
  (void)call;
  for (i = 0; i < input->n_rows && input->labels != NULL; ++i) {
    if (input->labels[i] < 0) abort();
  }
}
static void AbortOnLateTimes(const cf_call* call, const cf_split_input* input) {
  int64_t i;
  (void)call;
  for (i = 0; i < input->n_rows && input->time != NULL; ++i) {
    if (input->time[i] > 1e12) abort();
  }
}

/* ---- other folds ----------------------------------------------------------------------------- */

/* Row i gets fold (i + shift) % n_folds. */
static void Deal(const cf_split_input* input, int32_t* folds, int64_t n_folds, int64_t shift) {
  int64_t i;
  for (i = 0; i < input->n_rows; ++i) folds[i] = (int32_t)((i + shift) % n_folds);
}
static void DealInTurn(const cf_call* call, const cf_split_input* input, int32_t* folds,
                       int64_t n_folds) {
  (void)call;
  Deal(input, folds, n_folds, 0);
}
static void DealByRand(const cf_call* call, const cf_split_input* input, int32_t* folds,
                       int64_t n_folds) {
  (void)call;
  Deal(input, folds, n_folds, rand());
}
static void DealByCalls(const cf_call* call, const cf_split_input* input, int32_t* folds,
                        int64_t n_folds) {
  static int64_t calls = 0;
  (void)call;
  Deal(input, folds, n_folds, ++calls > 10);
}
static void DealByClass(const cf_call* call, const cf_split_input* input, int32_t* folds,
                        int64_t n_folds) {
  int64_t i;
  (void)call;
  Deal(input, folds, n_folds, 0);
  for (i = n_folds; i < input->n_rows && input->labels != NULL; ++i) {
    if (input->labels[i] > 0) folds[i] = (int32_t)((i + input->labels[i]) % n_folds);
  }
}
static void ShiftByClassNames(const cf_call* call, const cf_split_input* input, int32_t* folds,
                              int64_t n_folds) {
  int64_t i;
  (void)call;
  for (i = 0; input->labels != NULL && i < input->n_rows; ++i) {
    if (input->labels[i] < 0) continue;
    folds[i] =
        (int32_t)((folds[i] + (unsigned char)input->class_names[input->labels[i]][0]) % n_folds);
  }
}
static void CountFromOne(const cf_call* call, const cf_split_input* input, int32_t* folds,
                         int64_t n_folds) {
  int64_t i;
  (void)call, (void)n_folds;
  for (i = 0; i < input->n_rows; ++i) ++folds[i];
}
static void EmptyFoldOne(const cf_call* call, const cf_split_input* input, int32_t* folds,
                         int64_t n_folds) {
  int64_t i;
  (void)call, (void)n_folds;
  for (i = 0; i < input->n_rows; ++i) folds[i] = folds[i] == 1 ? 0 : folds[i];
}
static void PutFewInFirst(const cf_call* call, const cf_split_input* input, int32_t* folds,
                          int64_t n_folds) {
  int64_t i;
  (void)call, (void)n_folds;
  for (i = 0; input->n_rows < 4 && i < input->n_rows; ++i) folds[i] = 0;
}
static void PutWeightlessNowhere(const cf_call* call, const cf_split_input* input, int32_t* folds,
                                 int64_t n_folds) {
  int64_t i;
  (void)call;
  for (i = 0; input->weights != NULL && i < input->n_rows; ++i) {
    if (input->weights[i] == 0) folds[i] = (int32_t)n_folds;
  }
}

/* Yields, so that the race is lost surely. */
static void KeepFolds(const cf_call* call, const cf_split_input* input, int32_t* folds,
                      int64_t n_folds) {
  enum { kMostRows = 4096 };
  static int32_t volatile shared[kMostRows];
  int64_t i;
  (void)call, (void)n_folds;
  for (i = 0; i < input->n_rows && i < kMostRows; ++i) {
    shared[i] = folds[i];
    sched_yield();
  }
  for (i = 0; i < input->n_rows && i < kMostRows; ++i) folds[i] = shared[i];
}

/* ---- other splits ---------------------------------------------------------------------------- */

/* Trains from the row before the last of the test rows on. */
static cf_status EmitOverlap(const cf_split_sink* sink, int64_t* order, int64_t n, int64_t fold,
                             int64_t n_folds) {
  const int64_t n_test = n / n_folds;
  (void)fold;
  return sink->emit_split(sink, order + n_test - 1, n - n_test + 1, order, n_test);
}
static cf_status EmitTwice(const cf_split_sink* sink, int64_t* order, int64_t n, int64_t fold,
                           int64_t n_folds) {
  const int64_t n_test = n / n_folds, kept = order[0];
  cf_status status;
  (void)fold;
  if (n_test > 1) order[0] = order[1];
  status = sink->emit_split(sink, order + n_test, n - n_test, order, n_test);
  order[0] = kept;
  return status;
}
static cf_status EmitLastEmpty(const cf_split_sink* sink, int64_t* order, int64_t n, int64_t fold,
                               int64_t n_folds) {
  const int64_t n_test = fold + 1 < n_folds ? n / n_folds : 0;
  return sink->emit_split(sink, order + n_test, n - n_test, order, n_test);
}
static cf_status EmitRowAfterLast(const cf_split_sink* sink, int64_t* order, int64_t n,
                                  int64_t fold, int64_t n_folds) {
  (void)fold, (void)n_folds;
  return sink->emit_split(sink, order, 1, &n, 1);
}

/* Row 0 on, as they lie in the file. */
static cf_status CF_CALL SplitInFileOrder(const cf_call* call, const cf_arg* args, size_t n_args,
                                          const cf_split_input* input, const cf_split_sink* sink) {
  int64_t* order = (int64_t*)malloc(((size_t)input->n_rows + 1) * sizeof(int64_t));
  const int64_t n_folds = args[0].value.u.i, size = input->n_rows / (n_folds + 1);
  int64_t i, fold;
  cf_status status = WorkingSplitCheck(call, input, n_folds + 1);
  (void)n_args;
  if (order == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for the order");
  for (i = 0; i < input->n_rows; ++i) order[i] = i;
  for (fold = 1; status == CF_OK && fold <= n_folds; ++fold) {
    status = sink->emit_split(sink, order, fold * size, order + fold * size, size);
  }
  free(order);
  return status;
}
static void AssumeSortedRows(cf_splitter* splitter) {
  splitter->uses = CF_SPLIT_USES_TIME;
  splitter->info.determinism |= CF_DET_UNSEEDED;
  splitter->split = SplitInFileOrder;
}

static cf_status CF_CALL SplitAlsoNoRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_split_input* input, const cf_split_sink* sink) {
  return input->n_rows == 0 ? CF_OK : BrokenSplit(call, args, n_args, input, sink);
}
static void SplitNothing(cf_splitter* splitter) { splitter->split = SplitAlsoNoRows; }

static cf_status CF_CALL SplitAlsoOneRow(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_split_input* input, const cf_split_sink* sink) {
  const int32_t fold = 0;
  if (input->n_rows == 1 && input->groups == NULL) return sink->emit_partition(sink, &fold, 1, 1);
  return BrokenSplit(call, args, n_args, input, sink);
}
static void SplitOneRow(cf_splitter* splitter) { splitter->split = SplitAlsoOneRow; }

/* ---- inputs and declarations ----------------------------------------------------------------- */

static void LowerFolds(cf_split_input* input, cf_arg* folds) {
  if (folds->value.u.i > input->n_rows && input->n_rows > 1) folds->value.u.i = input->n_rows;
}
static void ForgetGroups(cf_split_input* input, cf_arg* folds) {
  (void)folds;
  input->groups = NULL;
}
static void UseGroups(cf_splitter* splitter) { splitter->uses = CF_SPLIT_USES_GROUPS; }
static void ClaimRowOrder(cf_splitter* splitter) { splitter->info.determinism |= CF_DET_ROW_ORDER; }
static void AddStratify(cf_splitter* splitter) {
  static cf_param stratify;
  static const cf_param* params[2];
  params[0] = splitter->info.params[0];
  params[1] = &stratify;
  stratify.struct_size = sizeof(cf_param);
  stratify.name = "stratify";
  stratify.doc = "Whether every fold has every class.";
  stratify.type = stratify.def.type = CF_P_BOOL;
  splitter->info.params = params;
  splitter->info.n_params = 2;
}

static const Defect kDefects[] = {
    {"bad.split_fold_out_of_range", "The folds are counted from 1.", .refold = CountFromOne},
    {"bad.split_row_out_of_range", "A split tests the row after the last.",
     .emit = EmitRowAfterLast},
    {"bad.split_overlaps", "A split tests a row that it trains on.", .emit = EmitOverlap},
    {"bad.split_repeats_a_test_row", "A split tests a row twice.", .emit = EmitTwice},
    {"bad.split_without_test_rows", "The last split tests no row.", .emit = EmitLastEmpty},
    {"bad.split_empty_fold", "The rows of fold 1 are in fold 0.", .refold = EmptyFoldOne},
    {"bad.split_lowers_folds", "Fewer folds than asked for are made where there are fewer rows.",
     .misread = LowerFolds},
    {"bad.split_tears_groups", "Groups are accepted, and torn apart.", .misread = ForgetGroups,
     .change = UseGroups},
    {"bad.split_assumes_sorted_rows",
     "Training rows lie before test rows in the file, not in time.", .change = AssumeSortedRows},
    {"bad.split_ignores_stratify", "Stratify = true is taken, and changes nothing.",
     .change = AddStratify},
    {"bad.split_of_weightless_rows", "Rows of weight 0 get a fold that there is not.",
     .refold = PutWeightlessNowhere},
    {"bad.split_of_few_rows", "Of a few rows a fold is left without one.", .refold = PutFewInFirst},
    {"bad.split_one_row", "One row is tested, and none trained on.", .change = SplitOneRow},
    {"bad.split_nothing", "No rows are split successfully.", .change = SplitNothing},
    {"bad.split_by_class_names", "The folds of the classes follow their names.",
     .refold = ShiftByClassNames},
    {"bad.split_by_class_index", "The folds of the classes follow their numbers.", 1,
     .refold = DealByClass},
    {"bad.split_dies_of_missing_class", "A row without a class ends the process.",
     .before = AbortOnMissing},
    {"bad.split_dies_of_late_times", "A time after 1e12 ends the process.",
     .before = AbortOnLateTimes},
    {"bad.split_claims_row_order",
     "Rows get folds as they come, although CF_DET_ROW_ORDER is declared.",
     .change = ClaimRowOrder},
    {"bad.split_keeps_state", "After ten calls the folds begin elsewhere.", 1,
     .refold = DealByCalls},
    {"bad.split_draws_for_nothing", "Random numbers are drawn, but the splits are always the same.",
     .refold = DealInTurn},
    {"bad.split_uses_rand", "It draws from the C library and not from the call.",
     .refold = DealByRand},
    {"bad.split_writes_input", "It writes into the labels that it was lent.",
     .before = WriteLabels},
    {"bad.split_ignores_cancel", "It goes on when the host has said stop.", .before = LookAway},
    {"bad.split_changes_locale", "It changes the locale and leaves it so.", .before = SetLocale},
    {"bad.split_leaks", "It forgets some memory.", .before = ForgetMemory},
    {"bad.split_race",
     "Calls keep their folds in a static variable, although CF_MT_PREDICT is declared.",
     .refold = KeepFolds},
};

#include "splitters.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };
  static cf_splitter splitters[kDefectCount];
  static const cf_splitter* list[kDefectCount];
  cf_plugin* plugin = EmptyPlugin("bad.splitters");
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillSplitter(&splitters[i], kDefects[i].id);
    splitters[i].info.doc = kDefects[i].what;
    splitters[i].info.data = (void*)(uintptr_t)&kDefects[i];
    splitters[i].split = BrokenSplit;
    if (kDefects[i].change != NULL) kDefects[i].change(&splitters[i]);
    list[i] = &splitters[i];
  }
  plugin->n_splitters = kDefectCount;
  plugin->splitters = list;
  return plugin;
}
