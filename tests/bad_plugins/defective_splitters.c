/* Splitters with one defect each, named after it. */
#include "working_splitter.h"

typedef cf_status(CF_CALL* SplitFunction)(const cf_call*, const cf_arg*, size_t,
                                          const cf_split_input*, const cf_split_sink*);

/* Row i gets fold (shift + i) % n_folds, as a list for every fold. With a margin the training rows
 * have so many of the test rows as well. */
static cf_status EmitLists(const cf_split_input* input, const cf_split_sink* sink, int64_t n_folds,
                           int64_t margin) {
  const int64_t n = input->n_rows;
  int64_t* train = (int64_t*)calloc((size_t)n * 2 + 2, sizeof(int64_t));
  int64_t* test = train + n + 1;
  cf_status status = CF_OK;
  int64_t fold, i;
  for (fold = 0; fold < n_folds && status == CF_OK; ++fold) {
    int64_t n_train = 0, n_test = 0;
    for (i = 0; i < n; ++i) {
      const int is_test = i % n_folds == fold;
      if (is_test) test[n_test++] = i;
      if (!is_test || n_test <= margin) train[n_train++] = i;
    }
    status = sink->emit_split(sink, train, n_train, test, n_test);
  }
  free(train);
  return status;
}

static cf_status CF_CALL TrainsOnTestRow(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_split_input* input, const cf_split_sink* sink) {
  const cf_status status = WorkingSplitCheck(call, input, args[0].value.u.i);
  (void)n_args;
  return status == CF_OK ? EmitLists(input, sink, args[0].value.u.i, 1) : status;
}

static cf_status CF_CALL EmptyFold(const cf_call* call, const cf_arg* args, size_t n_args,
                                   const cf_split_input* input, const cf_split_sink* sink) {
  cf_status status = WorkingSplitCheck(call, input, args[0].value.u.i);
  int32_t* folds;
  int64_t i;
  (void)n_args;
  if (status != CF_OK) return status;
  folds = WorkingFolds(call, input->n_rows, args[0].value.u.i);
  for (i = 0; i < input->n_rows; ++i) folds[i] = folds[i] == 1 ? 0 : folds[i];
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)args[0].value.u.i);
  free(folds);
  return status;
}

static cf_status CF_CALL RowOutOfRange(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_split_input* input, const cf_split_sink* sink) {
  const cf_status status = WorkingSplitCheck(call, input, args[0].value.u.i);
  const int64_t train[] = {0}, test[] = {input->n_rows};
  (void)n_args;
  return status == CF_OK ? sink->emit_split(sink, train, 1, test, 1) : status;
}

/* Folds that the caller has checked. */
static cf_status SplitInto(const cf_call* call, int64_t n_folds, const cf_split_input* input,
                           const cf_split_sink* sink) {
  int32_t* folds = WorkingFolds(call, input->n_rows, n_folds);
  const cf_status status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

static cf_status CF_CALL LowersFolds(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_split_input* input, const cf_split_sink* sink) {
  int64_t n_folds = args[0].value.u.i;
  cf_status status;
  (void)n_args;
  if (n_folds > input->n_rows && input->n_rows >= 2) n_folds = input->n_rows;
  status = WorkingSplitCheck(call, input, n_folds);
  return status == CF_OK ? SplitInto(call, n_folds, input, sink) : status;
}

static cf_status CF_CALL TearsGroups(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_split_input* input, const cf_split_sink* sink) {
  cf_split_input ungrouped = *input;
  ungrouped.groups = NULL;
  return WorkingSplit(call, args, n_args, &ungrouped, sink);
}

/* The last rows test, in two portions, each after what stands before it, sorted or not. */
static cf_status CF_CALL GoesByRowNumber(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_split_input* input, const cf_split_sink* sink) {
  const int64_t part = input->n_rows / 3;
  const cf_status checked = WorkingSplitCheck(call, input, 3);
  cf_status status;
  int64_t* rows;
  int64_t i;
  (void)args, (void)n_args;
  if (checked != CF_OK) return checked;
  if (input->time == NULL) return WorkingFail(call, CF_E_UNSUPPORTED_DATA, "there is no time");
  rows = (int64_t*)malloc((size_t)input->n_rows * sizeof(int64_t));
  for (i = 0; i < input->n_rows; ++i) rows[i] = i;
  status = sink->emit_split(sink, rows, part, rows + part, part);
  if (status == CF_OK) status = sink->emit_split(sink, rows, 2 * part, rows + 2 * part, part);
  free(rows);
  return status;
}

/* Declares a parameter `stratify`, which does nothing. */
static cf_status CF_CALL ForgetsToStratify(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_split_input* input, const cf_split_sink* sink) {
  return WorkingSplit(call, args, n_args, input, sink);
}

/* Folds begin elsewhere if the first class has another name than "k". */
static cf_status CF_CALL SeesClassNames(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_split_input* input, const cf_split_sink* sink) {
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  int64_t i, letter = 0;
  (void)n_args;
  if (status != CF_OK) return status;
  folds = (int32_t*)malloc((size_t)input->n_rows * sizeof(int32_t) + 1);
  if (input->n_classes > 0 && input->class_names[0][0] != 'k') letter = 1;
  for (i = 0; i < input->n_rows; ++i) folds[i] = (int32_t)((i + letter) % n_folds);
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

/* Rows of class 0 begin at fold 0, all others at fold 1. */
static cf_status CF_CALL SeesClassIndex(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_split_input* input, const cf_split_sink* sink) {
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  int64_t i;
  (void)n_args;
  if (status != CF_OK) return status;
  folds = (int32_t*)malloc((size_t)input->n_rows * sizeof(int32_t) + 1);
  for (i = 0; i < input->n_rows; ++i) {
    const int64_t first = input->labels != NULL && i >= n_folds ? input->labels[i] : 0;
    folds[i] = (int32_t)((i + (first < 0 ? 0 : first)) % n_folds);
  }
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

static cf_status CF_CALL KeepsState(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_split_input* input, const cf_split_sink* sink) {
  static int64_t calls = 0;
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  int64_t i;
  (void)n_args;
  if (status != CF_OK) return status;
  ++calls;
  folds = (int32_t*)malloc((size_t)input->n_rows * sizeof(int32_t) + 1);
  for (i = 0; i < input->n_rows; ++i) folds[i] = (int32_t)((i + (calls > 10)) % n_folds);
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

/* Row i is in fold i % n_folds, whatever is drawn. */
static cf_status CF_CALL DrawsForNothing(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_split_input* input, const cf_split_sink* sink) {
  const int64_t n_folds = args[0].value.u.i;
  cf_status status = WorkingSplitCheck(call, input, n_folds);
  int32_t* folds;
  uint64_t number;
  int64_t i;
  (void)n_args;
  if (status != CF_OK) return status;
  call->host->random_u64(call, &number, 1);
  folds = (int32_t*)malloc((size_t)input->n_rows * sizeof(int32_t) + 1);
  for (i = 0; i < input->n_rows; ++i) folds[i] = (int32_t)(i % n_folds);
  status = sink->emit_partition(sink, folds, input->n_rows, (int32_t)n_folds);
  free(folds);
  return status;
}

static cf_status CF_CALL WritesTarget(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_split_input* input, const cf_split_sink* sink) {
  /* Volatile, as compilers leave out what changes nothing. */
  volatile int32_t* labels = (volatile int32_t*)input->labels;
  if (input->n_rows > 0 && labels != NULL) labels[0] = labels[0];
  return WorkingSplit(call, args, n_args, input, sink);
}

static cf_status CF_CALL DiesOfWeights(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_split_input* input, const cf_split_sink* sink) {
  if (input->weights != NULL) abort();
  return WorkingSplit(call, args, n_args, input, sink);
}

static cf_status CF_CALL DiesOfMissingClass(const cf_call* call, const cf_arg* args, size_t n_args,
                                            const cf_split_input* input,
                                            const cf_split_sink* sink) {
  int64_t i;
  for (i = 0; i < input->n_rows && input->labels != NULL; ++i) {
    if (input->labels[i] < 0) abort();
  }
  return WorkingSplit(call, args, n_args, input, sink);
}

/* With fewer rows than folds every row is tested and none trained on. */
static cf_status CF_CALL SplitsOneRow(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_split_input* input, const cf_split_sink* sink) {
  const int32_t fold = 0;
  if (input->n_rows == 1 && input->groups == NULL) {
    return sink->emit_partition(sink, &fold, 1, 1);
  }
  return WorkingSplit(call, args, n_args, input, sink);
}

static cf_status CF_CALL SplitsNoRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_split_input* input, const cf_split_sink* sink) {
  if (input->n_rows == 0) return CF_OK;
  return WorkingSplit(call, args, n_args, input, sink);
}

static cf_status CF_CALL DiesOfLateTimes(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_split_input* input, const cf_split_sink* sink) {
  int64_t i;
  for (i = 0; i < input->n_rows && input->time != NULL; ++i) {
    if (input->time[i] > 1e12) abort();
  }
  return WorkingSplit(call, args, n_args, input, sink);
}

/* Declares CF_DET_ROW_ORDER, but draws folds for rows as they come. */
static cf_status CF_CALL ClaimsRowOrder(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_split_input* input, const cf_split_sink* sink) {
  return WorkingSplit(call, args, n_args, input, sink);
}

static const struct {
  const char* id;
  SplitFunction split;
} kDefects[] = {
    {"bad.trains_on_test_row", TrainsOnTestRow},
    {"bad.empty_fold", EmptyFold},
    {"bad.row_out_of_range", RowOutOfRange},
    {"bad.lowers_folds", LowersFolds},
    {"bad.tears_groups", TearsGroups},
    {"bad.goes_by_row_number", GoesByRowNumber},
    {"bad.forgets_to_stratify", ForgetsToStratify},
    {"bad.sees_class_names", SeesClassNames},
    {"bad.sees_class_index", SeesClassIndex},
    {"bad.keeps_state", KeepsState},
    {"bad.draws_in_vain", DrawsForNothing},
    {"bad.writes_target", WritesTarget},
    {"bad.dies_of_weights", DiesOfWeights},
    {"bad.dies_of_missing_class", DiesOfMissingClass},
    {"bad.splits_one_row", SplitsOneRow},
    {"bad.splits_no_rows", SplitsNoRows},
    {"bad.dies_of_late_times", DiesOfLateTimes},
    {"bad.claims_row_order", ClaimsRowOrder},
};
enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"bad.defective_splitters\",\"version\":\"1.0.0\","
    "\"learners\":[],\"transforms\":[],\"splitters\":["
    "\"bad.trains_on_test_row\",\"bad.empty_fold\",\"bad.row_out_of_range\",\"bad.lowers_folds\","
    "\"bad.tears_groups\",\"bad.goes_by_row_number\",\"bad.forgets_to_stratify\","
    "\"bad.sees_class_names\",\"bad.sees_class_index\",\"bad.keeps_state\","
    "\"bad.draws_in_vain\",\"bad.writes_target\",\"bad.dies_of_weights\","
    "\"bad.dies_of_missing_class\",\"bad.splits_one_row\",\"bad.splits_no_rows\","
    "\"bad.dies_of_late_times\",\"bad.claims_row_order\"],\"metrics\":[]}");

static void FillStratify(cf_splitter* splitter) {
  static cf_param stratify;
  static const cf_param* params[2];
  stratify.struct_size = sizeof(cf_param);
  stratify.name = "stratify";
  stratify.doc = "Deal the rows of each class.";
  stratify.type = stratify.def.type = CF_P_BOOL;
  params[0] = splitter->info.params[0];
  params[1] = &stratify;
  splitter->info.params = params;
  splitter->info.n_params = 2;
}

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_splitter splitters[kDefectCount];
  static const cf_splitter* list[kDefectCount];
  static cf_plugin plugin;
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillSplitter(&splitters[i], kDefects[i].id);
    splitters[i].split = kDefects[i].split;
    if (kDefects[i].split == ForgetsToStratify) FillStratify(&splitters[i]);
    if (kDefects[i].split == GoesByRowNumber) {
      splitters[i].uses = CF_SPLIT_USES_TIME;
      splitters[i].info.params = NULL;
      splitters[i].info.n_params = 0;
    }
    if (kDefects[i].split == ClaimsRowOrder) splitters[i].info.determinism |= CF_DET_ROW_ORDER;
    list[i] = &splitters[i];
  }
  FillSplitterPlugin(&plugin, "bad.defective_splitters", list, kDefectCount);
  return &plugin;
}
