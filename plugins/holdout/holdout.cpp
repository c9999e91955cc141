// Holdout: a share of the rows is the test set, and the others are the training set.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../group_dealer.h"
#include "../row_sets.h"
#include "../strata.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// Returns n_rows * share, rounded half up, but at least one row on each side.
std::int64_t CountTestRows(std::int64_t n_rows, double share) {
  const double rounded = std::floor(static_cast<double>(n_rows) * share + 0.5);
  return std::clamp(static_cast<std::int64_t>(rounded), std::int64_t{1}, n_rows - 1);
}

// How the test rows are divided among the sets (the strata, or all rows): in proportion to the size
// of the set, by largest remainder (of equal remainders, the lower set). Each set has at least one
// row on each side that has as many rows as there are sets; a set of one row trains there. Works on
// whole numbers, which are exact up to 3 billion rows.
class Allotment {
 public:
  Allotment(std::span<const RowSet> classes, std::int64_t n_rows, std::int64_t n_test)
      : n_rows_(n_rows), n_test_(n_test) {
    const auto n_sets = static_cast<std::int64_t>(classes.size());
    const std::int64_t least_train = n_rows - n_test >= n_sets ? 1 : 0;
    const std::int64_t least_test = n_test >= n_sets ? 1 : 0;
    std::int64_t assigned = 0;
    for (const RowSet& rows : classes) {
      const auto size = static_cast<std::int64_t>(rows.size());
      sizes_.push_back(size);
      most_.push_back(size - least_train);
      least_.push_back(std::min(least_test, most_.back()));
      test_rows_.push_back(std::clamp(size * n_test / n_rows, least_.back(), most_.back()));
      assigned += test_rows_.back();
    }
    for (; assigned < n_test; ++assigned) ++test_rows_[MostLacking()];
    for (; assigned > n_test; --assigned) --test_rows_[MostFavoured()];
  }

  std::int64_t test_rows(std::size_t c) const { return test_rows_[c]; }

 private:
  // Returns by how much class c falls short of its exact part, in units of 1 / n_rows.
  std::int64_t Shortfall(std::size_t c) const {
    return sizes_[c] * n_test_ - test_rows_[c] * n_rows_;
  }
  std::size_t MostLacking() const {
    std::size_t best = sizes_.size();
    for (std::size_t c = 0; c < sizes_.size(); ++c) {
      if (test_rows_[c] >= most_[c]) continue;
      if (best == sizes_.size() || Shortfall(c) > Shortfall(best)) best = c;
    }
    return best;
  }
  std::size_t MostFavoured() const {
    std::size_t best = sizes_.size();
    for (std::size_t c = 0; c < sizes_.size(); ++c) {
      if (test_rows_[c] <= least_[c]) continue;
      if (best == sizes_.size() || Shortfall(c) <= Shortfall(best)) best = c;
    }
    return best;
  }

  std::int64_t n_rows_, n_test_;
  std::vector<std::int64_t> sizes_, least_, most_, test_rows_;  // of each set
};

struct Holdout {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.holdout",
                    .title = "Holdout",
                    .doc = "Tests on a share of the rows and trains on the others, once or "
                           "repeatedly (Monte Carlo cross-validation). Groups are kept together.",
                    .source = "Kohavi 1995, A study of cross-validation and bootstrap for "
                              "accuracy estimation and model selection; repeated: Picard and Cook "
                              "1984, Cross-validation of regression models"}};

  struct Params {
    double test_share = 1.0 / 3.0;
    std::int64_t repeats = 1;
    Stratify stratify = Stratify::kNo;
    std::int64_t bins = kDefaultBins;
    bool shuffle = true;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Real("test_share", &Params::test_share, {.low = 0, .high = 1},
               "Share of the rows in the test set.", {.flags = CF_PF_LO_OPEN | CF_PF_HI_OPEN}),
      cf::Integer("repeats", &Params::repeats, {.low = 1, .high = 1000000},
                  "Number of independent splits."),
      cf::Choice("stratify", &Params::stratify, kStratifyNames,
                 "Take the same share of each class, or bin of a numeric target."),
      cf::Integer("bins", &Params::bins, {.low = 1},
                  "Number of bins of a numeric target; all have the same number of rows.",
                  {.active_if = kIfStratified}),
      cf::Boolean("shuffle", &Params::shuffle,
                  "Choose the test rows at random; otherwise they are the last rows."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    const std::int64_t n_rows = input.num_rows();
    if (n_rows < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "holdout needs at least 2 rows, got " + std::to_string(n_rows));
    }
    CheckRepeats(params);
    const std::int64_t n_test = CountTestRows(n_rows, params.test_share);
    cf::Random random = context.MakeRandom();
    const bool stratify = params.stratify != Stratify::kNo;
    if (stratify && input.has_groups()) {
      SplitStratifiedGroups(params, input, n_test, random, sink, context);
    } else if (stratify) {
      Strata strata = MakeStrata(input, params.bins);
      if (params.stratify == Stratify::kYes) CheckStrata(strata, n_rows, n_test);
      NoteOneSided(strata, Allotment(strata.rows, n_rows, n_test), context);
      SplitSets(params, std::move(strata.rows), n_rows, n_test, random, sink, context);
    } else if (input.has_groups()) {
      SplitGroups(params, RowsByGroup(input), n_test, random, sink, context);
    } else {
      // Without strata all rows are one set.
      SplitSets(params, AllRowsAsOneSet(n_rows), n_rows, n_test, random, sink, context);
    }
  }

 private:
  static void CheckRepeats(const Params& params) {
    if (params.repeats == 1 || params.shuffle) return;
    throw cf::Error(CF_E_INVALID_PARAM,
                    Counted(params.repeats, "repeat") +
                        " without shuffle would all be the same; use repeats = 1, or shuffle = "
                        "true");
  }

  static void CheckStrata(const Strata& strata, std::int64_t n_rows, std::int64_t n_test) {
    const std::size_t smallest = strata.Smallest();
    if (strata.rows[smallest].size() == 1) {
      throw cf::Error(CF_E_INVALID_PARAM, strata.names[smallest] +
                                              " has 1 row, which cannot be on both sides; " +
                                              strata.WayOut(""));
    }
    const std::int64_t n_train = n_rows - n_test;
    if (std::min(n_test, n_train) >= static_cast<std::int64_t>(strata.size())) return;
    throw cf::Error(CF_E_INVALID_PARAM, "the " +
                                            (n_test < n_train ? Counted(n_test, "test row")
                                                              : Counted(n_train, "training row")) +
                                            " cannot hold the " + std::to_string(strata.size()) +
                                            " strata; " + strata.WayOut("another test_share"));
  }

  // Only stratification as far as possible has strata on one side.
  static void NoteOneSided(const Strata& strata, const Allotment& allotment,
                           const cf::Context& context) {
    const std::vector<std::int64_t> sizes = strata.Sizes();
    std::string finding;
    std::size_t n_others = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      const std::int64_t n_test = allotment.test_rows(s);
      if (n_test != 0 && n_test != sizes[s]) continue;
      if (!finding.empty()) {
        ++n_others;
        continue;
      }
      finding = strata.names[s] + " has " + Counted(sizes[s], "row") + " and is only " +
                (n_test == 0 ? "trained on" : "tested");
    }
    if (!finding.empty()) NoteRareStratum(context, finding, n_others);
  }

  static void SplitSets(const Params& params, std::vector<RowSet> classes, std::int64_t n_rows,
                        std::int64_t n_test, cf::Random& random, cf::SplitSink& sink,
                        const cf::Context& context) {
    const Allotment allotment(classes, n_rows, n_test);
    std::vector<std::uint8_t> is_tested;  // one byte per row, from which the lists come ascending
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      is_tested.assign(static_cast<std::size_t>(n_rows), 0);
      for (std::size_t c = 0; c < classes.size(); ++c) {
        RowSet& rows = classes[c];
        if (params.shuffle) random.Shuffle(std::span(rows));
        const auto n = static_cast<std::size_t>(allotment.test_rows(c));
        for (const std::int64_t row : std::span(rows).last(n)) {
          is_tested[static_cast<std::size_t>(row)] = 1;
        }
      }
      if (repeat + 1 == params.repeats) classes.clear();  // its memory may be needed
      RowSet train, test;
      train.reserve(static_cast<std::size_t>(n_rows - n_test));
      test.reserve(static_cast<std::size_t>(n_test));
      for (std::int64_t row = 0; row < n_rows; ++row) {
        (is_tested[static_cast<std::size_t>(row)] != 0 ? test : train).push_back(row);
      }
      sink.EmitSplit(train, test);
      context.Progress(static_cast<double>(repeat + 1) / static_cast<double>(params.repeats));
    }
  }

  static void SplitGroups(const Params& params, std::vector<RowSet> groups, std::int64_t n_test,
                          cf::Random& random, cf::SplitSink& sink, const cf::Context& context) {
    CheckGroups(groups);
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      if (params.shuffle) random.Shuffle(std::span(groups));
      RowSet train = groups.front();  // one group always stays for training
      RowSet test;
      for (std::size_t g = groups.size(); g-- > 1;) {
        const bool is_reached = static_cast<std::int64_t>(test.size()) >= n_test;
        RowSet& side = is_reached ? train : test;
        side.insert(side.end(), groups[g].begin(), groups[g].end());
      }
      Emit(params, repeat, train, test, sink, context);
    }
  }

  static void SplitStratifiedGroups(const Params& params, const cf::SplitInput& input,
                                    std::int64_t n_test, cf::Random& random, cf::SplitSink& sink,
                                    const cf::Context& context) {
    const std::vector<RowSet> groups = RowsByGroup(input);
    CheckGroups(groups);
    const Strata strata = MakeStrata(input, params.bins);
    CheckGroupsOfStrata(params, groups, strata, context);
    const GroupCounts counts(groups, strata, input.num_rows());
    const double test_share = static_cast<double>(n_test) / static_cast<double>(input.num_rows());
    const std::array<double, 2> shares = {1 - test_share, test_share};
    GroupDealer dealer(counts, shares);
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      const std::vector<std::int32_t> part_of_group =
          params.shuffle ? dealer.DrawEven(random) : dealer.DealLargestFirst();
      RowSet train, test;
      for (std::size_t g = 0; g < groups.size(); ++g) {
        RowSet& side = part_of_group[g] == 0 ? train : test;
        side.insert(side.end(), groups[g].begin(), groups[g].end());
      }
      Emit(params, repeat, train, test, sink, context);
    }
  }

  static void CheckGroups(std::span<const RowSet> groups) {
    if (groups.size() >= 2) return;
    throw cf::Error(CF_E_UNSUPPORTED_DATA,
                    "all rows are in one group; holdout needs at least 2 groups");
  }

  static void CheckGroupsOfStrata(const Params& params, std::span<const RowSet> groups,
                                  const Strata& strata, const cf::Context& context) {
    const std::vector<std::int64_t> counts = CountGroupsOfStrata(groups, strata);
    const auto rare = std::ranges::find(counts, 1);
    if (rare == counts.end()) return;
    const std::string finding = strata.names[static_cast<std::size_t>(rare - counts.begin())] +
                                " has rows in 1 group, which cannot be on both sides";
    if (params.stratify == Stratify::kYes) {
      throw cf::Error(CF_E_INVALID_PARAM, finding + "; " + strata.WayOut(""));
    }
    NoteRareStratum(context, finding, static_cast<std::size_t>(std::ranges::count(counts, 1) - 1));
  }

  static void Emit(const Params& params, std::int64_t repeat, RowSet& train, RowSet& test,
                   cf::SplitSink& sink, const cf::Context& context) {
    std::sort(train.begin(), train.end());
    std::sort(test.begin(), test.end());
    sink.EmitSplit(train, test);
    context.Progress(static_cast<double>(repeat + 1) / static_cast<double>(params.repeats));
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.holdout", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Holdout)
