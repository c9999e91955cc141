/* The tables of a plugin that crossfold_c.h writes, and the functions in them.
 * Part of crossfold_c.h, which tells how to use it. C99 or C++20. */
#ifndef CROSSFOLD_PLUGIN_C_TABLES_H
#define CROSSFOLD_PLUGIN_C_TABLES_H

#include "crossfold_c.h"

/* ---- what stands in the tables: checks what the boundary leaves to plugins, calls the author's
 * functions, which cf_info.data names -------------------------------------------------------------
 */

typedef cf_status (*cf_fit_function)(const cf_call*, cf_args, const cf_table* train, cf_model*);
typedef cf_status (*cf_predict_function)(const cf_call*, const cf_model*, const cf_table* rows,
                                         cf_prediction*);
typedef cf_status (*cf_apply_function)(const cf_call*, const cf_model*, const cf_table* rows,
                                       const cf_column_sink*);
typedef cf_status (*cf_split_function)(const cf_call*, cf_args, const cf_split_input*,
                                       const cf_split_sink*);
typedef cf_status (*cf_score_function)(const cf_call*, cf_args, const cf_metric_input*,
                                       double* value);
typedef const void*(CF_CALL* cf_capability_function)(const cf_info* self, const char* id);

typedef struct cf_c_functions { /* of one component; those of other kinds are NULL */
  size_t model_size;
  cf_fit_function fit;
  cf_predict_function predict;
  cf_apply_function apply;
  cf_split_function split;
  cf_score_function score;
} cf_c_functions;

static inline const cf_c_functions* cf_c_called(const cf_call* call) {
  return (const cf_c_functions*)call->self->data;
}

static inline cf_args cf_c_args(const cf_arg* items, size_t n) {
  cf_args args;
  args.items = items;
  args.n = n;
  return args;
}

static inline cf_status CF_CALL cf_c_fit(const cf_call* call, const cf_arg* args, size_t n_args,
                                         const cf_table* train, cf_model** out) {
  const cf_c_functions* called = cf_c_called(call);
  cf_model* model;
  cf_status status;
  *out = NULL;
  model = cf_new_model(call, called->model_size, train->n_features,
                       train->target != NULL ? cf_n_classes(train) : 0);
  if (model == NULL) return CF_E_OUT_OF_MEMORY;
  status = called->fit(call, cf_c_args(args, n_args), train, model);
  if (status == CF_OK) {
    *out = model;
  } else {
    cf_destroy(call->self, model);
  }
  return status;
}

static inline cf_status cf_c_check_features(const cf_call* call, const cf_model* model,
                                            const cf_table* rows) {
  const int64_t known = cf_c_head_of(model)->n_features;
  if (rows->n_features == known) return CF_OK;
  return cf_fail(call, CF_E_INVALID_ARGUMENT, "the model is for %lld features, the rows have %lld",
                 (long long)known, (long long)rows->n_features);
}

static inline cf_status CF_CALL cf_c_predict(const cf_call* call, const cf_model* model,
                                             const cf_table* rows, cf_prediction* out) {
  const int64_t n_classes = cf_c_head_of(model)->n_classes;
  const cf_status status = cf_c_check_features(call, model, rows);
  if (status != CF_OK) return status;
  if ((n_classes > 0 && out->labels == NULL) || (n_classes == 0 && out->values == NULL)) {
    return cf_fail(call, CF_E_UNSUPPORTED, "this learner predicts %s only",
                   n_classes > 0 ? "labels" : "values");
  }
  if (out->n_classes != n_classes || out->n_rows != rows->n_rows) {
    return cf_fail(call, CF_E_INVALID_ARGUMENT,
                   "the arrays are for %lld rows and %lld classes, wanted are %lld and %lld",
                   (long long)out->n_rows, (long long)out->n_classes, (long long)rows->n_rows,
                   (long long)n_classes);
  }
  return cf_c_called(call)->predict(call, model, rows, out);
}

static inline cf_status CF_CALL cf_c_apply(const cf_call* call, const cf_model* model,
                                           const cf_table* rows, const cf_column_sink* out) {
  const cf_status status = cf_c_check_features(call, model, rows);
  return status != CF_OK ? status : cf_c_called(call)->apply(call, model, rows, out);
}

static inline cf_status CF_CALL cf_c_split(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_split_input* rows, const cf_split_sink* out) {
  return cf_c_called(call)->split(call, cf_c_args(args, n_args), rows, out);
}

static inline cf_status CF_CALL cf_c_score(const cf_call* call, const cf_arg* args, size_t n_args,
                                           const cf_metric_input* rows, double* value) {
  return cf_c_called(call)->score(call, cf_c_args(args, n_args), rows, value);
}

/* ---- one of these is the end of the file ------------------------------------------------------
 * They begin with id, version, vendor and SPDX licence as string literals, a title, a few sentences
 * for users, and CF_DET_... bits; the id is that of the plugin and of its component. They end with
 * the addresses of the parameters, or CF_NO_PARAMS. No semicolon follows. */

#define CF_NO_PARAMS

/* `learner` is CF_CLASSIFIER, CF_REGRESSOR or CF_LEARNER. */
#define CF_LEARNER_PLUGIN(id, version, vendor, license, title, doc, determinism, learner, ...) \
  CF_C_LEARNER(id, version, vendor, license, title, doc, determinism, learner, __VA_ARGS__)
/* `accepts` is made of CF_ACCEPTS_... bits, `tasks` of CF_TASK_... bits; get_capability is a
 * cf_capability_function, or NULL. */
#define CF_LEARNER(tasks, accepts, fit, predict, get_capability) \
  tasks, accepts, fit, predict, get_capability
#define CF_CLASSIFIER(accepts, fit, predict) \
  CF_LEARNER(CF_TASK_BINARY | CF_TASK_MULTICLASS, accepts, fit, predict, NULL)
#define CF_REGRESSOR(accepts, fit, predict) \
  CF_LEARNER(CF_TASK_REGRESSION, accepts, fit, predict, NULL)

#define CF_TRANSFORM_PLUGIN(id, version, vendor, license, title, doc, determinism, accepts, fit, \
                            apply, ...)                                                          \
  static const cf_c_functions cf_c_author = {                                                    \
      sizeof(struct cf_model), fit, NULL, apply, NULL, NULL};                                    \
  CF_C_PARAMS(__VA_ARGS__)                                                                       \
  static const cf_transform cf_c_component = {                                                   \
      sizeof(cf_transform),                                                                      \
      0,                                                                                         \
      CF_C_INFO(id, version, title, doc, determinism),                                           \
      CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION,                                  \
      accepts,                                                                                   \
      cf_c_fit,                                                                                  \
      cf_c_apply,                                                                                \
      cf_destroy,                                                                                \
      NULL};                                                                                     \
  static const cf_transform* const cf_c_list[] = {&cf_c_component};                              \
  CF_C_PLUGIN("transforms", id, version, vendor, license, 0, NULL, 1, cf_c_list, 0, NULL, 0, NULL)

/* `uses` is made of CF_SPLIT_USES_... bits; 0 = the number of rows is enough. */
#define CF_SPLITTER_PLUGIN(id, version, vendor, license, title, doc, determinism, uses, split, \
                           ...)                                                                \
  static const cf_c_functions cf_c_author = {0, NULL, NULL, NULL, split, NULL};                \
  CF_C_PARAMS(__VA_ARGS__)                                                                     \
  static const cf_splitter cf_c_component = {sizeof(cf_splitter), uses,                        \
                                             CF_C_INFO(id, version, title, doc, determinism),  \
                                             cf_c_split, NULL};                                \
  static const cf_splitter* const cf_c_list[] = {&cf_c_component};                             \
  CF_C_PLUGIN("splitters", id, version, vendor, license, 0, NULL, 0, NULL, 1, cf_c_list, 0, NULL)

/* `tasks` is made of CF_TASK_... bits, `needs` of CF_NEEDS_... bits; direction is +1 if higher is
 * better, -1 if lower is, 0 if neither is. */
#define CF_METRIC_PLUGIN(id, version, vendor, license, title, doc, determinism, tasks, needs, \
                         direction, worst, best, score, ...)                                  \
  static const cf_c_functions cf_c_author = {0, NULL, NULL, NULL, NULL, score};               \
  CF_C_PARAMS(__VA_ARGS__)                                                                    \
  static const cf_metric cf_c_component = {sizeof(cf_metric),                                 \
                                           needs,                                             \
                                           CF_C_INFO(id, version, title, doc, determinism),   \
                                           tasks,                                             \
                                           direction,                                         \
                                           worst,                                             \
                                           best,                                              \
                                           cf_c_score,                                        \
                                           NULL};                                             \
  static const cf_metric* const cf_c_list[] = {&cf_c_component};                              \
  CF_C_PLUGIN("metrics", id, version, vendor, license, 0, NULL, 0, NULL, 0, NULL, 1, cf_c_list)

/* What they are made of. Whether there are parameters or none, the first entry is no parameter. */
#define CF_C_PARAMS(...) static const cf_param* const cf_c_params[] = {NULL, __VA_ARGS__};
#define CF_C_INFO(id, version, title, doc, determinism)                                     \
  {                                                                                         \
    id, version, title, doc, NULL, &cf_c_params[1],                                         \
        sizeof(cf_c_params) / sizeof(cf_c_params[0]) - 1, determinism, 0, CF_MT_PREDICT, 0, \
        (void*)&cf_c_author                                                                 \
  }
#define CF_C_LEARNER(id, version, vendor, license, title, doc, determinism, tasks, accepts, fit, \
                     predict, get_capability, ...)                                               \
  static const cf_c_functions cf_c_author = {                                                    \
      sizeof(struct cf_model), fit, predict, NULL, NULL, NULL};                                  \
  CF_C_PARAMS(__VA_ARGS__)                                                                       \
  static const cf_learner cf_c_component = {sizeof(cf_learner),                                  \
                                            0,                                                   \
                                            CF_C_INFO(id, version, title, doc, determinism),     \
                                            tasks,                                               \
                                            accepts,                                             \
                                            cf_c_fit,                                            \
                                            cf_c_predict,                                        \
                                            cf_destroy,                                          \
                                            get_capability};                                     \
  static const cf_learner* const cf_c_list[] = {&cf_c_component};                                \
  CF_C_PLUGIN("learners", id, version, vendor, license, 1, cf_c_list, 0, NULL, 0, NULL, 0, NULL)
/* The last arguments: how many learners, transforms, splitters and metrics there are, and which. */
#define CF_C_PLUGIN(kind, id, version, vendor, license, ...)                                   \
  CF_MANIFEST("{\"crossfold\":1,\"abi_minor\":0,\"id\":\"" id "\",\"version\":\"" version      \
              "\",\"" kind "\":[\"" id "\"]}");                                                \
  static const cf_plugin cf_c_plugin = {                                                       \
      CF_ABI_MAGIC, sizeof(cf_plugin), CF_ABI_MAJOR, CF_ABI_MINOR, id, version,                \
      vendor,       license,           NULL,         __VA_ARGS__,  0,  NULL,                   \
      NULL};                                                                                   \
  const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) { \
    (void)host_abi_minor, (void)host;                                                          \
    return &cf_c_plugin;                                                                       \
  }

#endif
