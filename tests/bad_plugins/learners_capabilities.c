/* Learners with a defect in one of their capabilities. */
#include "smoother_reports.h"

/* ---- paths, preparation, rows that come and go ----------------------------------------------- */

static cf_status CF_CALL PredictAtNext(const cf_call* call, const cf_model* model, size_t value,
                                       const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  const size_t next = (int64_t)value + 1 < s->n_widths ? value + 1 : value;
  return SmootherPredictAt(call, model, next, rows, out);
}
static void PathOffByOne(SmootherParts* parts) {
  parts->fit_path.predict_at = PredictAtNext;
  parts->prepare.fit_path_prepared = NULL;
}

static cf_status CF_CALL PrepareByPower(const cf_call* call, const cf_arg* args, size_t n_args,
                                        const cf_table* all, cf_prepared** out) {
  const cf_status status = SmootherPrepare(call, args, n_args, all, out);
  Matrix* matrix = (Matrix*)*out;
  int64_t i;
  for (i = 0; status == CF_OK && i < matrix->n_rows * matrix->n_features; ++i) {
    ((double*)(matrix + 1))[i] *= (double)args[kPower].value.u.i;
  }
  return status;
}
static cf_status CF_CALL FitPreparedByPower(const cf_call* call, const cf_arg* args, size_t n_args,
                                            const cf_prepared* prepared, const cf_table* train,
                                            cf_model** out) {
  const cf_status status = SmootherFitPrepared(call, args, n_args, prepared, train, out);
  Smoother* s = (Smoother*)*out;
  int64_t i, j;
  for (i = 0; status == CF_OK && i < s->n_rows; ++i) {
    for (j = 0; j < s->n_features; ++j) {
      EntriesOf(RecordAt(s, i))[j] /= (double)args[kPower].value.u.i;
    }
  }
  return status;
}
static void PrepareByOthers(SmootherParts* parts) {
  parts->prepare.prepare = PrepareByPower;
  parts->prepare.fit_prepared = FitPreparedByPower;
  parts->prepare.fit_path_prepared = NULL;
}

static cf_status CF_CALL RemoveLess(const cf_call* call, cf_model* model, const cf_table* rows) {
  cf_table changed = *rows;
  if (changed.n_rows > 1) --changed.n_rows;
  return SmootherRemoveRows(call, model, &changed);
}
static void RemoveOneRowLess(SmootherParts* parts) { parts->incremental.remove_rows = RemoveLess; }

/* How many clones there are stands in n_widths, below 0. */
static cf_status CF_CALL CloneSame(const cf_call* call, const cf_model* model, cf_model** out) {
  (void)call;
  --((Smoother*)(uintptr_t)model)->n_widths;
  *out = (cf_model*)(uintptr_t)model;
  return CF_OK;
}
static void CF_CALL DestroyLast(const cf_info* self, cf_model* model) {
  Smoother* s = (Smoother*)model;
  if (s != NULL && s->n_widths < 0) {
    ++s->n_widths;
  } else {
    SmootherDestroy(self, model);
  }
}
static void ShareClones(SmootherParts* parts) {
  parts->learner.destroy = DestroyLast;
  parts->incremental.clone = CloneSame;
}

static cf_status CF_CALL FitInStart(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_table* train, const cf_model* start, cf_model** out) {
  ((Smoother*)(uintptr_t)start)->width *= 2;
  return SmootherFit(call, args, n_args, train, out);
}
static void ChangeStart(SmootherParts* parts) { parts->warm_start.fit_from = FitInStart; }

static cf_status CF_CALL ValidateFirstRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_table* train, const cf_table* validation,
                                           cf_model** out) {
  cf_table changed = *validation;
  changed.rows = NULL;
  return SmootherFitValidated(call, args, n_args, train, &changed, out);
}
static void IgnoreValidationView(SmootherParts* parts) {
  parts->validation.fit_validated = ValidateFirstRows;
}

static cf_status CF_CALL CrossPredictAll(const cf_call* call, const cf_setting* settings,
                                         size_t n_settings, const cf_table* table,
                                         const int32_t* fold_of_row, int32_t n_folds,
                                         const cf_prepared* prepared, const cf_cross_sink* sink) {
  size_t i;
  int32_t fold;
  (void)prepared;
  for (fold = 0; fold < n_folds; ++fold) {
    cf_table test;
    int64_t* positions;
    if (!TakeRows(call, table, fold_of_row, fold, 1, &test, &positions)) {
      return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
    }
    for (i = 0; i < n_settings; ++i) {
      const cf_status status =
          PredictFold(call, &settings[i], i, table, &test, positions, fold, sink);
      if (status != CF_OK) return status;
    }
  }
  return CF_OK;
}
static void SeeTarget(SmootherParts* parts) {
  parts->cross_predict.cross_predict = CrossPredictAll;
}

/* ---- saved models ---------------------------------------------------------------------------- */

static cf_status Loaded(const cf_call* call, Smoother* s, cf_model** out) {
  *out = (cf_model*)s;
  return s != NULL ? CF_OK : FailBecause(call, CF_E_BAD_BLOB, "this is not a saved smoother");
}

static cf_status CF_CALL LoadOneRead(const cf_call* call, const cf_reader* reader, cf_model** out) {
  const size_t room = 1 << 20;
  unsigned char* bytes = (unsigned char*)malloc(room);
  const int64_t n = bytes == NULL ? 0 : reader->read(reader->stream, bytes, room);
  Smoother* s = n <= 0 ? NULL : Parse(bytes, (size_t)n);
  free(bytes);
  return Loaded(call, s, out);
}
static void ReadOnce(SmootherParts* parts) { parts->serialize.load = LoadOneRead; }

static cf_status CF_CALL LoadBySizes(const cf_call* call, const cf_reader* reader, cf_model** out) {
  size_t n = 0;
  unsigned char* bytes = ReadAll(reader, &n);
  SavedHead head;
  Smoother* s = NULL;
  if (bytes != NULL && n >= sizeof(head) && memcmp(bytes, "SMOOTHER", 8) == 0) {
    memcpy(&head, bytes, sizeof(head));
    if (n < SavedSize(&head) + 8 && n + 64 > SavedSize(&head)) abort(); /* what it may come to */
    s = Parse(bytes, n);
  }
  free(bytes);
  return Loaded(call, s, out);
}
static void TrustSizes(SmootherParts* parts) { parts->serialize.load = LoadBySizes; }

static cf_status CF_CALL LoadOrMake(const cf_call* call, const cf_reader* reader, cf_model** out) {
  size_t n = 0;
  unsigned char* bytes = ReadAll(reader, &n);
  Smoother* s = bytes == NULL ? NULL : Parse(bytes, n);
  free(bytes);
  return Loaded(call, s != NULL ? s : (Smoother*)calloc(1, sizeof(Smoother)), out);
}
static void LoadAnything(SmootherParts* parts) { parts->serialize.load = LoadOrMake; }

/* Stands above the power, which it leaves as it is. */
enum { kOneLoad = 1000 };
static cf_status CF_CALL LoadCounted(const cf_call* call, const cf_reader* reader, cf_model** out) {
  const cf_status status = SmootherLoad(call, reader, out);
  if (status == CF_OK) ((Smoother*)*out)->power += kOneLoad;
  return status;
}
static cf_status CF_CALL PredictCounted(const cf_call* call, const cf_model* model,
                                        const cf_table* rows, cf_prediction* out) {
  Smoother same = *(const Smoother*)model;
  same.power %= kOneLoad;
  return Ask(call, &same, same.width, rows, out);
}
static void CountLoads(SmootherParts* parts) {
  parts->learner.predict = parts->proba.predict_proba = PredictCounted;
  parts->serialize.load = LoadCounted;
}

static cf_status CF_CALL LoadWithoutPower(const cf_call* call, const cf_reader* reader,
                                          cf_model** out) {
  const cf_status status = SmootherLoad(call, reader, out);
  if (status == CF_OK) ((Smoother*)*out)->power = 1;
  return status;
}
static void ForgetPower(SmootherParts* parts) { parts->serialize.load = LoadWithoutPower; }

/* ---- what a model tells ---------------------------------------------------------------------- */

static cf_status CF_CALL SortedImportance(const cf_call* call, const cf_model* model, double* out,
                                          size_t n_features) {
  const cf_status status = SmootherImportance(call, model, out, n_features);
  size_t i, j;
  for (i = 0; i < n_features; ++i) {
    for (j = i + 1; j < n_features; ++j) {
      const double kept = out[i];
      if (out[j] <= kept) continue;
      out[i] = out[j];
      out[j] = kept;
    }
  }
  return status;
}
static void SortImportance(SmootherParts* parts) {
  parts->importance.importance = SortedImportance;
}

static cf_status CF_CALL NanImportance(const cf_call* call, const cf_model* model, double* out,
                                       size_t n_features) {
  const cf_status status = SmootherImportance(call, model, out, n_features);
  if (n_features > 0) out[0] = NAN;
  return status;
}
static void LoseImportance(SmootherParts* parts) { parts->importance.importance = NanImportance; }

static cf_status CF_CALL ImportanceAndOne(const cf_call* call, const cf_model* model, double* out,
                                          size_t n_features) {
  const cf_status status = SmootherImportance(call, model, out, n_features);
  out[n_features] = 1;
  return status;
}
static void AddImportance(SmootherParts* parts) { parts->importance.importance = ImportanceAndOne; }

static cf_status CF_CALL CheckManyRows(const cf_call* call, const cf_arg* args, size_t n_args,
                                       const cf_shape* shape) {
  if (shape->n_rows < 1000) {
    return FailBecause(call, CF_E_UNSUPPORTED_DATA, "it needs 1000 rows");
  }
  return SmootherCheck(call, args, n_args, shape);
}
static void RefuseFewRows(SmootherParts* parts) { parts->check.check = CheckManyRows; }

static cf_status CF_CALL CheckNarrow(const cf_call* call, const cf_arg* args, size_t n_args,
                                     const cf_shape* shape) {
  cf_shape narrow = *shape;
  narrow.n_features = 1;
  return SmootherCheck(call, args, n_args, &narrow);
}
static void ForgetWidth(SmootherParts* parts) {
  parts->most_features = 1;
  parts->check.check = CheckNarrow;
}

static uint64_t CF_CALL NoBytes(const cf_info* self, const cf_model* model) {
  (void)self, (void)model;
  return 0;
}
static void ClaimNoMemory(SmootherParts* parts) { parts->memory.model_bytes = NoBytes; }

static cf_status CF_CALL NoFitBytes(const cf_call* call, const cf_arg* args, size_t n_args,
                                    const cf_shape* shape, uint64_t* bytes) {
  (void)call, (void)args, (void)n_args, (void)shape;
  *bytes = 0;
  return CF_OK;
}
static void ClaimNoFitMemory(SmootherParts* parts) { parts->fit_memory.fit_bytes = NoFitBytes; }

static cf_status CF_CALL ExportNumber(const cf_call* call, const cf_model* model, size_t format,
                                      const cf_writer* writer) {
  static int n_exports;
  char text[32];
  (void)call, (void)model, (void)format;
  snprintf(text, sizeof(text), "model %d\n", ++n_exports);
  return WriteAll(writer, text, strlen(text));
}
static void NumberExports(SmootherParts* parts) { parts->exports.export_model = ExportNumber; }

static cf_status CF_CALL NarrowGraph(const cf_call* call, const cf_model* model,
                                     const cf_table* columns, const cf_writer* writer) {
  (void)call, (void)model;
  return WriteGraph(writer, columns->n_features - 1);
}
static void ForgetAColumn(SmootherParts* parts) {
  const cf_cap_onnx narrow = {sizeof(cf_cap_onnx), 0, NarrowGraph};
  parts->onnx = narrow;
}

static const void* CF_CALL CapabilityByBeginning(const cf_info* self, const char* id) {
  if (strncmp(id, "crossfold.proba", 15) == 0) id = CF_CAP_PROBA;
  return SmootherCapability(self, id);
}
static void AnswerEvery(SmootherParts* parts) {
  parts->learner.get_capability = CapabilityByBeginning;
}

static int32_t CF_CALL AlwaysScores(const cf_info* self, const cf_arg* args, size_t n_args) {
  (void)self, (void)args, (void)n_args;
  return 1;
}
static cf_status CF_CALL ScoreNan(const cf_call* call, const cf_model* model, const cf_table* rows,
                                  cf_prediction* out) {
  cf_prediction made = *out;
  cf_status status;
  made.values = NULL;
  made.probabilities = out->values;
  status = SmootherPredict(call, model, rows, &made);
  if (status == CF_OK && out->n_rows > 0) out->values[0] = NAN;
  return status;
}
static const void* CF_CALL CapabilityWithScores(const cf_info* self, const char* id) {
  static const cf_cap_scores scores = {sizeof(cf_cap_scores), 0, AlwaysScores, ScoreNan};
  return strcmp(id, CF_CAP_SCORES) == 0 ? &scores : SmootherCapability(self, id);
}
static void OfferScores(SmootherParts* parts) {
  parts->learner.get_capability = CapabilityWithScores;
}

static void StartScaleAtZero(SmootherParts* parts) { parts->params[kWidth].lo = 0; }

static const Defect kDefects[] = {
    {"bad.path_off_by_one", "Predict_at answers with the value after the requested one.",
     .change = PathOffByOne},
    {"bad.prepare_uses_other_parameters",
     "What is prepared depends on a parameter without the flag CF_PF_PREPARE.",
     .change = PrepareByOthers},
    {"bad.removes_one_row_less", "Remove_rows leaves the last of the rows.",
     .change = RemoveOneRowLess},
    {"bad.clone_shares",
     "A clone is the same model once more, so that what is done to it is done to both.",
     .change = ShareClones},
    {"bad.warm_start_changes_start", "A fit from another model goes on in that model.",
     .change = ChangeStart},
    {"bad.validation_ignores_view",
     "The validation rows are read by their positions, not by the row index.",
     .change = IgnoreValidationView},
    {"bad.cross_predict_sees_target", "Cross_predict trains on the rows that it predicts.",
     .change = SeeTarget},
    {"bad.load_reads_once", "Load takes what the first read gives for all there is.",
     .change = ReadOnce},
    {"bad.load_trusts_sizes", "Load reads past the end if the last bytes are missing.",
     .change = TrustSizes},
    {"bad.loads_anything", "Load takes whatever bytes there are for a model.",
     .change = LoadAnything},
    {"bad.save_differs", "A saved model tells how often it has been loaded.", .change = CountLoads},
    {"bad.save_forgets", "A saved model lacks one of the settings.", .change = ForgetPower},
    {"bad.importance_by_place", "The importances are sorted, and not those of their features.",
     .change = SortImportance},
    {"bad.importance_is_nan", "The importance of a feature is NaN.", .change = LoseImportance},
    {"bad.importance_one_too_many",
     "Importance writes the importance of the intercept after those of the features.",
     .change = AddImportance},
    {"bad.check_disagrees", "The check of a setting refuses what fit takes.",
     .change = RefuseFewRows},
    {"bad.check_forgets_width",
     "Fit takes one feature only, and the check of a setting has nothing against more.",
     .change = ForgetWidth},
    {"bad.memory_is_nothing", "A model says that it takes no memory.", .change = ClaimNoMemory},
    {"bad.fit_memory_is_nothing", "It says that a fit takes no memory.",
     .change = ClaimNoFitMemory},
    {"bad.export_differs", "The text of a model has a number in it that is another each time.",
     .change = NumberExports},
    {"bad.score_is_nan", "The first score of every prediction is NaN.", .change = OfferScores},
    {"bad.onnx_forgets_a_column", "The graph of a model has no input for its last column.",
     .change = ForgetAColumn},
    {"bad.answers_every_capability",
     "Ids of capabilities are compared by their first characters only.", .change = AnswerEvery},
    {"bad.log_scale_from_zero", "A parameter is searched on a logarithmic scale from 0 on.",
     .change = StartScaleAtZero},
};

#include "learners_capabilities.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterDefects("bad.learners_capabilities", kDefects,
                      sizeof(kDefects) / sizeof(kDefects[0]));
}
