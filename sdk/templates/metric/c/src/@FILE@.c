/* @NAME@: the mean over the classes of the share of rows that is right (balanced accuracy). */
#include "call.h"

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"@ID@\",\"version\":\"0.1.0\","
    "\"learners\":[],\"transforms\":[],\"splitters\":[],\"metrics\":[\"@ID@\"]}");

/* No value exists, because of this class. */
static cf_status fail_undefined(const cf_call* call, const char* class_name) {
  char text[256];
  snprintf(text, sizeof(text), "class '%.200s' has no row", class_name);
  return fail(call, CF_E_UNDEFINED, text);
}

/* The weights of all rows and of those that are right, by class. */
static void count_rows(const cf_metric_input* rows, double* all, double* right) {
  int64_t i;
  for (i = 0; i < rows->n_rows; ++i) {
    const double weight = rows->weights != NULL ? rows->weights[i] : 1.0;
    const int32_t truth = rows->truth_labels[i];
    all[truth] += weight;
    if (rows->labels[i] == truth) right[truth] += weight;
  }
}

static cf_status CF_CALL score(const cf_call* call, const cf_arg* args, size_t n_args,
                               const cf_metric_input* rows, double* value) {
  double *all, *right, sum = 0;
  int64_t c, counted = 0;
  if (n_args != 1 || (rows->n_rows > 0 && (rows->labels == NULL || rows->truth_labels == NULL))) {
    return fail(call, CF_E_INVALID_ARGUMENT, "expected predicted labels and one parameter");
  }
  all = scratch(call, rows->n_classes, sizeof(double));
  right = scratch(call, rows->n_classes, sizeof(double));
  if (all == NULL || right == NULL) return fail_memory(call);
  count_rows(rows, all, right);
  for (c = 0; c < rows->n_classes; ++c) {
    if (all[c] > 0) {
      sum += right[c] / all[c];
      ++counted;
    } else if (args[0].value.u.i == 0) {
      return fail_undefined(call, rows->class_names[c]);
    }
  }
  if (counted == 0) return fail(call, CF_E_UNDEFINED, "there are no rows");
  *value = sum / (double)counted;
  return CF_OK;
}

static const cf_param kSkipUndefined = {
    .struct_size = sizeof(cf_param),
    .name = "skip_undefined",
    .doc = "Leave out the classes without rows, instead of having no value.",
    .type = CF_P_BOOL,
    .def = {.type = CF_P_BOOL, .u.i = 0}};
static const cf_param* const kParams[] = {&kSkipUndefined};

static const cf_metric kMetric = {
    .struct_size = sizeof(cf_metric),
    .needs = CF_NEEDS_LABELS,
    .info =
        {.id = "@ID@",
         .version = "0.1.0",
         .title = "@NAME@",
         .doc =
             "Mean over the classes of the weighted share of their rows that is predicted right. "
             "Has no value if a class has no rows.",
         .params = kParams,
         .n_params = 1,
         .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED,
         .threading = CF_MT_PREDICT},
    .tasks = CF_TASK_BINARY | CF_TASK_MULTICLASS,
    .direction = 1, /* higher is better */
    .worst = 0.0,
    .best = 1.0,
    .score = score};
static const cf_metric* const kMetrics[] = {&kMetric};

static const cf_plugin kPlugin = {.magic = CF_ABI_MAGIC,
                                  .struct_size = sizeof(cf_plugin),
                                  .abi_major = CF_ABI_MAJOR,
                                  .abi_minor = CF_ABI_MINOR,
                                  .id = "@ID@",
                                  .version = "0.1.0",
                                  .vendor = "@VENDOR@",
                                  .license = "@LICENSE@",
                                  .n_metrics = 1,
                                  .metrics = kMetrics};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor;
  (void)host;
  return &kPlugin;
}
