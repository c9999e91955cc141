/* No defect: what must pass every check. */
#include "working_metric.h"

CF_MANIFEST(WORKING_METRIC_MANIFEST("bad.good_metric"));

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_metric metric;
  static const cf_metric* const metrics[] = {&metric};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  FillMetric(&metric, "bad.good_metric");
  FillMetricPlugin(&plugin, "bad.good_metric", metrics, 1);
  return &plugin;
}
