// Checks of what every learner does: fit and predict.
#include <string>

#include "check/check_context.h"
#include "check/check_list.h"
#include "check/component_calls.h"
#include "check/probe_data.h"

namespace crossfold::check {
namespace {

// Every declared task gives a usable prediction.
void FitSmoke(CheckContext& context) {
  const SpecPtr spec = Spec::Make(context.shared_component(), {});
  for (const DataShape& shape : UsualShapes(context.component())) {
    const DataPtr data = MakeData(shape, context.SeedOf("data"));
    const Predicted prediction = FitPredict(*spec, AllRows(data), AllRows(data));
    if (!prediction.reply.ok()) {
      context.Fail("fit and predict on a " + Describe(shape) + " ended with " +
                   prediction.reply.Describe());
      continue;
    }
    const std::string problem = FindUnusable(prediction, data->num_classes());
    if (!problem.empty()) context.Fail("on a " + Describe(shape) + " " + problem);
  }
}

constexpr Check kChecks[] = {
    {"fit-smoke", CheckScope::kLearner, 2, false, "descriptor-complete",
     "every declared task gives a usable prediction", &FitSmoke},
};

}  // namespace

std::span<const Check> FitChecks() { return kChecks; }

}  // namespace crossfold::check
