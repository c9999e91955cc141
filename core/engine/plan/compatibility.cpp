#include "engine/plan/compatibility.h"

#include <cmath>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/error.h"
#include "crossfold_plugin/view.hpp"

namespace crossfold {
namespace {

constexpr std::uint32_t kClassification = CF_TASK_BINARY | CF_TASK_MULTICLASS;

std::uint32_t TaskBits(const Component& c) {
  return c.learner ? c.learner->tasks : c.transform->tasks;
}

[[noreturn]] void ThrowCannotUse(const Spec& step, const Dataset& data,
                                 const std::string& problem) {
  throw Error(ErrorKind::kInvalidArgument, "cannot use " +
                                               std::string(KindName(step.component().kind)) + " '" +
                                               ShortSpecText(step.ToString()) + "' on dataset '" +
                                               data.name() + "': " + problem);
}

// Returns a column name as a field of a Lua table.
std::string FieldText(const std::string& name) {
  const bool is_name =
      !name.empty() && (name[0] < '0' || name[0] > '9') &&
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
          std::string::npos;
  return is_name ? name : "[\"" + name + "\"]";
}

void CheckStep(const Spec& step, const Dataset& data) {
  std::string problem = FindTaskProblem(TaskBits(step.component()), data);
  if (!problem.empty()) ThrowCannotUse(step, data, problem);
  if (!data.weights().empty() && (AcceptBits(step.component()) & CF_ACCEPTS_WEIGHTS) == 0) {
    ThrowCannotUse(step, data,
                   "it does not accept row weights (column '" + data.roles().weights +
                       "'); read the data without weights");
  }
}

}  // namespace

std::uint32_t AcceptBits(const Component& c) {
  return c.learner ? c.learner->accepts : c.transform->accepts;
}

std::string FindTaskProblem(std::uint32_t tasks, const Dataset& data) {
  if (data.task() == Task::kNone) {
    return "the dataset has no target; read it with target = \"<column>\"";
  }
  const std::string target = "the target '" + data.roles().target + "'";
  if (data.task() == Task::kRegression) {
    if ((tasks & CF_TASK_REGRESSION) != 0) return "";
    return "it is for classification, " + target +
           " is numeric; if its numbers name classes, read it with types = { " +
           FieldText(data.roles().target) + " = \"categorical\" }";
  }
  if ((tasks & kClassification) == 0) return "it is for regression, " + target + " is categorical";
  const std::string classes = target + " has " + std::to_string(data.num_classes());
  if (data.num_classes() > 2 && (tasks & CF_TASK_MULTICLASS) == 0) {
    return "it is for two classes, " + classes;
  }
  if (data.num_classes() == 2 && (tasks & CF_TASK_BINARY) == 0) {
    return "it is for more than two classes, " + classes;
  }
  return "";
}

std::int64_t CountMissing(const cf_column& column, std::int64_t n_entries) {
  if (column.null_count >= 0) return column.null_count;
  const bool may_be_nan = column.dtype == CF_F64 || column.dtype == CF_F32;
  if (column.validity == nullptr && !may_be_nan && column.dtype != CF_CAT32) return 0;
  std::int64_t missing = 0;
  for (std::int64_t i = 0; i < n_entries; ++i) {
    missing += std::isnan(plugin::EntryAsDouble(column, i)) ? 1 : 0;
  }
  return missing;
}

std::string FindFeatureProblem(std::uint32_t accepts, std::span<const cf_column> features,
                               std::int64_t n_entries) {
  if (features.empty() && (accepts & CF_ACCEPTS_NO_FEATURES) == 0) {
    return "it needs features and there are none";
  }
  for (const cf_column& column : features) {
    const std::string name = "feature '" + std::string(column.name) + "'";
    const bool categorical = column.dtype == CF_CAT32;
    if (categorical && (accepts & CF_ACCEPTS_CATEGORICAL) == 0) {
      return "it does not accept categorical features (" + name +
             "); encode them as numbers or leave them out";
    }
    if (!categorical && (accepts & CF_ACCEPTS_NUMERIC) == 0) {
      return "it does not accept numeric features (" + name +
             "); make them categorical or leave them out";
    }
    if ((accepts & CF_ACCEPTS_MISSING) != 0) continue;
    const std::int64_t missing = CountMissing(column, n_entries);
    if (missing > 0) {
      return "it does not accept missing values (" + std::to_string(missing) + " in " + name +
             "); fill them in or leave the feature out";
    }
  }
  return "";
}

void CheckCompatible(const Pipeline& learner, const Dataset& data) {
  for (const std::shared_ptr<const Spec>& step : learner.steps()) CheckStep(*step, data);
  const Spec& first = *learner.steps().front();
  if (data.num_rows() == 0) ThrowCannotUse(first, data, "there are no rows");
  std::vector<cf_column> features(data.features().begin(), data.features().end());
  if (const ColumnChoice* columns = first.columns()) {
    const std::string unknown = columns->FindUnknown(features);
    if (!unknown.empty()) ThrowCannotUse(first, data, unknown);
    std::erase_if(features, [&](const cf_column& feature) { return !columns->Has(feature); });
    if (features.empty()) return;
  }
  const std::string problem =
      FindFeatureProblem(AcceptBits(first.component()), features, data.num_rows());
  if (!problem.empty()) ThrowCannotUse(first, data, problem);
}

void RequireTrainingRows(const SplitPlan& splits) {
  if (splits.min_train_rows() > 0) return;
  throw Error(ErrorKind::kInvalidArgument,
              "cannot fit on a split of '" + splits.view().data->name() +
                  "': it has no training rows, as of predictions that were imported without folds; "
                  "name their column of folds, or use another splitter");
}

}  // namespace crossfold
