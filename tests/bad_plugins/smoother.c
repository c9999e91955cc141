/* The tables of the smoother, and where its defects come in. */
#include "smoother_reports.h"

const void* CF_CALL SmootherCapability(const cf_info* self, const char* id) {
  SmootherParts* parts = PartsOf(self);
  const struct {
    const char* id;
    const void* table;
  } tables[] = {
      {CF_CAP_PROBA, &parts->proba},
      {CF_CAP_PREPARE, &parts->prepare},
      {CF_CAP_FIT_PATH, &parts->fit_path},
      {CF_CAP_INCREMENTAL, &parts->incremental},
      {CF_CAP_CROSS_PREDICT, &parts->cross_predict},
      {CF_CAP_SERIALIZE, &parts->serialize},
      {CF_CAP_IMPORTANCE, &parts->importance},
      {CF_CAP_WARM_START, &parts->warm_start},
      {CF_CAP_VALIDATION, &parts->validation},
      {CF_CAP_CHECK, &parts->check},
      {CF_CAP_MEMORY, &parts->memory},
      {CF_CAP_FIT_MEMORY, &parts->fit_memory},
      {CF_CAP_EXPORT, &parts->exports},
      {CF_CAP_ONNX, &parts->onnx},
  };
  const size_t n = parts->defect->only_proba ? 1 : sizeof(tables) / sizeof(tables[0]);
  size_t i;
  for (i = 0; i < n; ++i) {
    if (strcmp(id, tables[i].id) == 0) return tables[i].table;
  }
  return NULL;
}

/* ---- what a defect does ---------------------------------------------------------------------- */

/* The columns as they are misread, in scratch memory; NULL = there is none. */
static cf_column* Misread(const cf_call* call, const cf_table* table,
                          void (*misread)(cf_column* column)) {
  const size_t n_bytes = ((size_t)table->n_features + 1) * sizeof(cf_column);
  cf_column* columns = (cf_column*)call->host->scratch(call, n_bytes, 8);
  int64_t j;
  for (j = 0; columns != NULL && j < table->n_features; ++j) {
    columns[j] = table->features[j];
    misread(&columns[j]);
  }
  return columns;
}

cf_status CF_CALL BrokenFit(const cf_call* call, const cf_arg* args, size_t n_args,
                            const cf_table* train, cf_model** out) {
  const Defect* defect = PartsOf(call->self)->defect;
  cf_arg widened[kSmootherParams];
  cf_table rows = *train;
  *out = NULL;
  if (defect->disturb != NULL) defect->disturb();
  if (defect->before != NULL) defect->before(call, args, train);
  if (defect->widen != NULL) {
    memcpy(widened, args, sizeof(widened));
    widened[kWidth].value.u.r *= defect->widen(call, args, train);
    args = widened;
  }
  if (defect->retrain != NULL) defect->retrain(&rows);
  if (defect->misread != NULL) {
    rows.features = Misread(call, train, defect->misread);
    if (rows.features == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  return SmootherFit(call, args, n_args, &rows, out);
}

cf_status CF_CALL BrokenPredict(const cf_call* call, const cf_model* model, const cf_table* rows,
                                cf_prediction* out) {
  const Defect* defect = PartsOf(call->self)->defect;
  const Smoother* s = (const Smoother*)model;
  cf_table changed = *rows;
  cf_status status;
  if (defect->refuse != NULL && rows->n_features != s->n_features) return defect->refuse(call);
  if (defect->misread != NULL) {
    changed.features = Misread(call, rows, defect->misread);
    if (changed.features == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  }
  status = SmootherPredict(call, model, &changed, out);
  if (status == CF_OK && defect->spoil != NULL) defect->spoil(call, s, rows, out);
  return status;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void FillParam(SmootherParts* parts, int i, const char* name, int32_t type,
                      const char* doc) {
  cf_param* param = &parts->params[i];
  parts->listed[i] = param;
  param->struct_size = sizeof(cf_param);
  param->name = name;
  param->doc = doc;
  param->type = param->def.type = type;
}

static void FillParams(SmootherParts* parts) {
  static const char* const shapes[] = {"tails", "box"};
  cf_param* params = parts->params;
  FillParam(parts, kWidth, "width", CF_P_REAL, "How far a training row is heard.");
  params[kWidth].flags = CF_PF_LOG | (parts->defect->only_proba ? 0u : (uint32_t)CF_PF_SUBMODEL);
  params[kWidth].def.u.r = 0.5;
  params[kWidth].lo = 0.001;
  params[kWidth].hi = 1000;
  FillParam(parts, kShape, "shape", CF_P_CHOICE, "How nearness falls with the distance.");
  params[kShape].choices = shapes;
  params[kShape].n_choices = 2;
  FillParam(parts, kPower, "power", CF_P_INT, "How fast the tails fall.");
  params[kPower].def.u.i = 3;
  params[kPower].ilo = 1;
  params[kPower].ihi = 8;
  params[kPower].active_if = "shape=tails";
  FillParam(parts, kTitle, "title", CF_P_STRING, "What the model is called; nothing comes of it.");
  params[kTitle].def.u.s.p = "smoother";
  params[kTitle].def.u.s.n = 8;
}

static void FillCapabilities(SmootherParts* parts) {
  static const char* const formats[] = {"text"};
  const SmootherParts filled = {
      .proba = {sizeof(cf_cap_proba), 0, BrokenPredict},
      .prepare = {sizeof(cf_cap_prepare), 0, SmootherPrepare, SmootherFitPrepared,
                  SmootherFitPathPrepared, SmootherDestroyPrepared, SmootherPreparedBytes},
      .fit_path = {sizeof(cf_cap_fit_path), 0, SmootherFitPath, SmootherPredictAt},
      .incremental = {sizeof(cf_cap_incremental), 1, 0, SmootherClone, SmootherAddRows,
                      SmootherRemoveRows},
      .cross_predict = {sizeof(cf_cap_cross_predict), 0, SmootherCrossPredict, 0},
      .serialize = {sizeof(cf_cap_serialize), 1, SmootherSave, SmootherLoad},
      .importance = {sizeof(cf_cap_importance), 0, SmootherImportance},
      .warm_start = {sizeof(cf_cap_warm_start), 0, SmootherFitFrom},
      .validation = {sizeof(cf_cap_validation), 0, SmootherFitValidated, NULL, 0},
      .check = {sizeof(cf_cap_check), 0, SmootherCheck},
      .memory = {sizeof(cf_cap_memory), 0, SmootherBytes},
      .fit_memory = {sizeof(cf_cap_fit_memory), 0, SmootherFitBytes, NULL},
      .exports = {sizeof(cf_cap_export), 0, formats, 1, SmootherExport},
      .onnx = {sizeof(cf_cap_onnx), 0, SmootherGraph},
  };
  *parts = filled;
}

static void FillSmoother(SmootherParts* parts, const Defect* defect) {
  cf_learner* learner = &parts->learner;
  FillCapabilities(parts);
  parts->defect = defect;
  parts->most_features = INT64_MAX;
  FillParams(parts);
  learner->struct_size = sizeof(cf_learner);
  learner->info.id = defect->id;
  learner->info.version = "1.0.0";
  learner->info.title = "Smoother";
  learner->info.doc = defect->what;
  learner->info.data = parts;
  learner->info.params = parts->listed;
  learner->info.n_params = kSmootherParams;
  learner->info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER | CF_DET_UNSEEDED;
  learner->info.threading = CF_MT_PREDICT;
  learner->tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
  learner->accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                     CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES;
  learner->fit = BrokenFit;
  learner->predict = BrokenPredict;
  learner->destroy = SmootherDestroy;
  learner->get_capability = SmootherCapability;
  if (defect->change != NULL) defect->change(parts);
}

const cf_plugin* EnterDefects(const char* id, const Defect* defects, size_t n) {
  enum { kMost = 64 };
  static SmootherParts parts[kMost];
  static const cf_learner* learners[kMost];
  cf_plugin* plugin = EmptyPlugin(id);
  size_t i;
  for (i = 0; i < n && i < kMost; ++i) {
    FillSmoother(&parts[i], &defects[i]);
    learners[i] = &parts[i].learner;
  }
  plugin->n_learners = n;
  plugin->learners = learners;
  return plugin;
}

const cf_plugin* EnterSmoother(const char* id, void (*change)(SmootherParts* parts)) {
  static Defect defect;
  defect.id = id;
  defect.what = "The mean of the training rows, weighted by how near they are.";
  defect.change = change;
  return EnterDefects(id, &defect, 1);
}
