#include "list_trees.h"

#include <algorithm>
#include <string>

#include "../tree/level_growth.h"
#include "boosting.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::bundled::adaboost {

namespace {

constexpr std::size_t kAheadInWalk = 24;  // items loaded into the cache before they are needed

}  // namespace

ListTrees::ListTrees(const tree::GrowOptions& options, const tree::OrderedRows& rows,
                     const tree::AttributeLists& lists, const plugin::Context& context)
    : options_(options), rows_(rows), lists_(lists), context_(context) {
  for (std::size_t j = 0; j < lists.size(); ++j) entries_.emplace_back(rows, j);
  bool serves = options.max_depth == 1;
  for (std::size_t j = 0; j < lists.size(); ++j) {
    serves = serves && lists.kind(j) != tree::ColumnKind::kNominal;
  }
  if (!serves) return;
  if (rows.num_classes() > kMostClasses) {
    throw plugin::Error(CF_E_UNSUPPORTED_DATA, "growth = sliq takes at most " +
                                                   std::to_string(kMostClasses) +
                                                   " classes; use growth = memory");
  }
  class_of_.assign(rows.num_classes(), -1);
  for (std::size_t row = 0; row < rows.size(); ++row) class_of_[rows.label(row)] = 0;
  for (std::size_t label = 0; label < class_of_.size(); ++label) {
    if (class_of_[label] < 0) continue;
    class_of_[label] = static_cast<StumpUnits>(label_of_.size());
    label_of_.push_back(label);
  }
  units_ = tree::ScratchArray<StumpUnits>(rows.size());
}

tree::Tree ListTrees::Grow(std::span<const double> weights, std::span<double> wrong) {
  if (!units_.all().empty() && Weigh(weights)) {
    const std::optional<StumpCut> cut = Best();
    std::optional<StumpSides> sides;
    if (cut) sides = SidesOf(*cut);
    tree::Tree stump = StumpTree(InWeights(totals_), sides);
    cut ? MarkWrongByStump(stump, wrong) : MarkWrong(stump, wrong);
    return stump;
  }
  tree::Tree grown = tree::GrowByLevels(options_, rows_, lists_, weights, &context_);
  MarkWrong(grown, wrong);
  return grown;
}

// See StumpFinder::Weigh.
bool ListTrees::Weigh(std::span<const double> weights) {
  totals_.assign(label_of_.size(), 0);
  const std::span<StumpUnits> units = units_.all();
  for (std::size_t row = 0; row < units.size(); ++row) {
    const auto weight = static_cast<StumpUnits>(weights[row] * kStumpUnitsPerWeight);
    const StumpUnits c = class_of_[rows_.label(row)];
    units[row] = weight | c;
    totals_[static_cast<std::size_t>(c)] += weight;
  }
  return *std::min_element(totals_.begin(), totals_.end()) >= kLeastUnitsOfClass;
}

std::optional<StumpCut> ListTrees::Best() const {
  if (totals_.size() < 2) return std::nullopt;
  if (totals_.size() == 2) {
    TwoClassContest contest(StumpPair{{totals_[0], totals_[1]}});
    for (std::size_t j = 0; j < lists_.size(); ++j) TryTwoClasses(j, contest);
    return contest.leaders().Winner();
  }
  ManyClassContest contest(totals_);
  for (std::size_t j = 0; j < lists_.size(); ++j) TryManyClasses(j, contest);
  return contest.leaders().Winner();
}

// `add` puts a row's unit to the side below the cut.
template <class Contest, class Side, class Add>
void ListTrees::TryCuts(std::size_t j, Side side, Contest& contest, const Add& add) const {
  context_.Progress(0.5);
  const std::span<const std::uint32_t> list = lists_.list(j);
  const StumpUnits* const units = units_.all().data();
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i + kAheadInWalk < list.size()) {
      __builtin_prefetch(units + (list[i + kAheadInWalk] & ~tree::kNewValue));
    }
    if ((list[i] & tree::kNewValue) != 0 && i > 0) {
      contest.Try(static_cast<std::uint32_t>(j), rank++, side);
    }
    add(units[list[i] & ~tree::kNewValue], side);
  }
}

void ListTrees::TryTwoClasses(std::size_t j, TwoClassContest& contest) const {
  TryCuts(j, StumpPair(), contest, [](StumpUnits unit, StumpPair& side) {
    const StumpUnits of_second = -(unit & 1);  // all bits or none
    const StumpUnits weight = unit & ~kClassMask;
    side.units += TwoStumpUnits{weight & ~of_second, weight & of_second};
  });
}

void ListTrees::TryManyClasses(std::size_t j, ManyClassContest& contest) const {
  TryCuts(j, std::vector<StumpUnits>(totals_.size()), contest,
          [](StumpUnits unit, std::vector<StumpUnits>& side) {
            side[static_cast<std::size_t>(unit & kClassMask)] += unit & ~kClassMask;
          });
}

StumpSides ListTrees::SidesOf(const StumpCut& cut) const {
  const std::span<const std::uint32_t> list = lists_.list(cut.feature);
  std::vector<StumpUnits> left(totals_.size()), right = totals_;
  std::uint32_t last = 0, next = 0, rank = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    next = list[i] & ~tree::kNewValue;
    if ((list[i] & tree::kNewValue) != 0 && i > 0) ++rank;
    if (rank > cut.cut) break;
    const StumpUnits unit = units_.all()[next];
    left[static_cast<std::size_t>(unit & kClassMask)] += unit & ~kClassMask;
    last = next;
  }
  for (std::size_t c = 0; c < right.size(); ++c) right[c] -= left[c];
  const tree::ColumnEntries& entries = entries_[cut.feature];
  return {cut.feature, entries[last], entries[next], InWeights(left), InWeights(right)};
}

std::vector<double> ListTrees::InWeights(std::span<const StumpUnits> sums) const {
  std::vector<double> weights(rows_.num_classes());
  for (std::size_t c = 0; c < sums.size(); ++c) {
    weights[label_of_[c]] = static_cast<double>(sums[c]) / kStumpUnitsPerWeight;
  }
  return weights;
}

void ListTrees::MarkWrongByStump(const tree::Tree& stump, std::span<double> wrong) const {
  const std::size_t below = HeaviestClass(stump.output(1)), above = HeaviestClass(stump.output(2));
  const tree::ColumnEntries& entries = entries_[static_cast<std::size_t>(stump.nodes[0].feature)];
  for (std::size_t row = 0; row < wrong.size(); ++row) {
    const std::size_t label = entries[row] <= stump.nodes[0].threshold ? below : above;
    wrong[row] = label != rows_.label(row) ? 1.0 : 0.0;
  }
}

void ListTrees::MarkWrong(const tree::Tree& grown, std::span<double> wrong) const {
  std::vector<double> row_entries(entries_.size()), scratch(rows_.num_classes());
  for (std::size_t row = 0; row < wrong.size(); ++row) {
    for (std::size_t j = 0; j < entries_.size(); ++j) row_entries[j] = entries_[j][row];
    wrong[row] = LabelOf(grown, row_entries.data(), scratch) != rows_.label(row) ? 1.0 : 0.0;
  }
}

}  // namespace crossfold::bundled::adaboost
