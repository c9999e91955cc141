/* Learners whose predictions are wrong. */
#include "smoother_reports.h"

/* ---- after the right answer ------------------------------------------------------------------ */

static void CountFromOne(const cf_call* call, const Smoother* s, const cf_table* rows,
                         cf_prediction* out) {
  int64_t i;
  (void)call, (void)s, (void)rows;
  for (i = 0; out->labels != NULL && i < out->n_rows; ++i) ++out->labels[i];
}

static void TakePercent(const cf_call* call, const Smoother* s, const cf_table* rows,
                        cf_prediction* out) {
  int64_t i;
  (void)call, (void)s, (void)rows;
  if (out->probabilities == NULL) return;
  for (i = 0; i < out->n_rows * out->n_classes; ++i) out->probabilities[i] *= 100;
}

static void LoseSureOnes(const cf_call* call, const Smoother* s, const cf_table* rows,
                         cf_prediction* out) {
  double* p = out->probabilities;
  int64_t i;
  (void)call, (void)s, (void)rows;
  for (i = 0; p != NULL && i < out->n_rows * out->n_classes; ++i) p[i] = p[i] > 0.9 ? NAN : p[i];
}

/* Makes the answer for row i NAN. */
static void LoseRow(cf_prediction* out, int64_t i) {
  if (out->values != NULL) out->values[i] = NAN;
  if (out->probabilities != NULL) out->probabilities[i * out->n_classes] = NAN;
}
static void LoseHuge(const cf_call* call, const Smoother* s, const cf_table* rows,
                     cf_prediction* out) {
  int64_t i;
  (void)call, (void)s;
  for (i = 0; i < out->n_rows && rows->n_features > 0; ++i) {
    if (fabs(ReadEntry(&rows->features[0], RowOf(rows, i))) > 1e200) LoseRow(out, i);
  }
}
static void LoseMissing(const cf_call* call, const Smoother* s, const cf_table* rows,
                        cf_prediction* out) {
  int64_t i, j;
  (void)call, (void)s;
  for (i = 0; i < out->n_rows; ++i) {
    for (j = 0; j < rows->n_features; ++j) {
      if (isnan(ReadEntry(&rows->features[j], RowOf(rows, i)))) LoseRow(out, i);
    }
  }
}
static void LoseAllOfOneRow(const cf_call* call, const Smoother* s, const cf_table* rows,
                            cf_prediction* out) {
  int64_t i;
  (void)call, (void)rows;
  for (i = 0; i < out->n_rows && s->n_rows == 1; ++i) LoseRow(out, i);
}

static void UseScratch(const cf_call* call, const Smoother* s, const cf_table* rows,
                       cf_prediction* out) {
  (void)s, (void)rows, (void)out;
  *(volatile char*)call->host->scratch(call, 1000, 8) = 1;
}

static void AbortOnUnseen(const cf_call* call, const Smoother* s, const cf_table* rows,
                          cf_prediction* out) {
  int64_t i, j, r;
  (void)call, (void)out;
  for (j = 0; j < s->n_features; ++j) {
    for (i = 0; i < rows->n_rows && s->is_category[j]; ++i) {
      const double entry = ReadEntry(&rows->features[j], RowOf(rows, i));
      int seen = isnan(entry);
      for (r = 0; r < s->n_rows && !seen; ++r) seen = EntriesOf(RecordAt(s, r))[j] == entry;
      if (!seen) abort();
    }
  }
}

static void ReverseProbabilities(const cf_call* call, const Smoother* s, const cf_table* rows,
                                 cf_prediction* out) {
  int64_t i, c;
  (void)call, (void)s, (void)rows;
  for (i = 0; out->probabilities != NULL && i < out->n_rows; ++i) {
    double* row = out->probabilities + i * out->n_classes;
    for (c = 0; c < out->n_classes / 2; ++c) {
      const double p = row[c];
      row[c] = row[out->n_classes - 1 - c];
      row[out->n_classes - 1 - c] = p;
    }
  }
}

static void LabelUnsureOnes(const cf_call* call, const Smoother* s, const cf_table* rows,
                            cf_prediction* out) {
  int64_t i, c;
  (void)call, (void)s, (void)rows;
  for (i = 0; out->labels != NULL && i < out->n_rows; ++i) {
    const double* p = out->probabilities + i * out->n_classes;
    const int32_t first = out->labels[i];
    double most = 0;
    if (p[first] > 0.98) continue;
    for (c = 0; c < out->n_classes; ++c) {
      if (c == first || !(p[c] > most)) continue;
      most = p[c];
      out->labels[i] = (int32_t)c;
    }
  }
}
/* Only what predict_proba says. */
static void KeepPredict(SmootherParts* parts) { parts->learner.predict = SmootherPredict; }

/* The target of the training row with the largest entries. */
static void AnswerLargest(const cf_call* call, const Smoother* s, const cf_table* rows,
                          cf_prediction* out) {
  int64_t i, j, largest = 0;
  double most = -INFINITY;
  (void)call, (void)rows;
  for (i = 0; i < s->n_rows; ++i) {
    double sum = 0;
    for (j = 0; j < s->n_features; ++j) {
      const double entry = EntriesOf(RecordAt(s, i))[j];
      sum += isnan(entry) ? 0 : entry;
    }
    if (sum > most) most = sum, largest = i;
  }
  for (i = 0; i < out->n_rows; ++i) {
    if (out->labels != NULL) out->labels[i] = (int32_t)TargetOf(s, largest);
    if (out->values != NULL) out->values[i] = TargetOf(s, largest);
  }
}
static void OfferNothing(SmootherParts* parts) { parts->learner.get_capability = NULL; }

/* ---- other answers --------------------------------------------------------------------------- */

/* An answer with probabilities, in scratch memory, as `out` has none. */
static cf_status AskForVotes(const cf_call* call, const cf_model* model, const cf_table* rows,
                             cf_prediction* votes) {
  const int64_t n = votes->n_rows * votes->n_classes + 1;
  votes->probabilities = (double*)call->host->scratch(call, (size_t)n * sizeof(double), 8);
  if (votes->probabilities == NULL) return FailBecause(call, CF_E_OUT_OF_MEMORY, "out of memory");
  return BrokenPredict(call, model, rows, votes);
}

static cf_status CF_CALL PredictFewestVotes(const cf_call* call, const cf_model* model,
                                            const cf_table* rows, cf_prediction* out) {
  cf_prediction votes = *out;
  int64_t i, c;
  cf_status status;
  if (out->labels == NULL) return SmootherPredict(call, model, rows, out);
  status = AskForVotes(call, model, rows, &votes);
  for (i = 0; status == CF_OK && i < out->n_rows; ++i) {
    const double* p = votes.probabilities + i * out->n_classes;
    for (c = 0; c < out->n_classes; ++c) {
      if (p[c] > 0 && p[c] < p[out->labels[i]]) out->labels[i] = (int32_t)c;
    }
  }
  return status;
}
static void ReverseLabels(SmootherParts* parts) {
  parts->learner.get_capability = NULL;
  parts->learner.predict = PredictFewestVotes;
}

static void PreferFirstClass(const cf_call* call, const Smoother* s, const cf_table* rows,
                             cf_prediction* out) {
  int64_t i, c;
  (void)call, (void)s, (void)rows;
  for (i = 0; out->probabilities != NULL && i < out->n_rows; ++i) {
    double* p = out->probabilities + i * out->n_classes;
    const double total = 1 + p[0] * 1999;
    p[0] *= 2000;
    for (c = 0; c < out->n_classes; ++c) p[c] /= total;
    for (c = 0; out->labels != NULL && c < out->n_classes; ++c) {
      if (p[c] > p[out->labels[i]]) out->labels[i] = (int32_t)c;
    }
  }
}
static cf_status CF_CALL PredictByVotes(const cf_call* call, const cf_model* model,
                                        const cf_table* rows, cf_prediction* out) {
  cf_prediction votes = *out;
  return AskForVotes(call, model, rows, &votes);
}
static void CountVotes(SmootherParts* parts) { parts->learner.predict = PredictByVotes; }

static cf_status CF_CALL PredictByBatch(const cf_call* call, const cf_model* model,
                                        const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  return Ask(call, s, s->width * (1 + 1 / (1.0 + (double)rows->n_rows)), rows, out);
}
static void DependOnBatch(SmootherParts* parts) {
  parts->learner.predict = parts->proba.predict_proba = PredictByBatch;
}

static cf_status CF_CALL PredictByFirstColumn(const cf_call* call, const cf_model* model,
                                              const cf_table* rows, cf_prediction* out) {
  const Smoother* s = (const Smoother*)model;
  double x = 0, y = 0, width = s->width;
  if (s->n_features > 0) {
    x = EntriesOf(RecordAt(s, 0))[0];
    y = EntriesOf(RecordAt(s, s->n_rows - 1))[0];
  }
  if (x == x && y == y) width *= 1 + (y - x) * (y - x);
  return Ask(call, s, width, rows, out);
}
static void GoByPlace(SmootherParts* parts) {
  parts->learner.predict = parts->proba.predict_proba = PredictByFirstColumn;
}

static cf_status CF_CALL PredictSomeRows(const cf_call* call, const cf_model* model,
                                         const cf_table* rows, cf_prediction* out) {
  if (rows->n_rows == 0) return FailBecause(call, CF_E_INVALID_ARGUMENT, "there are no rows");
  return SmootherPredict(call, model, rows, out);
}
static void RefuseNoRows(SmootherParts* parts) {
  parts->learner.predict = parts->proba.predict_proba = PredictSomeRows;
}

/* The width follows the training rows of the last fit. */
static double last_width;
static cf_status CF_CALL FitLastWidth(const cf_call* call, const cf_arg* args, size_t n_args,
                                      const cf_table* train, cf_model** out) {
  const cf_status status = SmootherFit(call, args, n_args, train, out);
  const Smoother* s = (const Smoother*)*out;
  double most = 0;
  int64_t i, j;
  for (i = 0; s != NULL && i < s->n_rows; ++i) {
    for (j = 0; j < s->n_features; ++j) most = fmax(EntriesOf(RecordAt(s, i))[j], most);
  }
  if (s != NULL) last_width = s->width * (2 + sin(most));
  return status;
}
static cf_status CF_CALL PredictByLastWidth(const cf_call* call, const cf_model* model,
                                            const cf_table* rows, cf_prediction* out) {
  return Ask(call, (const Smoother*)model, last_width, rows, out);
}
static void KeepStaticState(SmootherParts* parts) {
  parts->learner.info.threading = CF_MT_NONE;
  parts->learner.fit = FitLastWidth;
  parts->learner.predict = parts->proba.predict_proba = PredictByLastWidth;
}

/* ---- other columns than in training ---------------------------------------------------------- */

static cf_status RefuseInLatin1(const cf_call* call) {
  return FailBecause(call, CF_E_INVALID_ARGUMENT, "andere Spalten als f\xFCr fit");
}
static cf_status RefuseSilently(const cf_call* call) {
  (void)call;
  return CF_E_INVALID_ARGUMENT;
}
static cf_status RefuseWithAnotherCode(const cf_call* call) {
  call->host->fail(call, CF_E_INVALID_ARGUMENT, "other columns than in training");
  return CF_E_NUMERIC;
}

static const Defect kDefects[] = {
    {"bad.label_out_of_range", "Labels count from 1.", 1, .spoil = CountFromOne},
    {"bad.probabilities_of_percent", "Probabilities sum to 100.", 1, .spoil = TakePercent},
    {"bad.probability_is_nan", "The probability of a class that is sure is NaN.", 1,
     .spoil = LoseSureOnes},
    {"bad.huge_values_give_nan", "A huge entry gives NaN.", 1, .spoil = LoseHuge},
    {"bad.missing_gives_nan",
     "A missing entry gives NaN, although the learner accepts missing values.", 1,
     .spoil = LoseMissing},
    {"bad.one_row_is_nan", "A model of one row divides by the degrees of freedom, 0.", 1,
     .spoil = LoseAllOfOneRow},
    {"bad.dies_without_memory", "Predict uses scratch memory without a look whether there is any.",
     .spoil = UseScratch},
    {"bad.crashes_on_unseen_level",
     "Predict indexes a table of the levels that it saw in training.", .spoil = AbortOnUnseen},
    {"bad.classes_reversed", "The probabilities are in another order than the classes.", 1,
     .change = KeepPredict, .spoil = ReverseProbabilities},
    {"bad.labels_of_proba_differ",
     "Predict_proba gives an unsure row the label of the second class, predict that of the first.",
     1, .change = KeepPredict, .spoil = LabelUnsureOnes},
    {"bad.ignores_features", "Predict never looks at the rows that it is asked about.", 1,
     .change = OfferNothing, .spoil = AnswerLargest},
    {"bad.labels_reversed", "The label is that of the class with the fewest votes.", 1,
     .change = ReverseLabels},
    {"bad.prefers_first_class", "The votes for class 0 count 2000 times, whatever it is.", 1,
     .change = CountVotes, .spoil = PreferFirstClass},
    {"bad.depends_on_batch",
     "What predict says about a row depends on how many others it is asked about.", 1,
     .change = DependOnBatch},
    {"bad.columns_by_place", "The first column counts more than the others, whatever it is.", 1,
     .change = GoByPlace},
    {"bad.refuses_no_rows", "Predict of no rows is an error.", .change = RefuseNoRows},
    {"bad.static_state", "Predict uses what the last fit left in a static variable.", 1,
     .change = KeepStaticState},
    {"bad.error_is_not_utf8", "A message is in Latin-1, not in UTF-8.", .refuse = RefuseInLatin1},
    {"bad.error_without_text", "Predict fails on other columns and does not say why.",
     .refuse = RefuseSilently},
    {"bad.says_another_code", "The status of an error differs from the one it gave the host.",
     .refuse = RefuseWithAnotherCode},
};

#include "learners_answers.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterDefects("bad.learners_answers", kDefects, sizeof(kDefects) / sizeof(kDefects[0]));
}
