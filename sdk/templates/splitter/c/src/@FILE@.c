/* @NAME@: shuffles the rows and deals them into folds (k-fold cross-validation). */
#include <string.h>

#include "call.h"

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"@ID@\",\"version\":\"0.1.0\","
    "\"learners\":[],\"transforms\":[],\"splitters\":[\"@ID@\"],\"metrics\":[]}");

/* Uniform over 0 .. n-1, without bias: draws from the last, incomplete block are thrown away. */
static uint64_t draw_below(const cf_call* call, uint64_t n) {
  const uint64_t limit = UINT64_MAX - UINT64_MAX % n;
  uint64_t drawn;
  do {
    call->host->random_u64(call, &drawn, 1);
  } while (drawn >= limit);
  return drawn % n;
}

/* Puts 0 .. n-1 into random order (Fisher and Yates). */
static void shuffle_rows(const cf_call* call, int64_t* order, int64_t n) {
  int64_t i;
  for (i = 0; i < n; ++i) order[i] = i;
  for (i = n; i > 1; --i) {
    const int64_t other = (int64_t)draw_below(call, (uint64_t)i);
    const int64_t row = order[i - 1];
    order[i - 1] = order[other];
    order[other] = row;
  }
}

/* It never lowers what was asked for. */
static cf_status require_rows(const cf_call* call, int64_t folds, int64_t n_rows) {
  char text[128];
  if (folds <= n_rows) return CF_OK;
  snprintf(text, sizeof(text), "%lld folds exceed the %lld rows; use fewer folds", (long long)folds,
           (long long)n_rows);
  return fail(call, CF_E_INVALID_PARAM, text);
}

static cf_status CF_CALL split(const cf_call* call, const cf_arg* args, size_t n_args,
                               const cf_split_input* input, const cf_split_sink* sink) {
  int64_t i, folds, *order;
  int32_t* fold_of_row;
  cf_status status;
  if (n_args != 1) return fail(call, CF_E_INVALID_ARGUMENT, "expected one parameter");
  folds = args[0].value.u.i;
  status = require_rows(call, folds, input->n_rows);
  if (status != CF_OK) return status;
  if (input->groups != NULL) { /* their rows must not be torn apart */
    return fail(call, CF_E_UNSUPPORTED_DATA,
                "the data have groups; use a splitter that keeps them together");
  }
  order = scratch(call, input->n_rows, sizeof(int64_t));
  fold_of_row = scratch(call, input->n_rows, sizeof(int32_t));
  if (order == NULL || fold_of_row == NULL) return fail_memory(call);
  shuffle_rows(call, order, input->n_rows);
  for (i = 0; i < input->n_rows; ++i) fold_of_row[order[i]] = (int32_t)(i % folds);
  return sink->emit_partition(sink, fold_of_row, input->n_rows, (int32_t)folds);
}

/* Limits that are known before anything runs: see crossfold.check/1. */
static cf_status CF_CALL check(const cf_call* call, const cf_arg* args, size_t n_args,
                               const cf_shape* shape) {
  if (n_args != 1) return fail(call, CF_E_INVALID_ARGUMENT, "expected one parameter");
  return require_rows(call, args[0].value.u.i, shape->n_rows);
}
static const cf_cap_check kCheck = {sizeof(cf_cap_check), 0, check};
static const void* CF_CALL get_capability(const char* id) {
  return strcmp(id, CF_CAP_CHECK) == 0 ? &kCheck : NULL;
}

static const cf_param kFolds = {.struct_size = sizeof(cf_param),
                                .name = "folds",
                                .doc = "Number of folds.",
                                .type = CF_P_INT,
                                .def = {.type = CF_P_INT, .u.i = 5},
                                .ilo = 2,
                                .ihi = 1000000};
static const cf_param* const kParams[] = {&kFolds};

static const cf_splitter kSplitter = {
    .struct_size = sizeof(cf_splitter),
    .info =
        {.id = "@ID@",
         .version = "0.1.0",
         .title = "@NAME@",
         .doc =
             "Shuffles the rows and deals them into folds like cards, so that sizes differ by at "
             "most one. Each fold is the test set once. Refuses data with groups.",
         .params = kParams,
         .n_params = 1,
         .determinism = CF_DET_SEEDED | CF_DET_THREADS,
         .threading = CF_MT_PREDICT},
    .split = split,
    .get_capability = get_capability};
static const cf_splitter* const kSplitters[] = {&kSplitter};

static const cf_plugin kPlugin = {.magic = CF_ABI_MAGIC,
                                  .struct_size = sizeof(cf_plugin),
                                  .abi_major = CF_ABI_MAJOR,
                                  .abi_minor = CF_ABI_MINOR,
                                  .id = "@ID@",
                                  .version = "0.1.0",
                                  .vendor = "@VENDOR@",
                                  .license = "@LICENSE@",
                                  .n_splitters = 1,
                                  .splitters = kSplitters};

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  (void)host_abi_minor;
  (void)host;
  return &kPlugin;
}
