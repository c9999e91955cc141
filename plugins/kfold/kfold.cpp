// k-fold cross-validation: every row is tested exactly once in each repeat.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../group_dealer.h"
#include "../row_sets.h"
#include "../strata.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;
using FoldOfRow = std::vector<std::int32_t>;

enum class Order { kInterleaved, kBlocks };
constexpr std::array<const char*, 2> kOrderNames = {"interleaved", "blocks"};

// Deals the rows to the folds like cards, set after set without starting over, so that the sizes of
// the folds differ by at most one, within each set and in total.
void DealRows(std::span<const RowSet> sets, std::int32_t n_folds, FoldOfRow& fold_of_row) {
  std::int32_t fold = 0;
  for (const RowSet& rows : sets) {
    for (const std::int64_t row : rows) {
      fold_of_row[static_cast<std::size_t>(row)] = fold;
      fold = fold + 1 == n_folds ? 0 : fold + 1;
    }
  }
}

// Gives each fold as many rows of each set as DealRows does, but in one piece.
void DealBlocks(std::span<const RowSet> sets, std::int32_t n_folds, FoldOfRow& fold_of_row) {
  const auto folds = static_cast<std::size_t>(n_folds);
  std::size_t first = 0;  // the fold that is served first in this set
  for (const RowSet& rows : sets) {
    std::size_t next = 0;
    for (std::size_t fold = 0; fold < folds; ++fold) {
      const std::size_t place = (fold + folds - first) % folds;
      const std::size_t end = next + rows.size() / folds + (place < rows.size() % folds ? 1 : 0);
      for (; next < end; ++next) {
        fold_of_row[static_cast<std::size_t>(rows[next])] = static_cast<std::int32_t>(fold);
      }
    }
    first = (first + rows.size()) % folds;
  }
}

// Otherwise the lower fold numbers would always be the larger folds.
void RenumberFolds(std::int32_t n_folds, cf::Random& random, FoldOfRow& fold_of_row) {
  FoldOfRow number(static_cast<std::size_t>(n_folds));
  std::iota(number.begin(), number.end(), 0);
  random.Shuffle(std::span(number));
  for (std::int32_t& fold : fold_of_row) fold = number[static_cast<std::size_t>(fold)];
}

struct KFold {
  static constexpr cf::SplitterInfo kInfo{
      .component = {
          .id = "crossfold.kfold",
          .title = "k-fold cross-validation",
          .doc = "Divides the rows into folds of almost equal size; each fold is the test set "
                 "once, and the others are the training set. Groups are kept together; classes are "
                 "spread evenly on request.",
          .source = "Stone 1974, Cross-validatory choice and assessment of statistical "
                    "predictions; stratified: Kohavi 1995, A study of cross-validation "
                    "and bootstrap for accuracy estimation and model selection"}};

  struct Params {
    std::int64_t folds = 10;
    std::int64_t repeats = 1;
    Stratify stratify = Stratify::kNo;
    std::int64_t bins = kDefaultBins;
    bool shuffle = true;
    Order order = Order::kInterleaved;
    bool reduce = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("folds", &Params::folds,
                  {.low = 2, .high = std::numeric_limits<std::int32_t>::max()}, "Number of folds."),
      cf::Integer("repeats", &Params::repeats, {.low = 1, .high = 1000000},
                  "Number of repeats, each with a different shuffle."),
      cf::Choice("stratify", &Params::stratify, kStratifyNames,
                 "Spread each class, or bin of a numeric target, evenly over the folds."),
      cf::Integer("bins", &Params::bins, {.low = 1},
                  "Number of bins of a numeric target; all have the same number of rows.",
                  {.active_if = kIfStratified}),
      cf::Boolean("shuffle", &Params::shuffle, "Assign rows to folds at random."),
      cf::Choice(
          "order", &Params::order, kOrderNames,
          "Folds without shuffle: row i is in fold i modulo folds, or folds are contiguous blocks.",
          {.active_if = "shuffle=false"}),
      cf::Boolean("reduce", &Params::reduce,
                  "Allow fewer folds than requested if there are too few data."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    if (input.num_rows() < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "k-fold needs at least 2 rows, got " + std::to_string(input.num_rows()));
    }
    const bool grouped = input.has_groups();
    CheckOrder(params, grouped);
    CheckRepeats(params);
    const bool stratify = params.stratify != Stratify::kNo;
    if (grouped) {
      SplitGroups(params, input, sink, context);
    } else if (stratify) {
      Strata strata = MakeStrata(input, params.bins);
      const std::int32_t n_folds =
          StratifiedFolds(params, strata, strata.Sizes(), input.num_rows(), "row", context);
      SplitSets(params, input, strata.rows, n_folds, sink, context);
    } else {
      std::vector<RowSet> all = AllRowsAsOneSet(input.num_rows());
      SplitSets(params, input, all, PlainFolds(params, input.num_rows(), "row"), sink, context);
    }
  }

 private:
  static void SplitSets(const Params& params, const cf::SplitInput& input,
                        std::vector<RowSet>& strata, std::int32_t n_folds, cf::SplitSink& sink,
                        const cf::Context& context) {
    cf::Random random = context.MakeRandom();
    FoldOfRow fold_of_row(static_cast<std::size_t>(input.num_rows()));
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      if (params.shuffle) {
        for (RowSet& rows : strata) random.Shuffle(std::span(rows));
      }
      if (!params.shuffle && params.order == Order::kBlocks) {
        DealBlocks(strata, n_folds, fold_of_row);
      } else {
        DealRows(strata, n_folds, fold_of_row);
      }
      Emit(params, repeat, n_folds, random, fold_of_row, sink, context);
    }
  }

  static void SplitGroups(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                          const cf::Context& context) {
    const std::vector<RowSet> groups = RowsByGroup(input);
    const auto n_groups = static_cast<std::int64_t>(groups.size());
    const bool stratify = params.stratify != Stratify::kNo;
    const Strata strata = stratify ? MakeStrata(input, params.bins) : Strata();
    const std::int32_t n_folds =
        stratify ? StratifiedFolds(params, strata, CountGroupsOfStrata(groups, strata), n_groups,
                                   "group", context)
                 : PlainFolds(params, n_groups, "group");
    const GroupCounts counts(groups, strata, input.num_rows());
    const std::vector<double> shares(static_cast<std::size_t>(n_folds), 1.0 / n_folds);
    GroupDealer dealer(counts, shares);
    cf::Random random = context.MakeRandom();
    FoldOfRow fold_of_row(static_cast<std::size_t>(input.num_rows()));
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      const std::vector<std::int32_t> fold_of_group =
          params.shuffle ? dealer.DrawEven(random) : dealer.DealLargestFirst();
      for (std::size_t g = 0; g < groups.size(); ++g) {
        for (const std::int64_t row : groups[g]) {
          fold_of_row[static_cast<std::size_t>(row)] = fold_of_group[g];
        }
      }
      Emit(params, repeat, n_folds, random, fold_of_row, sink, context);
    }
  }

  static void Emit(const Params& params, std::int64_t repeat, std::int32_t n_folds,
                   cf::Random& random, FoldOfRow& fold_of_row, cf::SplitSink& sink,
                   const cf::Context& context) {
    if (params.shuffle) RenumberFolds(n_folds, random, fold_of_row);
    sink.EmitPartition(fold_of_row, n_folds);
    context.Progress(static_cast<double>(repeat + 1) / static_cast<double>(params.repeats));
  }

  // Returns the requested number of folds, or with `reduce` at most `most`; 0 = refuse.
  static std::int32_t FittingFolds(const Params& params, std::int64_t most) {
    if (params.folds <= most) return static_cast<std::int32_t>(params.folds);
    return params.reduce && most >= 2 ? static_cast<std::int32_t>(most) : 0;
  }

  static std::int32_t PlainFolds(const Params& params, std::int64_t most, const char* noun) {
    const std::int32_t folds = FittingFolds(params, most);
    if (folds > 0) return folds;
    throw cf::Error(CF_E_INVALID_PARAM, Counted(params.folds, "fold") + " exceed the " +
                                            Counted(most, noun) +
                                            (most < 2 ? "; k-fold needs at least 2 groups"
                                                      : "; use at most " + Counted(most, "fold")));
  }

  // `counts` = of each stratum the rows, or the groups in which it has rows: the `noun` says which,
  // and there are `n_units` of them.
  static std::int32_t StratifiedFolds(const Params& params, const Strata& strata,
                                      const std::vector<std::int64_t>& counts, std::int64_t n_units,
                                      const char* noun, const cf::Context& context) {
    const bool spread = params.stratify == Stratify::kAsFarAsPossible;
    const std::int64_t asked = spread ? PlainFolds(params, n_units, noun) : params.folds;
    const auto rarest = std::min_element(counts.begin(), counts.end());
    if (asked <= *rarest) return static_cast<std::int32_t>(asked);
    const bool by_group = std::string_view(noun) == "group";
    const std::string finding = strata.names[static_cast<std::size_t>(rarest - counts.begin())] +
                                (by_group ? " has rows in " : " has ") + Counted(*rarest, noun) +
                                ", fewer than the " + Counted(asked, "fold");
    if (spread) {
      const auto n_rare = std::ranges::count_if(counts, [&](std::int64_t n) { return n < asked; });
      NoteRareStratum(context,
                      finding + ", and is spread over " + (by_group ? "at most " : "") +
                          std::to_string(*rarest) + " of them",
                      static_cast<std::size_t>(n_rare - 1));
      return static_cast<std::int32_t>(asked);
    }
    const std::int32_t folds = FittingFolds(params, *rarest);
    if (folds > 0) return folds;
    throw cf::Error(
        CF_E_INVALID_PARAM,
        finding + "; " + strata.WayOut(*rarest < 2 ? "" : "at most " + Counted(*rarest, "fold")));
  }

  static void CheckOrder(const Params& params, bool grouped) {
    if (grouped && !params.shuffle && params.order == Order::kBlocks) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      "order = \"blocks\" would split groups; use order = \"interleaved\", "
                      "which keeps groups together");
    }
  }

  static void CheckRepeats(const Params& params) {
    if (params.repeats == 1 || params.shuffle) return;
    throw cf::Error(CF_E_INVALID_PARAM, Counted(params.repeats, "repeat") +
                                            " without shuffle would all be the same; use "
                                            "repeats = 1, or shuffle = true");
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.kfold", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::KFold)
