/* Defect: fit never comes back and never asks whether to stop. */
#define _POSIX_C_SOURCE 200809L /* pause */
#include "working_plugin.h"

#include <unistd.h>

static cf_status CF_CALL Hang(const cf_call* call, const cf_arg* args, size_t n_args,
                              const cf_table* train, cf_model** out) {
  (void)call, (void)args, (void)n_args, (void)train, (void)out;
  for (;;) pause();
  return CF_E_INTERNAL;
}

CF_MANIFEST(WORKING_MANIFEST("bad.hangs"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillLearner(&learner, "bad.hangs");
  FillPlugin(&plugin, "bad.hangs", learners);
  learner.fit = Hang;
  return &plugin;
}
