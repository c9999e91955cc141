// RIPPER, rules class by class: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../feature_text.h"
#include "../level_names.h"
#include "../number_text.h"
#include "../saved_texts.h"
#include "class_rules.h"
#include "crossfold_plugin.hpp"
#include "table.h"

namespace crossfold::bundled::ripper {
namespace {

namespace cf = crossfold::plugin;

// The answer for the rows that fulfil all conditions, and those of no earlier rule.
struct Answer {
  Conditions conditions;
  std::vector<double> classes;  // training weight of each
};

double Total(const std::vector<double>& classes) {
  return std::accumulate(classes.begin(), classes.end(), 0.0);
}

// Ties go to the lower index.
std::size_t Heaviest(const std::vector<double>& classes) {
  return static_cast<std::size_t>(std::max_element(classes.begin(), classes.end()) -
                                  classes.begin());
}

std::vector<double> WeighClasses(const Table& table, std::size_t n_classes, const Rows& rows) {
  std::vector<double> classes(n_classes);
  for (const std::uint32_t row : rows) {
    classes[static_cast<std::size_t>(table.labels[row])] += table.weights[row];
  }
  return classes;
}

// The classes that have rows, the rarest first; the last is the class of the rest. Of equally
// frequent classes the one with the lower index comes later.
std::vector<std::size_t> ByFrequency(const std::vector<double>& classes) {
  std::vector<std::size_t> order;
  for (std::size_t c = classes.size(); c-- > 0;) {
    if (classes[c] > 0) order.push_back(c);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return classes[a] < classes[b]; });
  return order;
}

// Returns the rule without the conditions that a later one on the same feature implies.
Conditions Tightest(const Conditions& conditions) {
  Conditions kept;
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    const auto implies = [&](const Condition& later) {
      return later.feature == conditions[k].feature && later.test == conditions[k].test;
    };
    const auto next = conditions.begin() + static_cast<std::ptrdiff_t>(k + 1);
    if (std::none_of(next, conditions.end(), implies)) kept.push_back(conditions[k]);
  }
  return kept;
}

class Ripper {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.ripper",
                    .title = "RIPPER",
                    .doc = "Rules for one class after the other, the rarest class first: each rule "
                           "is grown on some rows and pruned on others, and the description length "
                           "of the list is minimized. The first rule that holds gives the label.",
                    .source = "W. W. Cohen, Fast effective rule induction, Twelfth International "
                              "Conference on Machine Learning (1995) 115-123",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_ROW_ORDER},
      .accepts =
          CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS};
  using Params = RipperParams;
  static constexpr auto kSchema = cf::Schema(
      cf::Boolean("prune", &Params::prune,
                  "Prune rules and optimize the list; without it the rules are only grown."),
      cf::Integer(
          "folds", &Params::folds, {.low = 2, .high = 1000},
          "Number of parts of the rows, of which one is for pruning and the others for growing.",
          {.active_if = "prune=true"}),
      cf::Integer("optimizations", &Params::optimizations, {.low = 0, .high = 1000},
                  "Number of times that every rule may be replaced by a better one.",
                  {.active_if = "prune=true"}),
      cf::Real("min_rows", &Params::min_rows, {.low = 0},
               "Minimum weight of rows of the class at every condition.", {.unit = "rows"}),
      cf::Boolean("check_error", &Params::check_error,
                  "Reject rules that are wrong on half of the rows that they cover, or more."));

  static Ripper Fit(const Params& params, const cf::TrainingView& train,
                    const cf::Context& context) {
    Ripper fitted;
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      fitted.classes_.emplace_back(train.class_name(c));
    }
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      fitted.names_.emplace_back(train.name(j));
      fitted.levels_.push_back(LevelNames(train, j));
    }
    fitted.Learn(params, ReadTable(train), context);
    return fitted;
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    // Numbers and their order, and the rows that are left.
    return BytesOfRows(shape, 16, 128);
  }

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(names_), .n_classes = std::ssize(classes_)};
  }
  void PredictProba(const cf::FeatureView& rows, std::span<double> probabilities,
                    const cf::Context& context) const {
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (i % 1024 == 0) {
        context.Progress(static_cast<double>(i) / static_cast<double>(rows.num_rows()));
      }
      const std::vector<double>& classes = AnswerTo(rows, i).classes;
      const double total = Total(classes);
      double* out = probabilities.data() + static_cast<std::size_t>(i) * classes.size();
      for (std::size_t c = 0; c < classes.size(); ++c) out[c] = classes[c] / total;
    }
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    std::string text;
    for (const Answer& answer : answers_) {
      std::string conditions;
      for (const Condition& c : answer.conditions) {
        conditions += (conditions.empty() ? "if " : " and ") + ConditionText(c);
      }
      const std::size_t label = Heaviest(answer.classes);
      const double total = Total(answer.classes);
      text += (conditions.empty() ? "otherwise " : conditions + " then ") + classes_[label] + " (" +
              NumberText(answer.classes[label]) + "/" + NumberText(total) + ")\n";
    }
    return text;
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    SaveTexts(w, classes_);
    SaveTexts(w, names_);
    for (const auto& levels : levels_) SaveTexts(w, levels);
    w.Write(static_cast<std::uint64_t>(answers_.size()));
    for (const Answer& answer : answers_) {
      w.Write(static_cast<std::uint64_t>(answer.conditions.size()));
      for (const Condition& c : answer.conditions) {
        w.Write(c.feature);
        w.Write(static_cast<std::uint8_t>(c.test));
        w.Write(c.value);
      }
      for (const double weight : answer.classes) w.Write(weight);
    }
  }
  static Ripper Load(cf::Reader& r) {
    Ripper loaded;
    loaded.classes_ = LoadTexts(r);
    loaded.names_ = LoadTexts(r);
    for (std::size_t j = 0; j < loaded.names_.size(); ++j) loaded.levels_.push_back(LoadTexts(r));
    const auto n_answers = r.Read<std::uint64_t>();
    for (std::uint64_t k = 0; k < n_answers; ++k) loaded.answers_.push_back(loaded.ReadAnswer(r));
    Require(n_answers > 0 && loaded.answers_.back().conditions.empty());
    return loaded;
  }

 private:
  static void Require(bool holds) {
    if (!holds) throw cf::Error(CF_E_BAD_BLOB, "the saved rules are inconsistent");
  }

  void Learn(const RipperParams& params, const Table& table, const cf::Context& context) {
    Rows left(table.num_rows());
    std::iota(left.begin(), left.end(), 0u);
    const std::vector<double> all = WeighClasses(table, classes_.size(), left);
    Course course{context.MakeRandom(), context};
    double rest = Total(all);  // of this class and the more frequent ones
    const std::vector<std::size_t> order = ByFrequency(all);
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
      const double weight = all[order[k]];
      const ClassRules learner(params, table, static_cast<std::int32_t>(order[k]), left,
                               weight / rest);
      for (const Rule& rule : learner.Learn(course)) AddAnswer(table, rule.conditions, left);
      rest -= weight;
      course.done += weight / Total(all);
    }
    AddAnswer(table, {}, left);
    // If the rules cover all training rows, other rows get the shares of all training rows.
    if (answers_.back().classes == std::vector<double>(all.size())) answers_.back().classes = all;
  }

  // Removes the rows that it covers from `left`.
  void AddAnswer(const Table& table, const Conditions& conditions, Rows& left) {
    Rows covered, rest;
    for (const std::uint32_t row : left) {
      (table.Covers(conditions, row) ? covered : rest).push_back(row);
    }
    answers_.push_back({Tightest(conditions), WeighClasses(table, classes_.size(), covered)});
    left = std::move(rest);
  }

  const Answer& AnswerTo(const cf::FeatureView& rows, std::int64_t i) const {
    const auto holds = [&](const Condition& c) {
      const double x = rows.x(i, c.feature);
      RefuseInfinite(names_[c.feature], x);
      return c.Holds(x);
    };
    return *std::find_if(answers_.begin(), answers_.end(), [&](const Answer& answer) {
      return std::all_of(answer.conditions.begin(), answer.conditions.end(), holds);
    });
  }

  std::string ConditionText(const Condition& c) const {
    if (c.test == Test::kEqual) {
      return names_[c.feature] + " = " + levels_[c.feature][static_cast<std::size_t>(c.value)];
    }
    return names_[c.feature] + (c.test == Test::kAtMost ? " <= " : " >= ") + NumberText(c.value);
  }

  Answer ReadAnswer(cf::Reader& r) const {
    Answer answer;
    const auto n_conditions = r.Read<std::uint64_t>();
    for (std::uint64_t k = 0; k < n_conditions; ++k) {
      Condition& c = answer.conditions.emplace_back();
      c.feature = r.Read<std::uint32_t>();
      c.test = static_cast<Test>(r.ReadWithin<std::uint8_t>(0, 2));
      c.value = r.Read<double>();
      Require(c.feature < names_.size());
      const std::size_t n_levels = levels_[c.feature].size();
      const bool is_code =
          c.value >= 0 && c.value < static_cast<double>(n_levels) && c.value == std::floor(c.value);
      Require(c.test == Test::kEqual ? is_code : n_levels == 0 && std::isfinite(c.value));
    }
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      answer.classes.push_back(r.ReadWithin<double>(0, std::numeric_limits<double>::max()));
    }
    const double total = Total(answer.classes);
    Require(total > 0 && std::isfinite(total));
    return answer;
  }

  std::vector<std::string> classes_, names_;
  std::vector<std::vector<std::string>> levels_;  // of every feature; empty for numbers
  std::vector<Answer> answers_;                   // the last has no condition
};

}  // namespace
}  // namespace crossfold::bundled::ripper

CROSSFOLD_PLUGIN("crossfold.ripper", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::ripper::Ripper)
