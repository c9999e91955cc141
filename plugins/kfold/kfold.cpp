// k-fold cross-validation: every row is tested exactly once in each repeat.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../row_sets.h"
#include "crossfold_plugin.hpp"

namespace {

namespace cf = crossfold::plugin;
using crossfold::bundled::AllRows;
using crossfold::bundled::Counted;
using crossfold::bundled::RowsByClass;
using crossfold::bundled::RowsByGroup;
using crossfold::bundled::RowSet;
using FoldOfRow = std::vector<std::int32_t>;

enum class Order { kInterleaved, kBlocks };
constexpr std::array<const char*, 2> kOrderNames = {"interleaved", "blocks"};

// Deals the rows to the folds like cards, set after set without starting over: so the sizes of the
// folds differ by at most one, within each set and altogether.
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

// Largest group first, each to the fold with the fewest rows so far (Graham 1969). Equal groups
// keep their order; of equal folds the lower number gets the group.
void DealGroups(std::vector<RowSet>& groups, std::int32_t n_folds, FoldOfRow& fold_of_row) {
  std::stable_sort(groups.begin(), groups.end(),
                   [](const RowSet& a, const RowSet& b) { return a.size() > b.size(); });
  using Load = std::pair<std::size_t, std::int32_t>;  // rows so far, fold
  std::priority_queue<Load, std::vector<Load>, std::greater<>> folds;
  for (std::int32_t fold = 0; fold < n_folds; ++fold) folds.emplace(0, fold);
  for (const RowSet& group : groups) {
    const auto [size, fold] = folds.top();
    folds.pop();
    folds.emplace(size + group.size(), fold);
    for (const std::int64_t row : group) fold_of_row[static_cast<std::size_t>(row)] = fold;
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
      .component = {.id = "crossfold.kfold",
                    .title = "k-fold cross-validation",
                    .doc = "Divides the rows into folds of almost equal size; each fold is the "
                           "test set once, the others train. Groups are kept together.",
                    .source = "Stone 1974, Cross-validatory choice and assessment of statistical "
                              "predictions; stratified: Kohavi 1995, A study of cross-validation "
                              "and bootstrap for accuracy estimation and model selection"}};

  struct Params {
    std::int64_t folds = 10;
    std::int64_t repeats = 1;
    bool stratify = false;
    bool shuffle = true;
    Order order = Order::kInterleaved;
    bool reduce = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("folds", &Params::folds,
                  {.low = 2, .high = std::numeric_limits<std::int32_t>::max()}, "Number of folds."),
      cf::Integer("repeats", &Params::repeats, {.low = 1},
                  "How often the whole is repeated with another shuffle."),
      cf::Boolean("stratify", &Params::stratify, "Spread each class evenly over the folds."),
      cf::Boolean("shuffle", &Params::shuffle, "Assign rows to folds at random."),
      cf::Choice("order", &Params::order, kOrderNames,
                 "Without shuffle: row i in fold i modulo folds, or contiguous blocks.",
                 {.active_if = "shuffle=false"}),
      cf::Boolean("reduce", &Params::reduce,
                  "Allow fewer folds than asked for where the data are too few."));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    if (input.num_rows() < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "k-fold needs at least 2 rows, got " + std::to_string(input.num_rows()));
    }
    const bool grouped = !input.groups().empty();
    std::vector<RowSet> sets = params.stratify ? RowsByClass(input)
                               : grouped       ? RowsByGroup(input)
                                               : std::vector<RowSet>{AllRows(input.num_rows())};
    const std::int32_t n_folds = params.stratify
                                     ? StratifiedFolds(params, input, sets)
                                     : PlainFolds(params, input.num_rows(), grouped, sets.size());
    CheckOrder(params, grouped);
    CheckRepeats(params, grouped, sets);

    cf::Random random = context.MakeRandom();
    FoldOfRow fold_of_row(static_cast<std::size_t>(input.num_rows()));
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      if (params.shuffle) ShuffleSets(grouped, random, sets);
      if (grouped) {
        DealGroups(sets, n_folds, fold_of_row);
      } else if (!params.shuffle && params.order == Order::kBlocks) {
        DealBlocks(sets, n_folds, fold_of_row);
      } else {
        DealRows(sets, n_folds, fold_of_row);
      }
      if (params.shuffle) RenumberFolds(n_folds, random, fold_of_row);
      sink.EmitPartition(fold_of_row, n_folds);
      context.Progress(static_cast<double>(repeat + 1) / static_cast<double>(params.repeats));
    }
  }

 private:
  static void ShuffleSets(bool grouped, cf::Random& random, std::vector<RowSet>& sets) {
    if (grouped) {
      random.Shuffle(std::span(sets));
    } else {
      for (RowSet& rows : sets) random.Shuffle(std::span(rows));
    }
  }

  static std::int32_t PlainFolds(const Params& params, std::int64_t n_rows, bool grouped,
                                 std::size_t n_sets) {
    const char* noun = grouped ? "group" : "row";
    const std::int64_t most = grouped ? static_cast<std::int64_t>(n_sets) : n_rows;
    if (params.folds <= most) return static_cast<std::int32_t>(params.folds);
    if (params.reduce && most >= 2) return static_cast<std::int32_t>(most);
    throw cf::Error(CF_E_INVALID_PARAM, Counted(params.folds, "fold") + " exceed the " +
                                            Counted(most, noun) +
                                            (most < 2 ? "; k-fold needs at least 2 groups"
                                                      : "; use at most " + Counted(most, "fold")));
  }

  static std::int32_t StratifiedFolds(const Params& params, const cf::SplitInput& input,
                                      std::span<const RowSet> classes) {
    std::int64_t smallest = -1;  // class with the fewest rows, of those that have any
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (classes[c].empty()) continue;
      if (smallest < 0 || classes[c].size() < classes[static_cast<std::size_t>(smallest)].size()) {
        smallest = static_cast<std::int64_t>(c);
      }
    }
    const auto most = static_cast<std::int64_t>(classes[static_cast<std::size_t>(smallest)].size());
    if (params.folds <= most) return static_cast<std::int32_t>(params.folds);
    if (params.reduce && most >= 2) return static_cast<std::int32_t>(most);
    throw cf::Error(CF_E_INVALID_PARAM,
                    "class '" + std::string(input.class_name(smallest)) + "' has " +
                        Counted(most, "row") + ", fewer than the " + Counted(params.folds, "fold") +
                        "; use " + (most < 2 ? "" : "at most " + Counted(most, "fold") + ", or ") +
                        "stratify = false");
  }

  static void CheckOrder(const Params& params, bool grouped) {
    if (grouped && !params.shuffle && params.order == Order::kBlocks) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      "order = \"blocks\" would tear groups apart; use order = \"interleaved\", "
                      "which keeps groups together");
    }
  }

  // A repeat that repeats the same splits would look like more evidence than there is.
  static void CheckRepeats(const Params& params, bool grouped, std::span<const RowSet> sets) {
    if (params.repeats == 1) return;
    if (!params.shuffle) {
      throw cf::Error(CF_E_INVALID_PARAM, Counted(params.repeats, "repeat") +
                                              " without shuffle would all be the same; use "
                                              "repeats = 1, or shuffle = true");
    }
    if (!grouped) return;
    std::vector<std::size_t> sizes;
    for (const RowSet& group : sets) sizes.push_back(group.size());
    std::sort(sizes.begin(), sizes.end());
    if (std::adjacent_find(sizes.begin(), sizes.end()) == sizes.end()) {
      throw cf::Error(CF_E_INVALID_PARAM, "no two groups have the same size, so that all " +
                                              Counted(params.repeats, "repeat") +
                                              " would be the same; use repeats = 1");
    }
  }
};

}  // namespace

CROSSFOLD_PLUGIN("crossfold.kfold", "1.0.0", "The Crossfold Authors", "MIT", KFold)
