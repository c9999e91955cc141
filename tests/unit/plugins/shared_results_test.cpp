// Every bundled learner with and without sharing (RunOptions::share): equal bytes, or within the
// tolerance that its capability declares, plain and after a transform, on partitions of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold/cell.h"
#include "crossfold/run.h"
#include "crossfold/split.h"
#include "crossfold_plugin/random.hpp"
#include "sanitized.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/random_settings.h"

namespace crossfold {
namespace {

// Random settings beside the chosen ones: fewer for learners that only share equal work.
std::size_t NumDraws(const Component& learner) {
  const bool offers = learner.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT) != nullptr ||
                      learner.capability<cf_cap_incremental>(CF_CAP_INCREMENTAL) != nullptr ||
                      learner.capability<cf_cap_fit_path>(CF_CAP_FIT_PATH) != nullptr ||
                      learner.capability<cf_cap_prepare>(CF_CAP_PREPARE) != nullptr;
  return offers ? Enough(6) : 1;
}

// ---- settings -----------------------------------------------------------------------------------

// Some values of a fit-path parameter: all of a choice, small numbers, the default.
std::vector<Value> SubmodelValues(const ParamSpec& param) {
  std::vector<Value> values = {param.default_value};
  const auto add = [&](Value value) { values.push_back(std::move(value)); };
  if ((param.flags & CF_PF_NULLABLE) != 0) add(Null{});
  for (const std::string& choice : param.choices) add(choice);
  for (const std::int64_t n : {1, 2, 3, 7}) {
    if (param.type == CF_P_INT && n >= param.ilo && n <= param.ihi) add(n);
    const double x = 0.05 * static_cast<double>(n);
    if (param.type == CF_P_REAL && x >= param.lo && x <= param.hi) add(x);
  }
  if (param.type == CF_P_BOOL) {
    add(true);
    add(false);
  }
  return values;
}

// The default, every value of the parameters that one fit serves, and random settings with those.
std::vector<std::shared_ptr<const Spec>> SpecsOf(
    const std::shared_ptr<const Component>& component) {
  std::vector<ParamValues> settings = {{}};
  plugin::Random random(20261121);
  for (std::size_t draw = 0; draw < NumDraws(*component); ++draw)
    settings.push_back(check::DrawSpec(component, random)->given());
  const std::size_t n = settings.size();
  for (const ParamSpec& param : component->params) {
    if ((param.flags & CF_PF_SUBMODEL) == 0) continue;
    for (std::size_t i = 0; i < n; i += 3) {
      for (const Value& value : SubmodelValues(param)) {
        settings.push_back(settings[i]);
        settings.back()[param.name] = value;
      }
    }
  }
  std::vector<std::shared_ptr<const Spec>> specs;
  for (const ParamValues& values : settings) {
    try {
      specs.push_back(Spec::Make(component, values));
    } catch (const Error&) {  // a draw that does not fit together
    }
  }
  return specs;
}

// ---- data and splits ----------------------------------------------------------------------------

// Every `step`-th row.
DataView Sparse(const DataPtr& data, std::int64_t step) {
  RowIds rows;
  for (std::int64_t i = 0; i < data->num_rows(); i += step) rows.push_back(i);
  return RowsOf(data, rows);
}

struct NamedRows {
  const char* name;
  DataView rows;
};

const std::vector<NamedRows>& AllNamedRows() {
  static const std::vector<NamedRows> cases = [] {
    plugin::Random random(4);
    std::vector<std::int32_t> labels, codes;
    std::vector<double> with_gaps, numbers;
    for (int i = 0; i < 40; ++i) {
      labels.push_back(static_cast<std::int32_t>(random.Below(3)));
      codes.push_back(static_cast<std::int32_t>(random.Below(4)) - 1);  // -1 = missing
      numbers.push_back(static_cast<double>(random.Below(4)));
      with_gaps.push_back(random.Below(5) == 0 ? std::nan("") : random.Normal());
    }
    const auto mixed =
        Dataset::Create("mixed",
                        {Column::Doubles("gaps", with_gaps), Column::Doubles("ties", numbers),
                         Column::Categories("level", codes, {"a", "b", "c"}),
                         Column::Categories("y", labels, {"p", "q", "r"})},
                        {.target = "y"});
    return std::vector<NamedRows>{
        {"iris", Sparse(ReadTestData("iris.csv", "class"), 3)},
        {"weather", AllRows(ReadTestData("weather_nominal.csv", "play"))},
        {"mixed", AllRows(mixed)},
        {"diabetes", Sparse(ReadTestData("diabetes_regr.csv", "target"), 8)},
    };
  }();
  return cases;
}

std::shared_ptr<const SplitPlan> Split(std::string_view splitter, const ParamValues& values,
                                       const DataView& rows) {
  return MakeSplits(*BundledSpec(Kind::kSplitter, splitter, values), rows, 3);
}

std::vector<std::shared_ptr<const SplitPlan>> SplitsOf(const DataView& rows) {
  const bool classes = rows.data->num_classes() > 0;
  const auto repeats = static_cast<std::int64_t>(Enough(2));
  RowIds few;
  for (std::int64_t i = 0; i < rows.num_rows(); i += kSanitized ? 12 : 4)
    few.push_back(rows.row_id(i));
  std::reverse(few.begin(), few.end());
  return {Split("kfold", {{"folds", std::int64_t{5}}, {"repeats", repeats}, {"stratify", classes}},
                rows),
          Split("leave_one_out", {}, RowsOf(rows.data, few)),
          Split("holdout", {{"repeats", repeats}}, rows)};
}

// ---- comparing ----------------------------------------------------------------------------------

// Of cells of the learner alone on a partition; 0 = none.
double ToleranceOf(const Cell& cell) {
  if (!cell.learner->transforms().empty() || cell.splits->partitions().empty()) return 0;
  const Component& learner = cell.learner->learner().component();
  if (const auto* cross = learner.capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT)) {
    return cross->tolerance;
  }
  const auto* incremental = learner.capability<cf_cap_incremental>(CF_CAP_INCREMENTAL);
  return incremental == nullptr || incremental->exact != 0 ? 0 : incremental->tolerance;
}

// "" = within the tolerance; bit for bit if that is 0.
std::string Difference(const std::vector<double>& a, const std::vector<double>& b,
                       double tolerance) {
  if (a.size() != b.size()) return "other lengths";
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::bit_cast<std::uint64_t>(a[i]) == std::bit_cast<std::uint64_t>(b[i])) continue;
    const double most = tolerance * std::max(1.0, std::abs(b[i]));
    if (tolerance > 0 && std::abs(a[i] - b[i]) <= most) continue;
    return "entry " + std::to_string(i) + ": " + std::to_string(a[i]) + " beside " +
           std::to_string(b[i]);
  }
  return "";
}

std::string Difference(const Outcome& shared, const Outcome& alone, double tolerance) {
  if (shared.failure.message != alone.failure.message) {
    return "'" + shared.failure.message + "' beside '" + alone.failure.message + "'";
  }
  if (shared.status != alone.status) return "another status";
  if (shared.failure.stage != alone.failure.stage && tolerance == 0) return "another stage";
  if (shared.warnings != alone.warnings) return "other warnings";
  if (shared.n_train != alone.n_train || shared.n_test != alone.n_test) return "other counts";
  if (shared.prediction.rows != alone.prediction.rows) return "other rows";
  // Labels follow from the probabilities, where a tolerance may turn a tie.
  const bool has_scores = tolerance > 0 && !alone.prediction.probabilities.empty();
  if (!has_scores && shared.prediction.labels != alone.prediction.labels) return "other labels";
  const std::string values =
      Difference(shared.prediction.values, alone.prediction.values, tolerance);
  if (!values.empty()) return "value, " + values;
  return Difference(shared.prediction.probabilities, alone.prediction.probabilities, tolerance);
}

class SharedResults : public ::testing::TestWithParam<std::string> {
 protected:
  // Those that the data does not suit are left out.
  static std::vector<Cell> CellsOf(const std::vector<std::shared_ptr<const Spec>>& settings,
                                   bool behind_transform, const DataView& rows) {
    std::vector<Cell> cells;
    const auto splits = SplitsOf(rows);
    for (const auto& spec : settings) {
      std::vector<std::shared_ptr<const Spec>> steps = {spec};
      if (behind_transform) {
        steps.insert(steps.begin(), BundledSpec(Kind::kTransform, "standardize", {}));
      }
      const auto pipeline = Pipeline::Make(std::move(steps));
      try {
        CheckCompatible(*pipeline, *rows.data);
      } catch (const Error&) {
        continue;
      }
      for (const auto& plan : splits) {
        for (std::int64_t s = 0; s < plan->size(); ++s) {
          cells.push_back({pipeline, plan, s, 7, nullptr, Keep::kProbabilities});
        }
      }
    }
    return cells;
  }

  // Returns how many cells did not fail.
  static int Compare(const std::vector<Cell>& cells) {
    RunOptions options;
    options.workers = 1;
    const std::vector<Outcome> shared = RunCells(cells, options);
    options.share = false;
    const std::vector<Outcome> alone = RunCells(cells, options);
    int n_ok = 0, n_wrong = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      n_ok += alone[i].status == OutcomeStatus::kOk ? 1 : 0;
      const std::string difference = Difference(shared[i], alone[i], ToleranceOf(cells[i]));
      if (difference.empty()) continue;
      ADD_FAILURE() << cells[i].learner->ToString() << " on " << cells[i].splits->size()
                    << " splits, split " << cells[i].split << ": " << difference;
      if (++n_wrong == 5) break;
    }
    return n_ok;
  }
};

TEST_P(SharedResults, AreThoseOfSeparateFits) {
  const auto settings = SpecsOf(BundledPlugins().FindAny(GetParam()));
  int n_ok = 0;
  for (const NamedRows& one : AllNamedRows()) {
    SCOPED_TRACE(one.name);
    for (const bool behind_transform : {false, true}) {
      n_ok += Compare(CellsOf(settings, behind_transform, one.rows));
    }
  }
  EXPECT_GT(n_ok, 0);
}

INSTANTIATE_TEST_SUITE_P(Bundled, SharedResults, ::testing::ValuesIn(BundledLearnerIds()),
                         IdOfTest);

}  // namespace
}  // namespace crossfold
