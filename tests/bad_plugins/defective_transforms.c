/* Transforms with one defect each, named after it. */
#include "working_transform.h"

#include <string.h>

typedef cf_status(CF_CALL* FitFunction)(const cf_call*, const cf_arg*, size_t, const cf_table*,
                                        cf_model**);
typedef cf_status(CF_CALL* ApplyFunction)(const cf_call*, const cf_model*, const cf_table*,
                                          const cf_column_sink*);

static double* MeansOf(const cf_model* model) {
  return ((const WorkingMeans*)(const void*)model)->means;
}

/* ---- what fit learns ------------------------------------------------------------------------ */

/* From every row of the buffers. */
static cf_status CF_CALL FitAllRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, cf_model** out) {
  cf_table all = *train;
  if (train->rows != NULL && train->n_rows > 0) {
    all.rows = NULL;
    all.n_rows = train->n_rows_total;
    all.weights = NULL;
  }
  return WorkingTransformFit(call, args, n_args, &all, out);
}

static cf_status CF_CALL FitWithoutWeights(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_table* train, cf_model** out) {
  cf_table unweighted = *train;
  unweighted.weights = NULL;
  return WorkingTransformFit(call, args, n_args, &unweighted, out);
}

static cf_status CF_CALL FitWithoutBitmap(const cf_call* call, const cf_arg* args, size_t n_args,
                                          const cf_table* train, cf_model** out) {
  cf_column columns[64];
  cf_table unmasked = *train;
  int64_t j;
  for (j = 0; j < train->n_features && j < 64; ++j) {
    columns[j] = train->features[j];
    columns[j].validity = NULL;
  }
  unmasked.features = columns;
  return WorkingTransformFit(call, args, n_args, &unmasked, out);
}

/* What is learned grows with every fit. */
static cf_status CF_CALL FitCounting(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_table* train, cf_model** out) {
  static int fits = 0;
  const cf_status status = WorkingTransformFit(call, args, n_args, train, out);
  int64_t j;
  if (status == CF_OK) ++fits;
  for (j = 0; status == CF_OK && j < train->n_features; ++j) MeansOf(*out)[j] += fits;
  return status;
}

/* Declares CF_DET_UNSEEDED. */
static cf_status CF_CALL FitSeeded(const cf_call* call, const cf_arg* args, size_t n_args,
                                   const cf_table* train, cf_model** out) {
  const cf_status status = WorkingTransformFit(call, args, n_args, train, out);
  int64_t j;
  for (j = 0; status == CF_OK && j < train->n_features; ++j) {
    MeansOf(*out)[j] += (double)(call->seed % 100);
  }
  return status;
}

/* The means of all models lie in one place. */
static double last_means[64];
static cf_status CF_CALL FitStatic(const cf_call* call, const cf_arg* args, size_t n_args,
                                   const cf_table* train, cf_model** out) {
  const cf_status status = WorkingTransformFit(call, args, n_args, train, out);
  int64_t j;
  for (j = 0; status == CF_OK && j < train->n_features && j < 64; ++j) {
    last_means[j] = MeansOf(*out)[j];
  }
  return status;
}
static cf_status CF_CALL ApplyStatic(const cf_call* call, const cf_model* model,
                                     const cf_table* rows, const cf_column_sink* out) {
  WorkingMeans shared = {rows->n_features, last_means};
  if (rows->n_features != ((const WorkingMeans*)(const void*)model)->n_features) {
    return WorkingTransformApply(call, model, rows, out);
  }
  return WorkingTransformApply(call, (const cf_model*)(void*)&shared, rows, out);
}

/* Declares CF_DET_ROW_ORDER, and looks at which of the last two rows has the larger number. */
static cf_status CF_CALL FitLastRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_table* train, cf_model** out) {
  const cf_status status = WorkingTransformFit(call, args, n_args, train, out);
  int64_t j;
  for (j = 0; status == CF_OK && train->n_rows > 40 && j < train->n_features; ++j) {
    const double last = WorkingNumber(train, &train->features[j], train->n_rows - 1);
    if (last > WorkingNumber(train, &train->features[j], train->n_rows - 2)) MeansOf(*out)[j] += 1;
  }
  return status;
}

static cf_status CF_CALL FitWriting(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, cf_model** out) {
  if (train->n_rows > 0 && train->features[0].dtype == CF_F64) {
    ((double*)train->features[0].data)[0] += 1;
  }
  return WorkingTransformFit(call, args, n_args, train, out);
}

static cf_status CF_CALL FitTwoRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, cf_model** out) {
  if (train->n_rows == 1) abort();
  return WorkingTransformFit(call, args, n_args, train, out);
}

static cf_status CF_CALL FitTwoClasses(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_table* train, cf_model** out) {
  int64_t i = 0;
  if (train->n_rows > 5 && train->n_rows < 40 && train->target->dtype == CF_CAT32) {
    const double first = WorkingNumber(train, train->target, 0);
    while (i < train->n_rows && WorkingNumber(train, train->target, i) == first) ++i;
    if (i == train->n_rows) abort();
  }
  return WorkingTransformFit(call, args, n_args, train, out);
}

/* ---- what apply makes ----------------------------------------------------------------------- */

static cf_status CF_CALL ApplyDividing(const cf_call* call, const cf_model* model,
                                       const cf_table* rows, const cf_column_sink* out) {
  cf_status status = WorkingTransformApply(call, model, rows, out);
  double* made;
  int64_t i;
  if (status != CF_OK) return status;
  made = (double*)out->add_column(out, "infinite", CF_F64, NULL, 0, 0, NULL);
  for (i = 0; i < rows->n_rows; ++i) made[i] = INFINITY;
  return status;
}

/* A column that varies not at all is left out. */
static cf_status CF_CALL ApplyVarying(const cf_call* call, const cf_model* model,
                                      const cf_table* rows, const cf_column_sink* out) {
  int64_t i = 0, j;
  if (rows->n_features != ((const WorkingMeans*)(const void*)model)->n_features) {
    return WorkingTransformApply(call, model, rows, out);
  }
  for (j = 0; j < rows->n_features; ++j) {
    const double first = rows->n_rows == 0 ? 0 : WorkingNumber(rows, &rows->features[j], 0);
    for (i = 0; i < rows->n_rows && WorkingNumber(rows, &rows->features[j], i) == first;) ++i;
    if (i == rows->n_rows) continue;
    if (WorkingEmit(call, rows, j, MeansOf(model)[j], out) != CF_OK) return CF_E_OUT_OF_MEMORY;
  }
  return CF_OK;
}

/* Every apply moves the means of the model. */
static cf_status CF_CALL ApplyLearning(const cf_call* call, const cf_model* model,
                                       const cf_table* rows, const cf_column_sink* out) {
  const cf_status status = WorkingTransformApply(call, model, rows, out);
  int64_t j;
  for (j = 0; status == CF_OK && rows->n_rows > 59 && j < rows->n_features; ++j) {
    MeansOf(model)[j] += 1;
  }
  return status;
}

/* The mean of the rows at hand. */
static cf_status CF_CALL ApplyBatch(const cf_call* call, const cf_model* model,
                                    const cf_table* rows, const cf_column_sink* out) {
  int64_t j;
  if (rows->n_features != ((const WorkingMeans*)(const void*)model)->n_features) {
    return WorkingTransformApply(call, model, rows, out);
  }
  for (j = 0; j < rows->n_features; ++j) {
    const cf_column* column = &rows->features[j];
    const double mean = column->dtype == CF_CAT32 ? 0 : WorkingMean(rows, column);
    if (WorkingEmit(call, rows, j, mean, out) != CF_OK) return CF_E_OUT_OF_MEMORY;
  }
  return CF_OK;
}

/* So many columns as there were in fit, whatever there are. */
static cf_status CF_CALL ApplyBlindly(const cf_call* call, const cf_model* model,
                                      const cf_table* rows, const cf_column_sink* out) {
  cf_table blind = *rows;
  blind.n_features = ((const WorkingMeans*)(const void*)model)->n_features;
  return WorkingTransformApply(call, model, &blind, out);
}

static cf_status CF_CALL ApplyToDoubles(const cf_call* call, const cf_model* model,
                                        const cf_table* rows, const cf_column_sink* out) {
  cf_column columns[64];
  cf_table doubles = *rows;
  int64_t j;
  for (j = 0; j < rows->n_features && j < 64; ++j) {
    columns[j] = rows->features[j];
    if (columns[j].dtype == CF_I64) columns[j].dtype = CF_F64;
  }
  doubles.features = columns;
  return WorkingTransformApply(call, model, &doubles, out);
}

static cf_status CF_CALL ApplyToSeen(const cf_call* call, const cf_model* model,
                                     const cf_table* rows, const cf_column_sink* out) {
  int64_t i, j;
  for (j = 0; j < rows->n_features; ++j) {
    for (i = 0; i < rows->n_rows && rows->features[j].dtype == CF_CAT32; ++i) {
      if (rows->n_rows > 1 && WorkingNumber(rows, &rows->features[j], i) == 3) {
        return CF_E_INTERNAL;
      }
    }
  }
  return WorkingTransformApply(call, model, rows, out);
}

static cf_status CF_CALL ApplyToSomeRows(const cf_call* call, const cf_model* model,
                                         const cf_table* rows, const cf_column_sink* out) {
  if (rows->n_rows == 0) {
    call->host->fail(call, CF_E_UNSUPPORTED_DATA, "there are no rows");
    return CF_E_UNSUPPORTED_DATA;
  }
  return WorkingTransformApply(call, model, rows, out);
}

static cf_status CF_CALL ApplySquaring(const cf_call* call, const cf_model* model,
                                       const cf_table* rows, const cf_column_sink* out) {
  cf_status status = WorkingTransformApply(call, model, rows, out);
  double* made;
  int64_t i;
  if (status != CF_OK) return status;
  made = (double*)out->add_column(out, "square", CF_F64, NULL, 0, 0, NULL);
  for (i = 0; i < rows->n_rows; ++i) {
    const double x = WorkingNumber(rows, &rows->features[0], i);
    made[i] = x * x;
  }
  return status;
}

/* ---- crossfold.resample/1, crossfold.synthesize/1 ------------------------------------------- */

/* Row ids, not positions. */
static cf_status CF_CALL EmitIds(const cf_call* call, const cf_arg* args, size_t n_args,
                                 const cf_table* train, const cf_row_sink* sink) {
  const int64_t last = train->rows == NULL ? train->n_rows - 1 : train->rows[0];
  (void)call, (void)args, (void)n_args;
  return sink->emit_rows(sink, &last, 1, NULL);
}

static cf_status CF_CALL EmitFirst(const cf_call* call, const cf_arg* args, size_t n_args,
                                   const cf_table* train, const cf_row_sink* sink) {
  const int64_t first[] = {0, 0};
  (void)call, (void)args, (void)n_args, (void)train;
  return sink->emit_rows(sink, first, 2, NULL);
}

/* One column less. */
static cf_status CF_CALL Synthesize(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, const int64_t* positions, int64_t n,
                                    const cf_column_sink* out) {
  int64_t j;
  (void)call, (void)args, (void)n_args, (void)positions, (void)n;
  for (j = 1; j < train->n_features; ++j) out->pass_column(out, j);
  return CF_OK;
}

static const void* CF_CALL RowIdsCapability(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_resample table = {sizeof(cf_cap_resample), 0, EmitIds};
  return strcmp(id, CF_CAP_RESAMPLE) == 0 ? &table : NULL;
}

static const void* CF_CALL FewerColumnsCapability(const cf_info* self, const char* id) {
  (void)self;
  static const cf_cap_resample resample = {sizeof(cf_cap_resample), 0, EmitFirst};
  static const cf_cap_synthesize synthesize = {sizeof(cf_cap_synthesize), 0, Synthesize};
  if (strcmp(id, CF_CAP_RESAMPLE) == 0) return &resample;
  return strcmp(id, CF_CAP_SYNTHESIZE) == 0 ? &synthesize : NULL;
}

/* ---- all of them ---------------------------------------------------------------------------- */

typedef const void*(CF_CALL* CapabilityFunction)(const cf_info*, const char*);

static const struct {
  const char* id;
  FitFunction fit;               /* NULL = the one that works */
  ApplyFunction apply;           /* the same */
  CapabilityFunction capability; /* NULL = none */
} kDefects[] = {
    {"bad.fits_all_rows", FitAllRows, NULL, NULL},
    {"bad.fits_without_weights", FitWithoutWeights, NULL, NULL},
    {"bad.fits_without_bitmap", FitWithoutBitmap, NULL, NULL},
    {"bad.counts_fits", FitCounting, NULL, NULL},
    {"bad.hides_its_seed", FitSeeded, NULL, NULL},
    {"bad.shares_means", FitStatic, ApplyStatic, NULL},
    {"bad.fits_last_rows", FitLastRows, NULL, NULL},
    {"bad.fit_writes", FitWriting, NULL, NULL},
    {"bad.dies_of_one_row", FitTwoRows, NULL, NULL},
    {"bad.dies_of_one_class", FitTwoClasses, NULL, NULL},
    {"bad.fails_without_rows", NULL, ApplyToSomeRows, NULL},
    {"bad.makes_infinity", NULL, ApplyDividing, NULL},
    {"bad.leaves_out_constants", NULL, ApplyVarying, NULL},
    {"bad.apply_learns", NULL, ApplyLearning, NULL},
    {"bad.means_of_batch", NULL, ApplyBatch, NULL},
    {"bad.ignores_columns", NULL, ApplyBlindly, NULL},
    {"bad.reads_longs_as_doubles", NULL, ApplyToDoubles, NULL},
    {"bad.silent_about_levels", NULL, ApplyToSeen, NULL},
    {"bad.squares", NULL, ApplySquaring, NULL},
    {"bad.emits_row_ids", NULL, NULL, RowIdsCapability},
    {"bad.makes_fewer_columns", NULL, NULL, FewerColumnsCapability},
};
enum { kDefectCount = sizeof(kDefects) / sizeof(kDefects[0]) };

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"bad.defective_transforms\",\"version\":\"1.0.0\","
    "\"learners\":[],\"transforms\":["
    "\"bad.fits_all_rows\",\"bad.fits_without_weights\",\"bad.fits_without_bitmap\","
    "\"bad.counts_fits\",\"bad.hides_its_seed\",\"bad.shares_means\",\"bad.fits_last_rows\","
    "\"bad.fit_writes\",\"bad.dies_of_one_row\",\"bad.dies_of_one_class\","
    "\"bad.fails_without_rows\",\"bad.makes_infinity\",\"bad.leaves_out_constants\","
    "\"bad.apply_learns\",\"bad.means_of_batch\",\"bad.ignores_columns\","
    "\"bad.reads_longs_as_doubles\",\"bad.silent_about_levels\",\"bad.squares\","
    "\"bad.emits_row_ids\",\"bad.makes_fewer_columns\"],\"splitters\":[],\"metrics\":[]}");

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_transform transforms[kDefectCount];
  static const cf_transform* list[kDefectCount];
  static cf_plugin plugin;
  size_t i;
  (void)host_abi_minor, (void)host;
  for (i = 0; i < kDefectCount; ++i) {
    FillTransform(&transforms[i], kDefects[i].id);
    if (kDefects[i].fit != NULL) transforms[i].fit = kDefects[i].fit;
    if (kDefects[i].apply != NULL) transforms[i].apply = kDefects[i].apply;
    transforms[i].get_capability = kDefects[i].capability;
    if (kDefects[i].fit == FitLastRows) transforms[i].info.determinism |= CF_DET_ROW_ORDER;
    list[i] = &transforms[i];
  }
  FillTransformPlugin(&plugin, "bad.defective_transforms", list, kDefectCount);
  return &plugin;
}
