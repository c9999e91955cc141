/* No defect: what the others break in one place, and must pass every check. */
#include "smoother_reports.h"
#include "working_metric.h"
#include "working_source.h"
#include "working_splitter.h"
#include "working_transform.h"

static void TakeOneFeature(SmootherParts* parts) { parts->most_features = 1; }

static const Defect kLearners[] = {
    {"bad.good_smoother", "The mean of the training rows, weighted by how near they are.",
     .change = NULL},
    {"bad.good_one_feature", "A method for one feature, which refuses more.",
     .change = TakeOneFeature},
};

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"bad.sound\",\"version\":\"1.0.0\","
    "\"learners\":[\"bad.good_smoother\",\"bad.good_one_feature\"],"
    "\"transforms\":[\"bad.good_transform\"],\"splitters\":[\"bad.good_splitter\"],"
    "\"metrics\":[\"bad.good_metric\"],\"sources\":[\"bad.good_source\"]}");

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t host_abi_minor, const cf_host* host) {
  static cf_transform transform;
  static cf_splitter splitter;
  static cf_metric metric;
  static cf_source source;
  static const cf_transform* const transforms[] = {&transform};
  static const cf_splitter* const splitters[] = {&splitter};
  static const cf_metric* const metrics[] = {&metric};
  static const cf_source* const sources[] = {&source};
  static cf_plugin plugin;
  (void)host_abi_minor, (void)host;
  plugin = *EnterDefects("bad.sound", kLearners, 2);
  FillTransform(&transform, "bad.good_transform");
  FillSplitter(&splitter, "bad.good_splitter");
  FillMetric(&metric, "bad.good_metric");
  FillSource(&source, "bad.good_source");
  plugin.transforms = transforms;
  plugin.splitters = splitters;
  plugin.metrics = metrics;
  plugin.sources = sources;
  plugin.n_transforms = plugin.n_splitters = plugin.n_metrics = plugin.n_sources = 1;
  return &plugin;
}
