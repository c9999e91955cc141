/* A plugin without a defect whose learner really learns and has every capability. A bad plugin
 * includes this header and defines Break(), which breaks it in one place. DEFECT, the name of the
 * file, is defined by CMakeLists.txt. */
#ifndef CROSSFOLD_TESTS_SMOOTHER_H
#define CROSSFOLD_TESTS_SMOOTHER_H

#include "smoother_tables.h"
#include "working_plugin.h"

#define SMOOTHER_ID "bad." DEFECT

/* Breaks the learner of this file. Called at every entry, after everything has been filled in. */
static void Break(cf_learner* learner);

static const char* const kSmootherShapes[] = {"tails", "box"};

/* Of smoother_params. */
enum { kWidth = 0, kShape = 1, kPower = 2, kTitle = 3, kSmootherParams = 4 };
static cf_param smoother_params[kSmootherParams];

static inline void FillSmootherParams(void) {
  cf_param* param = smoother_params;
  memset(smoother_params, 0, sizeof(smoother_params));
  param->struct_size = sizeof(cf_param);
  param->flags = CF_PF_LOG | CF_PF_SUBMODEL;
  param->name = "width";
  param->doc = "How far a training row is heard.";
  param->type = param->def.type = CF_P_REAL;
  param->def.u.r = 0.5;
  param->lo = 0.001;
  param->hi = 1000;
  ++param;
  param->struct_size = sizeof(cf_param);
  param->name = "shape";
  param->doc = "How nearness falls with the distance.";
  param->type = param->def.type = CF_P_CHOICE;
  param->choices = kSmootherShapes;
  param->n_choices = 2;
  ++param;
  param->struct_size = sizeof(cf_param);
  param->name = "power";
  param->doc = "How fast the tails fall.";
  param->type = param->def.type = CF_P_INT;
  param->def.u.i = 3;
  param->ilo = 1;
  param->ihi = 8;
  param->active_if = "shape=tails";
  ++param;
  param->struct_size = sizeof(cf_param);
  param->name = "title";
  param->doc = "What the model is called; nothing comes of it.";
  param->type = param->def.type = CF_P_STRING;
  param->def.u.s.p = "smoother";
  param->def.u.s.n = 8;
}

/* For defects that would show in every other capability as well. */
static inline const void* CF_CALL OnlyProba(const cf_info* self, const char* id) {
  (void)self;
  return strcmp(id, CF_CAP_PROBA) == 0 ? &smoother_proba : NULL;
}

static inline void KeepOnlyProba(cf_learner* learner) {
  learner->get_capability = OnlyProba;
  smoother_params[kWidth].flags &= ~(uint32_t)CF_PF_SUBMODEL;
}

static inline void FillSmoother(cf_learner* learner) {
  static const cf_param* const params[] = {&smoother_params[kWidth], &smoother_params[kShape],
                                           &smoother_params[kPower], &smoother_params[kTitle]};
  FillSmootherParams();
  learner->struct_size = sizeof(cf_learner);
  learner->info.id = SMOOTHER_ID;
  learner->info.version = "1.0.0";
  learner->info.title = "Smoother";
  learner->info.doc = "The mean of the training rows, weighted by how near they are.";
  learner->info.params = params;
  learner->info.n_params = kSmootherParams;
  learner->info.determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER | CF_DET_UNSEEDED;
  learner->info.threading = CF_MT_PREDICT;
  learner->tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION;
  learner->accepts = CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING |
                     CF_ACCEPTS_WEIGHTS | CF_ACCEPTS_NO_FEATURES;
  learner->fit = SmootherFit;
  learner->predict = SmootherPredict;
  learner->destroy = SmootherDestroy;
  learner->get_capability = SmootherCapability;
}

CF_MANIFEST(WORKING_MANIFEST(SMOOTHER_ID));

static inline const cf_plugin* EnterSmoother(void) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  FillSmoother(&learner);
  FillPlugin(&plugin, SMOOTHER_ID, learners);
  Break(&learner);
  return &plugin;
}

#if !defined(OWN_ENTRY) /* a file that defines it writes the entry function itself */
const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor, (void)host;
  return EnterSmoother();
}
#endif

#endif
