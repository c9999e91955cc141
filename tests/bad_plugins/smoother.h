/* A learner without a defect that really learns and has every capability, and how a bad one differs
 * from it in one place. smoother.c makes plugins of them. */
#ifndef CROSSFOLD_TESTS_SMOOTHER_H
#define CROSSFOLD_TESTS_SMOOTHER_H

#include "working_plugin.h"

/* Its parameters, in this order. */
enum { kWidth = 0, kShape = 1, kPower = 2, kTitle = 3, kSmootherParams = 4 };

typedef struct Smoother Smoother;
typedef struct Defect Defect;

/* All tables of one learner. */
typedef struct SmootherParts {
  cf_learner learner;
  const Defect* defect;
  cf_param params[kSmootherParams];
  const cf_param* listed[kSmootherParams];
  int64_t most_features; /* that it takes */
  cf_cap_proba proba;
  cf_cap_prepare prepare;
  cf_cap_fit_path fit_path;
  cf_cap_incremental incremental;
  cf_cap_cross_predict cross_predict;
  cf_cap_serialize serialize;
  cf_cap_importance importance;
  cf_cap_warm_start warm_start;
  cf_cap_validation validation;
  cf_cap_check check;
  cf_cap_memory memory;
  cf_cap_fit_memory fit_memory;
  cf_cap_export exports;
  cf_cap_onnx onnx;
} SmootherParts;

static inline SmootherParts* PartsOf(const cf_info* self) { return (SmootherParts*)self->data; }

/* What is wrong with a learner. Functions that are NULL change nothing. */
struct Defect {
  const char* id;
  const char* what;
  /* Of a defect that would show in every other capability as well: it has only CF_CAP_PROBA. */
  int only_proba;
  /* Replaces any function or entry of the tables, after all are filled in. */
  void (*change)(SmootherParts* parts);
  /* Before a fit. */
  void (*disturb)(void);
  void (*before)(const cf_call* call, const cf_arg* args, const cf_table* train);
  /* By how much the width of a fit is multiplied. */
  double (*widen)(const cf_call* call, const cf_arg* args, const cf_table* train);
  /* What fit takes for its rows. */
  void (*retrain)(cf_table* train);
  /* What fit and predict take for a column. */
  void (*misread)(cf_column* column);
  /* What predict and predict_proba do with other columns than in training. */
  cf_status (*refuse)(const cf_call* call);
  /* What they make of an answer. */
  void (*spoil)(const cf_call* call, const Smoother* s, const cf_table* rows, cf_prediction* out);
};

#ifdef __cplusplus
extern "C" {
#endif
/* A plugin of these learners. */
const cf_plugin* EnterDefects(const char* id, const Defect* defects, size_t n);
/* One of one learner that is `change`d. */
const cf_plugin* EnterSmoother(const char* id, void (*change)(SmootherParts* parts));
/* Every function that a row changes calls these at its end. */
cf_status CF_CALL BrokenFit(const cf_call* call, const cf_arg* args, size_t n_args,
                            const cf_table* train, cf_model** out);
cf_status CF_CALL BrokenPredict(const cf_call* call, const cf_model* model, const cf_table* rows,
                                cf_prediction* out);
const void* CF_CALL SmootherCapability(const cf_info* self, const char* id);
#ifdef __cplusplus
}
#endif

#endif
