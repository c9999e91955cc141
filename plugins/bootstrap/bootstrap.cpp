// Bootstrap: train on rows drawn with replacement, test on the rows that were not drawn.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../row_sets.h"
#include "../strata.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// Returns how many of n units are drawn: n * size, rounded half up, but at least one.
std::int64_t CountDraws(std::size_t n, double size) {
  const double rounded = std::floor(static_cast<double>(n) * size + 0.5);
  return std::max(std::int64_t{1}, static_cast<std::int64_t>(rounded));
}

// Draws units from a pool: the rows of one stratum, or groups.
class Drawer {
 public:
  explicit Drawer(std::int64_t n_rows) : times_drawn_(static_cast<std::size_t>(n_rows)) {}

  void Clear() { std::fill(times_drawn_.begin(), times_drawn_.end(), 0); }
  // Each unit is some rows, which are drawn together.
  void Draw(std::span<const RowSet> units, double size, cf::Random& random) {
    for (std::int64_t draw = CountDraws(units.size(), size); draw > 0; --draw) {
      for (const std::int64_t row : units[static_cast<std::size_t>(random.Below(units.size()))]) {
        ++times_drawn_[static_cast<std::size_t>(row)];
      }
    }
  }
  void Draw(const RowSet& rows, double size, cf::Random& random) {
    for (std::int64_t draw = CountDraws(rows.size(), size); draw > 0; --draw) {
      const std::int64_t row = rows[static_cast<std::size_t>(random.Below(rows.size()))];
      ++times_drawn_[static_cast<std::size_t>(row)];
    }
  }
  bool is_any_left() const {
    return std::find(times_drawn_.begin(), times_drawn_.end(), 0) != times_drawn_.end();
  }
  // Ascending; a row that was drawn twice is in it twice.
  void Collect(RowSet& train, RowSet& test) const {
    train.clear();
    test.clear();
    for (std::size_t row = 0; row < times_drawn_.size(); ++row) {
      const auto position = static_cast<std::int64_t>(row);
      train.insert(train.end(), static_cast<std::size_t>(times_drawn_[row]), position);
      if (times_drawn_[row] == 0) test.push_back(position);
    }
  }

 private:
  std::vector<std::int64_t> times_drawn_;  // of each row
};

struct Bootstrap {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.bootstrap",
                    .title = "Bootstrap with out-of-bag test rows",
                    .doc = "Repeatedly trains on rows drawn with replacement and tests on the rows "
                           "that were not drawn. Groups are drawn whole.",
                    .source = "Efron 1983, Estimating the error rate of a prediction rule: "
                              "improvement on cross-validation"}};

  struct Params {
    std::int64_t repeats = 50;
    double size = 1;
    Stratify stratify = Stratify::kNo;
    std::int64_t bins = kDefaultBins;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("repeats", &Params::repeats, {.low = 1, .high = 1000000}, "Number of samples."),
      cf::Real("size", &Params::size, {.low = 0, .high = 1},
               "Number of rows drawn, as a share of all rows.", {.flags = CF_PF_LO_OPEN}),
      cf::Choice("stratify", &Params::stratify, kStratifyNames,
                 "Draw from each class, or bin of a numeric target, as many rows as it has."),
      cf::Integer("bins", &Params::bins, {.low = 1},
                  "Number of bins of a numeric target; all have the same number of rows.",
                  {.active_if = kIfStratified}));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    if (input.num_rows() < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "the bootstrap needs at least 2 rows, got " +
                                                 std::to_string(input.num_rows()));
    }
    if (params.stratify != Stratify::kNo && input.has_groups()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "stratify draws rows and would split groups; use stratify = false, or "
                      "read the data without groups");
    }
    if (input.has_groups()) {
      SplitGroups(params, input, sink, context);
    } else {
      SplitStrata(params, input, sink, context);
    }
  }

 private:
  static void SplitGroups(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                          const cf::Context& context) {
    const std::vector<RowSet> groups = RowsByGroup(input);
    if (groups.size() < 2) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "all rows are in one group; the bootstrap needs at least 2 groups");
    }
    const auto draw = [&](Drawer& drawer, cf::Random& random) {
      drawer.Draw(groups, params.size, random);
    };
    EmitSamples(params, input.num_rows(), draw, sink, context);
  }

  static void SplitStrata(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                          const cf::Context& context) {
    Strata strata;
    if (params.stratify != Stratify::kNo) {
      strata = MakeStrata(input, params.bins);
      if (params.stratify == Stratify::kAsFarAsPossible) PoolSingleRows(strata, context);
      CheckStrata(strata);
    } else {
      strata.rows.push_back(AllRows(input.num_rows()));
    }
    const auto draw = [&](Drawer& drawer, cf::Random& random) {
      for (const RowSet& rows : strata.rows) drawer.Draw(rows, params.size, random);
    };
    EmitSamples(params, input.num_rows(), draw, sink, context);
  }

  // A row that is alone in its stratum is always drawn, so these rows form one stratum.
  static void PoolSingleRows(Strata& strata, const cf::Context& context) {
    RowSet pool;
    for (const RowSet& rows : strata.rows) {
      if (rows.size() == 1) pool.push_back(rows.front());
    }
    if (pool.empty()) return;
    NoteRareStratum(context,
                    strata.names[strata.Smallest()] + " has 1 row, which is " +
                        (pool.size() == 1 ? "always drawn and never tested"
                                          : "drawn together with the other single rows"),
                    pool.size() - 1);
    std::erase_if(strata.rows, [](const RowSet& rows) { return rows.size() == 1; });
    std::sort(pool.begin(), pool.end());
    strata.rows.push_back(std::move(pool));
  }

  // Otherwise every sample would have all rows.
  static void CheckStrata(const Strata& strata) {
    for (const RowSet& rows : strata.rows) {
      if (rows.size() > 1) return;
    }
    throw cf::Error(
        CF_E_UNSUPPORTED_DATA,
        "every stratum has a single row, which would always be drawn; " + strata.WayOut(""));
  }

  // A sample that leaves no row to test is drawn again. That ends: with at most n draws out of n >
  // 1 units, at least every second sample leaves one.
  template <class Draw>
  static void EmitSamples(const Params& params, std::int64_t n_rows, const Draw& draw,
                          cf::SplitSink& sink, const cf::Context& context) {
    cf::Random random = context.MakeRandom();
    Drawer drawer(n_rows);
    RowSet train, test;
    for (std::int64_t repeat = 0; repeat < params.repeats; ++repeat) {
      do {
        drawer.Clear();
        draw(drawer, random);
      } while (!drawer.is_any_left());
      drawer.Collect(train, test);
      sink.EmitSplit(train, test);
      context.Progress(static_cast<double>(repeat + 1) / static_cast<double>(params.repeats));
    }
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.bootstrap", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::Bootstrap)
