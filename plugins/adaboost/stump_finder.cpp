#include "stump_finder.h"

#include <algorithm>
#include <limits>

namespace crossfold::bundled::adaboost {
namespace {

constexpr std::size_t kEntriesPerBlock = 32;

}  // namespace

bool StumpFinder::Serves(const tree::TrainingColumns& columns) {
  return !columns.has_missing &&
         std::none_of(columns.columns.begin(), columns.columns.end(),
                      [](const auto& column) { return column.kind == tree::ColumnKind::kNominal; });
}

StumpFinder::StumpFinder(const tree::TrainingColumns& columns)
    : columns_(columns), walks_(columns, kEntriesPerBlock) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> place(columns.n_classes, kNone);
  for (const std::int32_t label : columns.labels) place[static_cast<std::size_t>(label)] = 0;
  for (std::size_t label = 0; label < place.size(); ++label) {
    if (place[label] == kNone) continue;
    place[label] = static_cast<std::uint32_t>(label_of_.size());
    label_of_.push_back(label);
  }
  n_classes_ = label_of_.size();
  class_of_.reserve(columns.num_rows());
  for (const std::int32_t label : columns.labels) {
    class_of_.push_back(place[static_cast<std::size_t>(label)]);
  }
  if (n_classes_ == 2) {
    pairs_.resize(columns.num_rows());
    at_block_.resize(walks_.blocks().size());
  } else {
    units_.resize(columns.num_rows());
  }
}

bool StumpFinder::Weigh(std::span<const double> weights) {
  weights_ = weights;
  has_zeros_ = std::find(weights.begin(), weights.end(), 0.0) != weights.end();
  totals_.assign(n_classes_, 0);
  if (n_classes_ == 2) {
    WeighTwoClasses();
  } else {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      units_[i] = static_cast<StumpUnits>(weights[i] * kStumpUnitsPerWeight);
      totals_[class_of_[i]] += units_[i];
    }
  }
  return *std::min_element(totals_.begin(), totals_.end()) >= kLeastUnitsOfClass;
}

void StumpFinder::WeighTwoClasses() {
  StumpPair total;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const auto units = static_cast<StumpUnits>(weights_[i] * kStumpUnitsPerWeight);
    const StumpUnits of_second = -static_cast<StumpUnits>(class_of_[i]);  // all bits or none
    pairs_[i].units = TwoStumpUnits{units & ~of_second, units & of_second};
    total.units += pairs_[i].units;
  }
  totals_ = {total.first(), total.second()};
}

std::optional<StumpCut> StumpFinder::Best() {
  std::optional<StumpCut> best;
  if (n_classes_ == 2) {
    TwoClassContest contest(StumpPair{{totals_[0], totals_[1]}});
    TryEndsOfBlocks(contest);
    TryInsideBlocks(contest);
    best = contest.leaders().Winner();
  } else if (n_classes_ > 2) {
    ManyClassContest contest(totals_);
    TryManyClasses(contest);
    best = contest.leaders().Winner();
  }
  if (best && has_zeros_) best->next = NextRank(*best);
  return best;
}

StumpPair StumpFinder::SumOf(std::size_t begin, std::size_t end) const {
  const std::uint32_t* entries = walks_.entries().data();
  const StumpPair* pairs = pairs_.data();
  StumpPair sum;
#pragma GCC unroll 4
  for (std::size_t e = begin; e < end; ++e) sum.units += pairs[entries[e]].units;
  return sum;
}

void StumpFinder::TryEndsOfBlocks(TwoClassContest& contest) {
  std::size_t entry = 0, b = 0;
  for (const StumpWalks::Walk& walk : walks_.walks()) {
    StumpPair side;
    for (; b < walk.end_block; ++b) {
      const StumpWalks::Block& block = walks_.blocks()[b];
      side.units += SumOf(entry, block.end_entry).units;
      at_block_[b] = side;
      contest.Try(walk.feature, walks_.runs()[block.end_run - 1].cut, side);
      entry = block.end_entry;
    }
  }
}

void StumpFinder::TryInsideBlocks(TwoClassContest& contest) const {
  StumpWalks::Block before{0, 0};
  std::size_t b = 0;
  for (const StumpWalks::Walk& walk : walks_.walks()) {
    StumpPair side;
    for (; b < walk.end_block; ++b) {
      const StumpWalks::Block& block = walks_.blocks()[b];
      const bool has_inside = block.end_run - before.end_run > 1;
      if (has_inside && contest.MayLeadBetween(side, at_block_[b])) {
        TryRuns(walk.feature, before, block, side, contest);
      }
      side = at_block_[b];
      before = block;
    }
  }
}

// All but the last one, with which the block ends. `side`: at the end of the block before.
void StumpFinder::TryRuns(std::uint32_t feature, const StumpWalks::Block& before,
                          const StumpWalks::Block& block, StumpPair side,
                          TwoClassContest& contest) const {
  std::size_t entry = before.end_entry;
  for (std::size_t r = before.end_run; r + 1 < block.end_run; ++r) {
    const StumpWalks::Run& run = walks_.runs()[r];
    side.units += SumOf(entry, run.end_entry).units;
    contest.Try(feature, run.cut, side);
    entry = run.end_entry;
  }
}

void StumpFinder::TryManyClasses(ManyClassContest& contest) const {
  std::vector<StumpUnits> side(n_classes_);
  std::size_t entry = 0, run = 0;
  for (const StumpWalks::Walk& walk : walks_.walks()) {
    std::fill(side.begin(), side.end(), 0);
    const std::size_t end_run = walks_.blocks()[walk.end_block - 1].end_run;
    for (; run < end_run; ++run) {
      for (; entry < walks_.runs()[run].end_entry; ++entry) {
        const std::uint32_t row = walks_.entries()[entry];
        side[class_of_[row]] += units_[row];
      }
      contest.Try(walk.feature, walks_.runs()[run].cut, side);
    }
  }
}

std::array<std::vector<double>, 2> StumpFinder::WeightsOfSides(const StumpCut& cut) const {
  const std::uint32_t* ranks = columns_.columns[cut.feature].ranks.data();
  std::vector<StumpUnits> left(n_classes_), right = totals_;
  if (n_classes_ == 2) {
    StumpUnits first = 0, second = 0;
    for (std::size_t i = 0; i < class_of_.size(); ++i) {
      const StumpUnits mask = -StumpUnits{ranks[i] <= cut.cut};
      first += pairs_[i].first() & mask;
      second += pairs_[i].second() & mask;
    }
    left = {first, second};
  } else {
    for (std::size_t i = 0; i < class_of_.size(); ++i) {
      if (ranks[i] <= cut.cut) left[class_of_[i]] += units_[i];
    }
  }
  for (std::size_t c = 0; c < n_classes_; ++c) right[c] -= left[c];
  return {InWeights(left), InWeights(right)};
}

std::vector<double> StumpFinder::InWeights(std::span<const StumpUnits> sums) const {
  std::vector<double> weights(columns_.n_classes);
  for (std::size_t c = 0; c < sums.size(); ++c) {
    weights[label_of_[c]] = static_cast<double>(sums[c]) / kStumpUnitsPerWeight;
  }
  return weights;
}

std::uint32_t StumpFinder::NextRank(const StumpCut& cut) const {
  const std::vector<std::uint32_t>& ranks = columns_.columns[cut.feature].ranks;
  std::uint32_t next = tree::kMissingRank;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] > cut.cut && weights_[i] > 0) next = std::min(next, ranks[i]);
  }
  return next;
}

}  // namespace crossfold::bundled::adaboost
