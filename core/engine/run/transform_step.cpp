#include "engine/run/transform_step.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/table_schema.h"

namespace crossfold {
namespace {

// The features of a table that a step gets.
class ChosenFeatures {
 public:
  // REQUIRES: the memory that `rows` points to outlives this.
  ChosenFeatures(const Spec& step, const cf_table& rows) : table_(rows) {
    if (step.columns() == nullptr) return;
    for (const cf_column& feature : FeaturesOf(rows)) {
      chosen_.push_back(step.columns()->Has(feature));
      if (chosen_.back()) columns_.push_back(feature);
    }
    table_.features = columns_.data();
    table_.n_features = static_cast<std::int64_t>(columns_.size());
    is_none_ = columns_.empty();
  }
  ChosenFeatures(const ChosenFeatures&) = delete;
  ChosenFeatures& operator=(const ChosenFeatures&) = delete;

  // The rows with these features only.
  const cf_table& get() const { return table_; }
  // A flag for each feature of the rows.
  const std::vector<bool>& flags() const { return chosen_; }
  // Whether the step has a choice of features that takes none.
  bool is_none() const { return is_none_; }

 private:
  cf_table table_;
  std::vector<bool> chosen_;
  std::vector<cf_column> columns_;
  bool is_none_ = false;
};

void RequireKnownColumns(const Spec& step, const cf_table& train) {
  if (step.columns() == nullptr) return;
  std::string problem = step.columns()->FindUnknown(FeaturesOf(train));
  if (!problem.empty()) {
    ThrowStepError("fit", step.component(), CF_E_INVALID_ARGUMENT, std::move(problem));
  }
}

// Checks the features that the step gets.
void RequireAcceptedChoice(const Spec& step, const cf_table& train) {
  RequireAcceptedTraining(step.component(), ChosenFeatures(step, train).get());
}

// Applies the transform, whatever columns it makes.
std::unique_ptr<OwnedTable> Apply(const Spec& step, const StepModel& model, cf_table rows,
                                  std::uint64_t seed, CallSite& site) {
  const Component& component = step.component();
  rows.target = nullptr;
  rows.weights = nullptr;
  rows.groups = nullptr;
  const ChosenFeatures chosen(step, rows);
  auto made = std::make_unique<OwnedTable>(chosen.get());
  if (!chosen.is_none()) {
    RequireAccepted("apply", component, chosen.get());
    CallResult result = TryStep("apply", component, seed, site, [&](const cf_call* call) {
      return component.transform->apply(call, model.get(), &chosen.get(), made->sink());
    });
    if (made->problem().empty()) RequireOk("apply", component, std::move(result), site);
  }
  if (step.columns() != nullptr) made->PassBy(rows, chosen.flags());
  made->Finish();
  if (!made->problem().empty()) {
    ThrowStepError("apply", component, CF_E_INVALID_ARGUMENT, made->problem());
  }
  return made;
}

}  // namespace

StepModel FitTransform(const Spec& step, std::size_t i, const StepSeeds& seeds, TrainingRows& rows,
                       CallSite& site) {
  RequireKnownColumns(step, rows.get());
  if (ChosenFeatures(step, rows.get()).is_none()) return {step.component(), nullptr};
  RequireAcceptedChoice(step, rows.get());
  CheckShape(step, ChosenFeatures(step, rows.get()).get(), site);
  if (rows.Resample(step, seeds.Resample(i), site)) RequireAcceptedChoice(step, rows.get());
  const ChosenFeatures chosen(step, rows.get());
  StepModel model = CallFit(step, chosen.get(), seeds.FitTransform(i), site);
  rows.ReplaceColumns(Apply(step, model, rows.get(), seeds.Apply(i), site));
  return model;
}

std::unique_ptr<OwnedTable> ApplyTransform(const Spec& step, const StepModel& model,
                                           const TableSchema& made, const cf_table& rows,
                                           std::uint64_t seed, CallSite& site) {
  auto columns = Apply(step, model, rows, seed, site);
  const std::string difference = made.FindDifference(columns->columns());
  if (!difference.empty()) {
    ThrowStepError("apply", step.component(), CF_E_INVALID_ARGUMENT,
                   "it made different columns than for the training rows: " + difference);
  }
  return columns;
}

bool ChoosesNone(const Spec& step, std::span<const ColumnDeclaration> features) {
  return step.columns() != nullptr &&
         std::ranges::none_of(features, [&](const ColumnDeclaration& feature) {
           cf_column column{};
           column.name = feature.name.c_str();
           column.dtype = feature.dtype;
           return step.columns()->Has(column);
         });
}

}  // namespace crossfold
