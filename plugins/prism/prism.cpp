// PRISM, rules class by class: see README.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../bytes_of_rows.h"
#include "../level_names.h"
#include "../saved_texts.h"
#include "../used_rows.h"
#include "../weight_unit.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

constexpr std::int32_t kMissing = -1;

struct Condition {
  std::uint32_t feature;
  std::int32_t level;
};

struct Rule {
  std::vector<Condition> conditions;  // in the order in which they were found
  std::int32_t label = 0;
};

// Training rows as level codes, by feature. Rows of weight 0 are left out.
struct Table {
  std::vector<std::vector<std::int32_t>> codes;  // features x rows
  std::vector<std::size_t> n_levels;
  std::vector<std::int32_t> labels;
  std::vector<double> weights;
};

// A missing entry has no code and is not equal to any level.
std::int32_t CodeOf(double x) {
  const bool is_code = x >= 0 && x <= std::numeric_limits<std::int32_t>::max();
  return is_code ? static_cast<std::int32_t>(x) : kMissing;
}

Table ReadTable(const cf::TrainingView& train) {
  Table table;
  const Positions kept = UsedRows(train);
  for (const std::int64_t i : kept) {
    table.labels.push_back(train.label(i));
    table.weights.push_back(train.weight(i));
  }
  WeightUnit(std::accumulate(table.weights.begin(), table.weights.end(), 0.0)).Round(table.weights);
  for (std::int64_t j = 0; j < train.num_features(); ++j) {
    RequireLevels(train, j, "prism");
    table.n_levels.push_back(LevelNames(train, j).size());
    std::vector<std::int32_t>& codes = table.codes.emplace_back();
    for (const std::int64_t i : kept) codes.push_back(CodeOf(train.x(i, j)));
  }
  return table;
}

// The condition whose rows have the largest share of the class; ties to more rows of the class,
// then to the earlier feature and level.
std::optional<Condition> BestCondition(const Table& table, const std::vector<std::size_t>& covered,
                                       const std::vector<bool>& used, std::int32_t label) {
  std::optional<Condition> best;
  double best_hits = 0;
  double best_all = 1;
  for (std::size_t j = 0; j < table.codes.size(); ++j) {
    if (used[j]) continue;
    std::vector<double> hits(table.n_levels[j]), all(table.n_levels[j]);
    for (const std::size_t i : covered) {
      if (table.codes[j][i] == kMissing) continue;
      const auto level = static_cast<std::size_t>(table.codes[j][i]);
      all[level] += table.weights[i];
      if (table.labels[i] == label) hits[level] += table.weights[i];
    }
    for (std::size_t level = 0; level < all.size(); ++level) {
      if (hits[level] == 0) continue;
      // hits / all against best_hits / best_all, without a division that could round.
      const double here = hits[level] * best_all;
      const double there = best_hits * all[level];
      if (here > there || (here == there && hits[level] > best_hits)) {
        best = {static_cast<std::uint32_t>(j), static_cast<std::int32_t>(level)};
        best_hits = hits[level];
        best_all = all[level];
      }
    }
  }
  return best;
}

void KeepMatches(const Table& table, const Condition& condition, std::vector<std::size_t>& rows) {
  const std::vector<std::int32_t>& codes = table.codes[condition.feature];
  std::erase_if(rows, [&](std::size_t i) { return codes[i] != condition.level; });
}

bool Pure(const Table& table, const std::vector<std::size_t>& rows, std::int32_t label) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](std::size_t i) { return table.labels[i] == label; });
}
bool Shows(const Table& table, const std::vector<std::size_t>& rows, std::int32_t label) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](std::size_t i) { return table.labels[i] == label; });
}

// Conditions are added until all rows that the rule covers are of the class, or none is left.
// `covered` gets these rows.
Rule GrowRule(const Table& table, std::int32_t label, std::vector<std::size_t>& covered) {
  Rule rule;
  rule.label = label;
  std::vector<bool> used(table.codes.size());
  do {
    const auto condition = BestCondition(table, covered, used, label);
    if (!condition) break;
    used[condition->feature] = true;
    KeepMatches(table, *condition, covered);
    rule.conditions.push_back(*condition);
  } while (!Pure(table, covered, label));
  return rule;
}

class Prism {
 public:
  static constexpr cf::LearnerInfo kInfo{
      .component = {.id = "crossfold.prism",
                    .title = "PRISM",
                    .doc = "Rules for one class after the other, each grown until it covers rows "
                           "of its class only. The first rule that holds gives the label; where "
                           "none holds, the most frequent class.",
                    .source = "J. Cendrowska, PRISM: an algorithm for inducing modular rules, "
                              "International Journal of Man-Machine Studies 27 (1987) 349-370",
                    .determinism = CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED},
      .accepts =
          CF_ACCEPTS_NUMERIC | CF_ACCEPTS_CATEGORICAL | CF_ACCEPTS_MISSING | CF_ACCEPTS_WEIGHTS};
  using Params = cf::NoParams;
  static constexpr auto kSchema = cf::kNoSchema;

  static Prism Fit(const Params&, const cf::TrainingView& train, const cf::Context& context) {
    Prism fitted;
    const Table table = ReadTable(train);
    for (std::int64_t j = 0; j < train.num_features(); ++j) {
      fitted.names_.emplace_back(train.name(j));
      fitted.levels_.push_back(LevelNames(train, j));
    }
    std::vector<double> weights(static_cast<std::size_t>(train.num_classes()));
    for (std::size_t i = 0; i < table.labels.size(); ++i) {
      weights[static_cast<std::size_t>(table.labels[i])] += table.weights[i];
    }
    fitted.default_ = static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) -
                                                weights.begin());
    for (std::int64_t c = 0; c < train.num_classes(); ++c) {
      fitted.classes_.emplace_back(train.class_name(c));
      fitted.AddRules(table, static_cast<std::int32_t>(c), context);
    }
    return fitted;
  }

  static std::uint64_t FitBytes(const Params&, const cf_shape& shape, const cf::Context&) {
    // Codes of levels, classes, weights, and the rows that are left.
    return BytesOfRows(shape, 4, 64);
  }

  cf::ModelShape shape() const {
    return {.n_features = std::ssize(names_), .n_classes = std::ssize(classes_)};
  }
  void Predict(const cf::FeatureView& rows, std::span<std::int32_t> labels,
               const cf::Context& context) const {
    std::vector<std::int32_t> codes(names_.size());
    for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
      if (i % 1024 == 0) {
        context.Progress(static_cast<double>(i) / static_cast<double>(rows.num_rows()));
      }
      for (std::size_t j = 0; j < codes.size(); ++j) {
        codes[j] = CodeOf(rows.x(i, static_cast<std::int64_t>(j)));
      }
      const auto holds = [&](const Rule& rule) {
        return std::all_of(rule.conditions.begin(), rule.conditions.end(),
                           [&](const Condition& c) { return codes[c.feature] == c.level; });
      };
      const auto rule = std::find_if(rules_.begin(), rules_.end(), holds);
      labels[static_cast<std::size_t>(i)] = rule == rules_.end() ? default_ : rule->label;
    }
  }

  static constexpr std::array<const char*, 1> kExportFormats = {"text"};
  std::string Export(std::size_t, const cf::Context&) const {
    std::string text;
    for (const Rule& rule : rules_) {
      text += "if ";
      for (std::size_t k = 0; k < rule.conditions.size(); ++k) {
        const Condition& c = rule.conditions[k];
        text += (k == 0 ? "" : " and ") + names_[c.feature] + " = " +
                levels_[c.feature][static_cast<std::size_t>(c.level)];
      }
      text += std::string(rule.conditions.empty() ? "true" : "") + " then " +
              classes_[static_cast<std::size_t>(rule.label)] + "\n";
    }
    return text + "otherwise " + classes_[static_cast<std::size_t>(default_)] + "\n";
  }

  static constexpr std::uint32_t kFormatVersion = 1;
  void Save(cf::Writer& w) const {
    SaveTexts(w, classes_);
    SaveTexts(w, names_);
    for (const auto& levels : levels_) SaveTexts(w, levels);
    w.Write(default_);
    w.Write(static_cast<std::uint64_t>(rules_.size()));
    for (const Rule& rule : rules_) {
      w.Write(rule.label);
      w.Write(static_cast<std::uint64_t>(rule.conditions.size()));
      for (const Condition& c : rule.conditions) {
        w.Write(c.feature);
        w.Write(c.level);
      }
    }
  }
  static Prism Load(cf::Reader& r) {
    Prism loaded;
    loaded.classes_ = LoadTexts(r);
    loaded.names_ = LoadTexts(r);
    for (std::size_t j = 0; j < loaded.names_.size(); ++j) loaded.levels_.push_back(LoadTexts(r));
    const std::int32_t last_class = LastIndex(loaded.classes_.size());
    loaded.default_ = r.ReadWithin<std::int32_t>(0, last_class);
    const auto n_rules = r.Read<std::uint64_t>();
    for (std::uint64_t k = 0; k < n_rules; ++k) {
      Rule& rule = loaded.rules_.emplace_back();
      rule.label = r.ReadWithin<std::int32_t>(0, last_class);
      const auto n_conditions = r.ReadWithin<std::uint64_t>(0, loaded.names_.size());
      for (std::uint64_t c = 0; c < n_conditions; ++c) {
        const auto feature = r.ReadWithin<std::uint32_t>(
            0, static_cast<std::uint32_t>(LastIndex(loaded.names_.size())));
        const auto level = r.ReadWithin<std::int32_t>(0, LastIndex(loaded.levels_[feature].size()));
        rule.conditions.push_back({feature, level});
      }
    }
    return loaded;
  }

 private:
  void AddRules(const Table& table, std::int32_t label, const cf::Context& context) {
    std::vector<std::size_t> left(table.labels.size());
    std::iota(left.begin(), left.end(), std::size_t{0});
    if (Pure(table, left, label)) {
      rules_.push_back({{}, label});  // the only class: nothing to ask
      return;
    }
    while (Shows(table, left, label)) {
      context.Progress(1 -
                       static_cast<double>(left.size()) / static_cast<double>(table.labels.size()));
      std::vector<std::size_t> covered = left;
      Rule rule = GrowRule(table, label, covered);
      if (rule.conditions.empty()) return;  // what is left of the class shows no feature
      std::vector<std::size_t> rest;
      std::set_difference(left.begin(), left.end(), covered.begin(), covered.end(),
                          std::back_inserter(rest));
      left = std::move(rest);
      rules_.push_back(std::move(rule));
    }
  }

  static std::int32_t LastIndex(std::size_t n) {
    if (n == 0 || n > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw cf::Error(CF_E_BAD_BLOB, "a list of the saved model has the wrong length");
    }
    return static_cast<std::int32_t>(n - 1);
  }
  std::vector<std::string> classes_, names_;
  std::vector<std::vector<std::string>> levels_;  // of every feature
  std::vector<Rule> rules_;
  std::int32_t default_ = 0;
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.prism", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Prism)
