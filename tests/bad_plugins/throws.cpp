// Defect: exceptions leave fit and predict.
#include <stdexcept>

#include "working_plugin.h"

CF_MANIFEST(WORKING_MANIFEST("bad.throws"));

namespace {

cf_status CF_CALL ThrowText(const cf_call*, const cf_arg*, size_t, const cf_table*, cf_model**) {
  throw std::runtime_error("singular matrix");
}

cf_status CF_CALL ThrowNumber(const cf_call*, const cf_model*, const cf_table*, cf_prediction*) {
  throw 42;
}

}  // namespace

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t, const cf_host*) {
  static cf_learner learner;
  static const cf_learner* const learners[] = {&learner};
  static cf_plugin plugin;
  FillLearner(&learner, "bad.throws");
  FillPlugin(&plugin, "bad.throws", learners);
  learner.fit = ThrowText;
  learner.predict = ThrowNumber;
  return &plugin;
}
