#include "params.h"

#include <string>

namespace crossfold::bundled {

namespace {

[[noreturn]] void Refuse(const std::string& finding) {
  throw plugin::Error(CF_E_INVALID_PARAM, finding);
}

tree::Criterion CriterionOf(TreeCriterion criterion, bool classification) {
  switch (criterion) {
    case TreeCriterion::kAuto:
      return classification ? tree::Criterion::kGini : tree::Criterion::kSquaredError;
    case TreeCriterion::kEntropy:
      return tree::Criterion::kEntropy;
    case TreeCriterion::kGainRatio:
      return tree::Criterion::kGainRatio;
    case TreeCriterion::kGini:
      return tree::Criterion::kGini;
    case TreeCriterion::kSquaredError:
      return tree::Criterion::kSquaredError;
    case TreeCriterion::kRandom:
      return tree::Criterion::kRandom;
    case TreeCriterion::kLeastValues:
      return tree::Criterion::kLeastValues;
    case TreeCriterion::kMostValues:
      return tree::Criterion::kMostValues;
  }
  Refuse("there is no such criterion");
}

bool IsForClasses(TreeCriterion criterion) {
  return criterion == TreeCriterion::kEntropy || criterion == TreeCriterion::kGainRatio ||
         criterion == TreeCriterion::kGini;
}

}  // namespace

void CheckTask(const TreeParams& params, bool classification) {
  const std::string criterion = kTreeCriterionNames[static_cast<std::size_t>(params.criterion)];
  if (classification && params.criterion == TreeCriterion::kSquaredError) {
    Refuse("criterion = squared_error is for regression; the target is categorical");
  }
  if (classification) return;
  if (IsForClasses(params.criterion)) {
    Refuse("criterion = " + criterion + " is for classification; the target is numeric");
  }
  if (params.chi_squared_p) {
    Refuse("chi_squared_p is for classification; the target is numeric");
  }
  if (params.pruning == TreePruning::kPessimistic || params.pruning == TreePruning::kErrorBased) {
    Refuse(std::string("pruning = ") + kTreePruningNames[static_cast<std::size_t>(params.pruning)] +
           " is for classification; the target is numeric");
  }
}

void CheckGrowth(const TreeParams& params) {
  if (params.growth != tree::Growth::kSliq) return;
  if (params.splits == TreeSplits::kOblique) {
    Refuse(
        "growth = sliq does not search splits = oblique, which need all rows in memory; use "
        "splits = axis, or growth = memory");
  }
  if (params.pruning == TreePruning::kReducedError) {
    Refuse(
        "growth = sliq does not take pruning = reduced_error, which needs all rows in memory; "
        "use pruning = pessimistic or cost_complexity, or growth = memory");
  }
  if (params.pruning == TreePruning::kErrorBased && params.subtree_raising) {
    Refuse(
        "growth = sliq does not take subtree_raising, which needs all rows in memory; use "
        "subtree_raising = false, or growth = memory");
  }
}

tree::GrowOptions GrowOptionsOf(const TreeParams& params, bool classification, std::uint64_t seed) {
  CheckTask(params, classification);
  CheckGrowth(params);
  tree::GrowOptions options;
  options.criterion = CriterionOf(params.criterion, classification);
  options.nominal = params.nominal;
  options.missing_gain = params.missing_gain;
  options.threshold = params.threshold;
  options.mdl_correction = params.mdl_correction && classification;
  options.average_gain_constraint = params.average_gain;
  options.oblique = params.splits == TreeSplits::kOblique;
  options.oblique_restarts = params.oblique_restarts;
  options.min_rows = params.min_rows;
  options.min_leaf = params.min_leaf;
  options.min_gain = params.min_gain;
  options.chi_squared_p = params.chi_squared_p.value_or(1);
  options.features_per_node = params.features_per_node.value_or(0);
  options.ties_by_draw = params.ties == TreeTies::kRandom;
  options.seed = seed;
  return options;
}

}  // namespace crossfold::bundled
