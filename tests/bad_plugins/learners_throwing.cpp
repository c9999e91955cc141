// Learners that let C++ exceptions out.
#include <stdexcept>

#include "smoother.h"

namespace {

void ThrowInFit(const cf_call*, const cf_arg*, const cf_table*) {
  throw std::runtime_error("singular matrix");
}
cf_status CF_CALL ThrowNumber(const cf_call*, const cf_model*, const cf_table*, cf_prediction*) {
  throw 42;
}
void ThrowAlways(SmootherParts* parts) { parts->learner.predict = ThrowNumber; }

void ThrowAfterwards(const cf_call*, const Smoother*, const cf_table* rows, cf_prediction*) {
  if (rows->n_rows > 0) throw std::runtime_error("bad cast");
}
cf_status ThrowOnOtherColumns(const cf_call*) {
  throw std::invalid_argument("other columns than in training");
}

constexpr Defect Named(const char* id, const char* what) {
  Defect defect{};
  defect.id = id;
  defect.what = what;
  return defect;
}

Defect defects[] = {
    Named("bad.throws", "Exceptions leave fit and predict."),
    Named("bad.throws_in_predict", "An exception leaves predict."),
    Named("bad.throws_on_error", "An exception leaves predict if it gets other columns."),
};

}  // namespace

#include "learners_throwing.manifest.h"

const cf_plugin* CF_CALL crossfold_plugin_v1(uint32_t, const cf_host*) {
  defects[0].before = ThrowInFit;
  defects[0].change = ThrowAlways;
  defects[1].spoil = ThrowAfterwards;
  defects[2].refuse = ThrowOnOtherColumns;
  return EnterDefects("bad.learners_throwing", defects, std::size(defects));
}
