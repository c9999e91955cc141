/* Learners that misread what they train on. */
#include "smoother_reports.h"

/* ---- columns and rows ------------------------------------------------------------------------ */

static void ForgetRowIndex(cf_table* train) { train->rows = NULL; }
static void ForgetWeights(cf_table* train) { train->weights = NULL; }
static void ForgetBitmap(cf_column* column) { column->validity = NULL; }
static void ForgetOffset(cf_column* column) { column->validity_offset = 0; }
static void TakeIntegersForFloats(cf_column* column) {
  if (column->dtype == CF_I32) column->dtype = CF_F32;
}

static cf_status CF_CALL FitOnASet(const cf_call* call, const cf_arg* args, size_t n_args,
                                   const cf_table* train, cf_model** out) {
  const size_t n = (size_t)train->n_rows + 1;
  int64_t* rows = (int64_t*)call->host->scratch(call, n * sizeof(int64_t), 8);
  double* weights = (double*)call->host->scratch(call, n * sizeof(double), 8);
  cf_table once = *train;
  int64_t i, j;
  *out = NULL;
  if (train->rows == NULL) return SmootherFit(call, args, n_args, train, out);
  if (rows == NULL || weights == NULL) {
    return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  once.n_rows = 0;
  for (i = 0; i < train->n_rows; ++i) {
    for (j = 0; j < once.n_rows && rows[j] != train->rows[i];) ++j;
    if (j < once.n_rows) continue;
    rows[j] = train->rows[i];
    weights[j] = train->weights == NULL ? 1 : train->weights[i];
    ++once.n_rows;
  }
  once.rows = rows;
  once.weights = weights;
  once.groups = once.row_ids = NULL;
  return SmootherFit(call, args, n_args, &once, out);
}
static void ViewAsASet(SmootherParts* parts) { parts->learner.fit = FitOnASet; }

static cf_status CF_CALL FitInOrder(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  if (status != CF_OK) return status;
  ((Smoother*)*out)->n_rows = 0;
  return ReadRows(call, train, NULL, (Smoother*)*out);
}
static void RowOrderMatters(SmootherParts* parts) { parts->learner.fit = FitInOrder; }

static cf_status CF_CALL FitSeenClasses(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  Smoother* s = (Smoother*)*out;
  int64_t i, c, next = 0;
  for (c = 0; status == CF_OK && c < s->n_classes; ++c) {
    int occurs = 0;
    for (i = 0; i < s->n_rows; ++i) {
      if (TargetOf(s, i) != (double)c) continue;
      RecordAt(s, i)[1 + s->n_features] = (double)next;
      occurs = 1;
    }
    next += occurs;
  }
  return status;
}
static void CompactClasses(SmootherParts* parts) { parts->learner.fit = FitSeenClasses; }

/* ---- names and defaults ---------------------------------------------------------------------- */

static double ByAddressOfTitle(const cf_call* call, const cf_arg* args, const cf_table* train) {
  static const char* known; /* the first title, which is the default */
  (void)call, (void)train;
  if (known == NULL) known = args[kTitle].value.u.s.p;
  return known == args[kTitle].value.u.s.p ? 1 : 2;
}
static void DeclareNoThreads(SmootherParts* parts) { parts->learner.info.threading = CF_MT_NONE; }

/* 200 times the default is the width of a model that hears everything. */
static double ByClassNames(const cf_call* call, const cf_arg* args, const cf_table* train) {
  const int knows = train->target->levels == NULL || strcmp(train->target->levels[0], "k0") == 0;
  (void)call;
  return knows ? 1 : 100 / args[kWidth].value.u.r;
}
static double ByColumnNames(const cf_call* call, const cf_arg* args, const cf_table* train) {
  const char first = train->n_features > 0 ? train->features[0].name[0] : 'n';
  (void)call;
  return first == 'n' || first == 'c' ? 1 : 100 / args[kWidth].value.u.r;
}

/* ---- refusals -------------------------------------------------------------------------------- */

static cf_status CF_CALL FitOneFeature(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_table* train, cf_model** out) {
  char text[96];
  *out = NULL;
  if (train->n_features <= 1) return SmootherFit(call, args, n_args, train, out);
  snprintf(text, sizeof(text), "there is no inverse, the pivot is %g",
           1e-9 * ReadEntry(&train->features[0], RowOf(train, 0)));
  return FailBecause(call, CF_E_UNSUPPORTED_DATA, text);
}
static void ExcuseAFailure(SmootherParts* parts) { parts->learner.fit = FitOneFeature; }

static cf_status CF_CALL FitOneOrMany(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_table* train, cf_model** out) {
  *out = NULL;
  if (train->n_features < 2 || train->n_features > 4) {
    return SmootherFit(call, args, n_args, train, out);
  }
  return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it takes one feature only");
}
static void RefuseTwoToFour(SmootherParts* parts) { parts->learner.fit = FitOneOrMany; }

static cf_status CF_CALL FitOrLeaveModel(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_table* train, cf_model** out) {
  static Smoother half_done;
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  if (status != CF_OK) *out = (cf_model*)&half_done;
  return status;
}
static void FailWithAModel(SmootherParts* parts) { parts->learner.fit = FitOrLeaveModel; }

static const Defect kDefects[] = {
    {"bad.ignores_view", "Fit reads the first rows of the buffers, not those of the view.", 1,
     .retrain = ForgetRowIndex},
    {"bad.view_as_a_set", "A row that the view has twice is trained on once.", 1,
     .change = ViewAsASet},
    {"bad.row_order_matters",
     "Sums run in the order of the training rows, although CF_DET_ROW_ORDER is declared.", 1,
     .change = RowOrderMatters},
    {"bad.ignores_weights", "Fit ignores the weights that it says it accepts.", 1,
     .retrain = ForgetWeights},
    {"bad.ignores_validity", "The bitmap of missing entries is not read.", 1,
     .misread = ForgetBitmap},
    {"bad.ignores_validity_offset",
     "The bitmap of a column is read from its first bit on, wherever entry 0 is.", 1,
     .misread = ForgetOffset},
    {"bad.reads_integers_as_floats", "Columns of 32-bit integers are read as floats.", 1,
     .misread = TakeIntegersForFloats},
    {"bad.compacts_classes", "Classes are numbered by those that occur in the training rows.", 1,
     .change = CompactClasses},
    {"bad.knows_defaults_by_address",
     "A default is known by its address: the same text elsewhere is another one.", 1,
     .change = DeclareNoThreads, .widen = ByAddressOfTitle},
    {"bad.knows_class_names",
     "Hears other rows from further away if the first class is not called k0.", 1,
     .widen = ByClassNames},
    {"bad.knows_column_names", "A column whose name does not begin with n or c is not heard.", 1,
     .widen = ByColumnNames},
    {"bad.excuses_a_failure",
     "It cannot calculate with more than one feature, and calls that unsupported data.", 1,
     .change = ExcuseAFailure},
    {"bad.refuses_two_to_four", "It refuses two to four features, though it takes one and many.", 1,
     .change = RefuseTwoToFour},
    {"bad.error_with_a_model", "A fit that fails leaves a model.", .change = FailWithAModel},
};

#include "learners_data.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterDefects("bad.learners_data", kDefects, sizeof(kDefects) / sizeof(kDefects[0]));
}
