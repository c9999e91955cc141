/* Transforms with one defect each. */
#include <string.h>

#include "working_transform.h"

/* What is wrong with a transform. Functions that are NULL change nothing. */
typedef struct Defect {
  const char* id;
  const char* what;
  /* What fit takes for its rows. */
  void (*retrain)(cf_table* train);
  /* What fit and apply take for a column. */
  void (*misread)(cf_column* column);
  /* What becomes of what fit learned. */
  void (*relearn)(const cf_call* call, const cf_table* train, WorkingMeans* learned);
  /* After apply has made its columns. */
  cf_status (*after)(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                     const cf_column_sink* out);
  void (*change)(cf_transform* transform);
} Defect;

enum { kMostColumns = 100 };

static WorkingMeans* LearnedBy(const cf_model* model) { return (WorkingMeans*)(uintptr_t)model; }

/* The table with its columns as they are misread, which are written to `columns`. */
static cf_table Misread(const Defect* defect, const cf_table* table, cf_column* columns) {
  cf_table changed = *table;
  int64_t j;
  if (defect->misread == NULL || table->n_features > kMostColumns) return changed;
  for (j = 0; j < table->n_features; ++j) {
    columns[j] = table->features[j];
    defect->misread(&columns[j]);
  }
  changed.features = columns;
  return changed;
}

static cf_status CF_CALL BrokenTransformFit(const cf_call* call, const cf_arg* args, size_t n_args,
                                            const cf_table* train, cf_model** out) {
  const Defect* defect = (const Defect*)call->self->data;
  cf_column columns[kMostColumns];
  cf_table changed = Misread(defect, train, columns);
  cf_status status;
  if (defect->retrain != NULL) defect->retrain(&changed);
  status = WorkingTransformFit(call, args, n_args, &changed, out);
  if (status == CF_OK && defect->relearn != NULL) defect->relearn(call, train, LearnedBy(*out));
  return status;
}

static cf_status CF_CALL BrokenApply(const cf_call* call, const cf_model* model,
                                     const cf_table* rows, const cf_column_sink* out) {
  const Defect* defect = (const Defect*)call->self->data;
  cf_column columns[kMostColumns];
  const cf_table changed = Misread(defect, rows, columns);
  const cf_status status = WorkingTransformApply(call, model, &changed, out);
  if (status != CF_OK || defect->after == NULL) return status;
  return defect->after(call, LearnedBy(model), rows, out);
}

/* ---- what fit learns ------------------------------------------------------------------------- */

static void TakeAllRows(cf_table* train) {
  if (train->rows == NULL || train->n_rows == 0) return;
  train->rows = NULL;
  train->n_rows = train->n_rows_total;
  train->weights = NULL;
}
static void ForgetWeights(cf_table* train) { train->weights = NULL; }
static void ForgetBitmap(cf_column* column) { column->validity = NULL; }
static void TakeLongsForDoubles(cf_column* column) {
  if (column->dtype == CF_I64) column->dtype = CF_F64;
}

static void AddFits(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  static int fits = 0;
  int64_t j;
  (void)call;
  ++fits;
  for (j = 0; j < train->n_features; ++j) learned->means[j] += fits;
}
static void AddSeed(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  int64_t j;
  for (j = 0; j < train->n_features; ++j) learned->means[j] += (double)(call->seed % 100);
}
/* Looks at which of the last two rows has the larger number. */
static void LookAtLastRows(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  int64_t j;
  (void)call;
  for (j = 0; train->n_rows > 40 && j < train->n_features; ++j) {
    const double last = WorkingNumber(train, &train->features[j], train->n_rows - 1);
    if (last > WorkingNumber(train, &train->features[j], train->n_rows - 2)) learned->means[j] += 1;
  }
}
static void WriteColumn(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  volatile double* entries = (volatile double*)(uintptr_t)train->features[0].data;
  (void)call, (void)learned;
  if (train->features[0].dtype == CF_F64) entries[0] = entries[0];
}
static void AbortOnOneRow(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  (void)call, (void)learned;
  if (train->n_rows == 1) abort();
}
static void AbortOnOneClass(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  int64_t i = 0;
  (void)call, (void)learned;
  if (train->n_rows <= 5 || train->n_rows >= 40 || train->target->dtype != CF_CAT32) return;
  while (i < train->n_rows &&
         WorkingNumber(train, train->target, i) == WorkingNumber(train, train->target, 0)) {
    ++i;
  }
  if (i == train->n_rows) abort();
}

static double last_means[kMostColumns];
static void KeepMeans(const cf_call* call, const cf_table* train, WorkingMeans* learned) {
  int64_t j;
  (void)call;
  for (j = 0; j < train->n_features && j < kMostColumns; ++j) last_means[j] = learned->means[j];
}
static cf_status CF_CALL ApplyLast(const cf_call* call, const cf_model* model, const cf_table* rows,
                                   const cf_column_sink* out) {
  const WorkingMeans last = {LearnedBy(model)->n_features, last_means};
  return WorkingTransformApply(call, (const cf_model*)(const void*)&last, rows, out);
}
static void DeclareNoThreads(cf_transform* transform) { transform->info.threading = CF_MT_NONE; }
static void UseLastFit(cf_transform* transform) {
  DeclareNoThreads(transform);
  transform->apply = ApplyLast;
}
static void DeclareRowOrder(cf_transform* transform) {
  transform->info.determinism |= CF_DET_ROW_ORDER;
}

/* ---- what apply makes ------------------------------------------------------------------------ */

/* Every number of a column is `value`, or the square of that of column 0. */
static cf_status AddColumn(const cf_call* call, const char* name, const double* value,
                           const cf_table* rows, const cf_column_sink* out) {
  double* made = (double*)out->add_column(out, name, CF_F64, NULL, 0, 0, NULL);
  int64_t i;
  if (made == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for a column");
  for (i = 0; i < rows->n_rows; ++i) {
    const double x = value == NULL ? WorkingNumber(rows, &rows->features[0], i) : 1;
    made[i] = value == NULL ? x * x : *value;
  }
  return CF_OK;
}
static cf_status AddInfinity(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                             const cf_column_sink* out) {
  const double infinity = INFINITY;
  (void)learned;
  return AddColumn(call, "infinite", &infinity, rows, out);
}
static cf_status AddSquare(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                           const cf_column_sink* out) {
  (void)learned;
  return AddColumn(call, "square", NULL, rows, out);
}
/* Huge rows move the means. */
static cf_status LearnOn(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                         const cf_column_sink* out) {
  int64_t j;
  (void)call, (void)out;
  for (j = 0; j < rows->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    if (column->dtype == CF_CAT32 || rows->n_rows == 0) continue;
    if (fabs(WorkingMean(rows, column)) > 10) learned->means[j] = WorkingMean(rows, column);
  }
  return CF_OK;
}
static cf_status WriteInput(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                            const cf_column_sink* out) {
  int64_t i, j;
  (void)call, (void)learned, (void)out;
  for (j = 0; j < rows->n_features; ++j) {
    volatile double* entries = (volatile double*)(uintptr_t)rows->features[j].data;
    for (i = 0; i < rows->n_rows && rows->features[j].dtype == CF_F64; ++i) {
      const int64_t row = rows->rows == NULL ? i : rows->rows[i];
      entries[row] = entries[row];
    }
  }
  return CF_OK;
}
static cf_status FailOnLevelThree(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                                  const cf_column_sink* out) {
  int64_t i, j;
  (void)call, (void)learned, (void)out;
  for (j = 0; j < rows->n_features; ++j) {
    for (i = 0; i < rows->n_rows && rows->features[j].dtype == CF_CAT32; ++i) {
      if (rows->n_rows > 1 && WorkingNumber(rows, &rows->features[j], i) == 3) return CF_E_INTERNAL;
    }
  }
  return CF_OK;
}
static cf_status NeedRows(const cf_call* call, WorkingMeans* learned, const cf_table* rows,
                          const cf_column_sink* out) {
  (void)learned, (void)out;
  if (rows->n_rows > 0) return CF_OK;
  return FailBecause(call, CF_E_UNSUPPORTED_DATA, "there are no rows");
}

static cf_status CF_CALL ApplyBatch(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, const cf_column_sink* out) {
  cf_model* learned = NULL;
  cf_status status;
  if (rows->n_rows == 0) return WorkingTransformApply(call, model, rows, out);
  status = WorkingTransformFit(call, NULL, 0, rows, &learned);
  if (status != CF_OK) return status;
  status = WorkingTransformApply(call, learned, rows, out);
  WorkingTransformDestroy(call->self, learned);
  return status;
}
static void LearnInApply(cf_transform* transform) { transform->apply = ApplyBatch; }

static cf_status CF_CALL ApplyVarying(const cf_call* call, const cf_model* model,
                                      const cf_table* rows, const cf_column_sink* out) {
  int64_t j, i;
  for (j = 0; j < rows->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    int is_constant = rows->n_rows > 0;
    cf_status status;
    for (i = 1; i < rows->n_rows && is_constant; ++i) {
      is_constant = WorkingNumber(rows, column, i) == WorkingNumber(rows, column, 0);
    }
    if (is_constant) continue;
    status = WorkingEmit(call, rows, j, LearnedBy(model)->means[j], out);
    if (status != CF_OK) return status;
  }
  return CF_OK;
}
static void DropConstants(cf_transform* transform) { transform->apply = ApplyVarying; }

static cf_status CF_CALL ApplyToKnown(const cf_call* call, const cf_model* model,
                                      const cf_table* rows, const cf_column_sink* out) {
  cf_table known = *rows;
  if (known.n_features > LearnedBy(model)->n_features) {
    known.n_features = LearnedBy(model)->n_features;
  }
  return WorkingTransformApply(call, model, &known, out);
}
static void IgnoreFeatureCount(cf_transform* transform) { transform->apply = ApplyToKnown; }

/* ---- crossfold.resample/1, crossfold.synthesize/1 -------------------------------------------- */

/* Emits every row: its position, or its id. */
static cf_status EmitRows(const cf_call* call, const cf_table* train, const int64_t* ids,
                          const cf_row_sink* out) {
  int64_t* rows = (int64_t*)malloc(((size_t)train->n_rows + 1) * sizeof(int64_t));
  int64_t i;
  cf_status status;
  if (rows == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "no memory for the rows");
  for (i = 0; i < train->n_rows; ++i) rows[i] = ids == NULL ? i : ids[i];
  status = out->emit_rows(out, rows, train->n_rows, NULL);
  free(rows);
  return status;
}
static cf_status CF_CALL EmitIds(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_table* train, const cf_row_sink* out) {
  (void)args, (void)n_args;
  return EmitRows(call, train, train->rows, out);
}
static cf_status CF_CALL EmitPositions(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_table* train, const cf_row_sink* out) {
  (void)args, (void)n_args;
  return EmitRows(call, train, NULL, out);
}
static cf_status CF_CALL SynthesizeLess(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_table* train, const int64_t* positions, int64_t n,
                                        const cf_column_sink* out) {
  cf_status status = CF_OK;
  int64_t j;
  (void)call, (void)args, (void)n_args, (void)positions, (void)n;
  for (j = 0; status == CF_OK && j + 1 < train->n_features; ++j) status = out->pass_column(out, j);
  return status;
}
static const void* CF_CALL IdsCapability(const cf_info* self, const char* id) {
  static const cf_cap_resample resample = {sizeof(cf_cap_resample), 0, EmitIds};
  (void)self;
  return strcmp(id, CF_CAP_RESAMPLE) == 0 ? &resample : NULL;
}
static const void* CF_CALL LessCapability(const cf_info* self, const char* id) {
  static const cf_cap_resample resample = {sizeof(cf_cap_resample), 0, EmitPositions};
  static const cf_cap_synthesize synthesize = {sizeof(cf_cap_synthesize), 0, SynthesizeLess};
  (void)self;
  if (strcmp(id, CF_CAP_RESAMPLE) == 0) return &resample;
  return strcmp(id, CF_CAP_SYNTHESIZE) == 0 ? &synthesize : NULL;
}
static void OfferIds(cf_transform* transform) { transform->get_capability = IdsCapability; }
static void OfferLess(cf_transform* transform) { transform->get_capability = LessCapability; }

static const Defect kDefects[] = {
    {"bad.transform_makes_infinity", "A column is infinite.", .after = AddInfinity},
    {"bad.transform_drops_constants",
     "Columns that are constant in the rows of the call are left out.", .change = DropConstants},
    {"bad.transform_fits_all_rows", "Fit learns from every row of the buffers.",
     .retrain = TakeAllRows},
    {"bad.transform_learns_on",
     "Apply goes on learning: huge rows move the means that it takes away.", .after = LearnOn,
     .change = DeclareNoThreads},
    {"bad.transform_learns_in_apply",
     "Apply takes the mean of the rows that it gets, not that of the training rows.",
     .change = LearnInApply},
    {"bad.transform_ignores_feature_count",
     "Apply ignores columns that were not there in training.", .change = IgnoreFeatureCount},
    {"bad.transform_writes_input", "Apply centers the numbers where they are.",
     .after = WriteInput},
    {"bad.transform_static_state", "Apply uses what the last fit left in a static variable.",
     .relearn = KeepMeans, .change = UseLastFit},
    {"bad.transform_counts_fits", "What is learned grows with every fit.", .relearn = AddFits,
     .change = DeclareNoThreads},
    {"bad.transform_hides_its_seed",
     "What is learned follows from the seed, though CF_DET_UNSEEDED is declared.",
     .relearn = AddSeed},
    {"bad.transform_fits_last_rows",
     "The last two rows count for more, although CF_DET_ROW_ORDER is declared.",
     .relearn = LookAtLastRows, .change = DeclareRowOrder},
    {"bad.transform_fit_writes", "Fit writes into the columns that it was lent.",
     .relearn = WriteColumn},
    {"bad.transform_ignores_weights", "Fit ignores the weights that it says it accepts.",
     .retrain = ForgetWeights},
    {"bad.transform_ignores_validity", "The bitmap of missing entries is not read.",
     .misread = ForgetBitmap},
    {"bad.transform_misreads_longs", "Columns of 64-bit integers are read as doubles.",
     .misread = TakeLongsForDoubles},
    {"bad.transform_dies_of_one_row", "One training row ends the process.",
     .relearn = AbortOnOneRow},
    {"bad.transform_dies_of_one_class", "Training rows of one class end the process.",
     .relearn = AbortOnOneClass},
    {"bad.transform_needs_rows", "Apply fails on no rows.", .after = NeedRows},
    {"bad.transform_silent_about_levels",
     "Apply fails on a level that no training row has, and does not say why.",
     .after = FailOnLevelThree},
    {"bad.transform_squares", "A huge number becomes infinite.", .after = AddSquare},
    {"bad.resample_emits_row_ids",
     "The rows that are chosen are emitted by their ids, not by their positions in the view.",
     .change = OfferIds},
    {"bad.synthesize_drops_a_column", "New rows lack the last column.", .change = OfferLess},
};

#include "transforms.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };
  static cf_transform transforms[kDefectCount];
  static const cf_transform* list[kDefectCount];
  cf_plugin* plugin = EmptyPlugin("bad.transforms");
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillTransform(&transforms[i], kDefects[i].id);
    transforms[i].info.doc = kDefects[i].what;
    transforms[i].info.data = (void*)(uintptr_t)&kDefects[i];
    transforms[i].fit = BrokenTransformFit;
    transforms[i].apply = BrokenApply;
    if (kDefects[i].change != NULL) kDefects[i].change(&transforms[i]);
    list[i] = &transforms[i];
  }
  plugin->n_transforms = kDefectCount;
  plugin->transforms = list;
  return plugin;
}
