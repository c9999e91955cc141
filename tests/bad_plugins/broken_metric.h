/* The metric of working_metric.h as a plugin. A bad plugin includes this header and defines
 * Break(), which breaks it in one place. */
#ifndef CROSSFOLD_TESTS_BROKEN_METRIC_H
#define CROSSFOLD_TESTS_BROKEN_METRIC_H

#include "working_metric.h"

static void Break(cf_metric* metric);

CF_MANIFEST(WORKING_METRIC_MANIFEST("bad." DEFECT));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_metric metric;
  static const cf_metric* const metrics[] = {&metric};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillMetric(&metric, "bad." DEFECT);
  FillMetricPlugin(&plugin, "bad." DEFECT, metrics, 1);
  Break(&metric);
  return &plugin;
}

#endif
