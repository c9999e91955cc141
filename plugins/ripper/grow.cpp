#include "grow.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace crossfold::bundled::ripper {
namespace {

double LogShare(const ClassWeight& weight) {
  return std::log2((weight.hits + 1) / (weight.all + 1));
}

struct Candidate {
  Condition condition;
  ClassWeight weight;
  double gain = 0;
};

// The rows that a rule covers while it grows; of a numeric feature also by their entries.
class GrowingRule {
 public:
  GrowingRule(const Table& table, const Target& target, const Rows& rows)
      : table_(table), target_(target), rows_(rows), order_(table.num_features()) {
    std::vector<bool> covered(table.num_rows());
    for (const std::uint32_t row : rows) covered[row] = true;
    for (std::size_t j = 0; j < order_.size(); ++j) {
      for (const std::uint32_t row : table.order[j]) {
        if (covered[row]) order_[j].push_back(row);
      }
    }
  }

  // Returns nothing if no condition has a gain.
  std::optional<Candidate> FindBest(const std::vector<bool>& used) const {
    const ClassWeight whole = WeighClass(table_, target_.label, rows_);
    if (whole.hits == whole.all) return std::nullopt;
    Search search{LogShare(whole), {}};
    for (std::uint32_t j = 0; j < table_.num_features(); ++j) {
      if (table_.order[j].empty()) {
        if (!used[j]) TryLevels(j, search);
      } else {
        TryValues(j, search);
      }
    }
    if (search.best.gain > 0) return search.best;
    return std::nullopt;
  }

  void Add(const Condition& condition) {
    const std::vector<double>& entries = table_.entries[condition.feature];
    const auto fails = [&](std::uint32_t row) { return !condition.Holds(entries[row]); };
    std::erase_if(rows_, fails);
    for (Rows& order : order_) std::erase_if(order, fails);
  }

 private:
  struct Search {
    double before;  // LogShare of the rows without a further condition
    Candidate best;

    void Try(const Condition& condition, const ClassWeight& weight) {
      const double gain = weight.hits * (LogShare(weight) - before);
      if (gain > best.gain) best = {condition, weight, gain};
    }
  };

  void AddRow(std::uint32_t row, ClassWeight& weight) const {
    weight.all += table_.weights[row];
    if (table_.labels[row] == target_.label) weight.hits += table_.weights[row];
  }

  void TryLevels(std::uint32_t j, Search& search) const {
    std::vector<ClassWeight> levels(table_.n_levels[j]);
    for (const std::uint32_t row : rows_) {
      const double code = table_.entries[j][row];
      if (!std::isnan(code)) AddRow(row, levels[static_cast<std::size_t>(code)]);
    }
    for (std::size_t level = 0; level < levels.size(); ++level) {
      search.Try({j, Test::kEqual, static_cast<double>(level)}, levels[level]);
    }
  }

  void TryValues(std::uint32_t j, Search& search) const {
    const Rows& order = order_[j];
    const std::vector<double>& entries = table_.entries[j];
    const ClassWeight present = WeighClass(table_, target_.label, order);
    ClassWeight at_most;
    for (std::size_t i = 0; i < order.size();) {
      const double value = entries[order[i]];
      const ClassWeight at_least{present.hits - at_most.hits, present.all - at_most.all};
      while (i < order.size() && entries[order[i]] == value) AddRow(order[i++], at_most);
      search.Try({j, Test::kAtLeast, value}, at_least);
      search.Try({j, Test::kAtMost, value}, at_most);
    }
  }

  const Table& table_;
  const Target& target_;
  Rows rows_;
  std::vector<Rows> order_;  // of a numeric feature; empty for others
};

}  // namespace

void Grow(const Table& table, const Target& target, const Rows& rows, Conditions& conditions) {
  std::vector<bool> used(table.num_features());
  for (const Condition& c : conditions) used[c.feature] = true;
  GrowingRule rule(table, target, rows);
  while (const auto best = rule.FindBest(used)) {
    if (best->weight.hits < target.min_rows) return;
    rule.Add(best->condition);
    used[best->condition.feature] = true;
    conditions.push_back(best->condition);
  }
}

void Prune(const Table& table, std::int32_t label, const Rows& rows, Worth worth,
           Conditions& conditions) {
  const ClassWeight whole = WeighClass(table, label, rows);
  if (!(whole.all > 0)) return;
  const auto worth_of = [&](const ClassWeight& covered) {
    if (worth == Worth::kPrecision) return (covered.hits + 1) / (covered.all + 2);
    const double others_left = (whole.all - whole.hits) - (covered.all - covered.hits);
    return (covered.hits + others_left) / whole.all;
  };
  double most = worth_of(whole);
  std::size_t kept = 0;
  Rows covered = rows;
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    covered = CoveredRows(table, {&conditions[k], 1}, covered);
    const double here = worth_of(WeighClass(table, label, covered));
    if (here > most) {
      most = here;
      kept = k + 1;
    }
  }
  conditions.resize(kept);
}

}  // namespace crossfold::bundled::ripper
