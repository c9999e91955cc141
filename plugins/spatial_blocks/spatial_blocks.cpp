// Spatial blocks: the plane is cut into squares, whole squares are dealt to folds, and training
// rows near test rows are left out.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../group_dealer.h"
#include "../number_text.h"
#include "../row_sets.h"
#include "../strata.h"
#include "../whole_groups.h"
#include "crossfold_plugin.hpp"

namespace crossfold::bundled {
namespace {

namespace cf = crossfold::plugin;

// Beyond this a cell number is no longer exact.
constexpr double kMostCells = 9007199254740992.0;  // 2^53

struct Place {
  double x = 0, y = 0;
};

using Cell = std::pair<std::int64_t, std::int64_t>;
using Grid = std::map<Cell, RowSet>;

// The rows in each square of this side; a corner of the grid is at 0, 0, so that the squares do not
// depend on the rows. Throws Error if a number of a square is not exact.
Grid MakeGrid(std::span<const Place> places, double side, const char* name) {
  Grid grid;
  for (std::size_t row = 0; row < places.size(); ++row) {
    const double i = std::floor(places[row].x / side), j = std::floor(places[row].y / side);
    if (std::max(std::abs(i), std::abs(j)) >= kMostCells) {
      throw cf::Error(CF_E_INVALID_PARAM, std::string(name) + " = " + NumberText(side) +
                                              " is too small for coordinates such as " +
                                              NumberText(places[row].x) + ", " +
                                              NumberText(places[row].y) + "; use a larger one");
    }
    grid[{static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)}].push_back(
        static_cast<std::int64_t>(row));
  }
  return grid;
}

struct SpatialBlocks {
  static constexpr cf::SplitterInfo kInfo{
      .component = {.id = "crossfold.spatial_blocks",
                    .title = "Spatial blocks",
                    .doc = "Cuts the plane into squares and deals whole squares to folds of about "
                           "equal size. Training rows within the buffer of a test row are left "
                           "out.",
                    .source = "Roberts et al. 2017, Cross-validation strategies for data with "
                              "temporal, spatial, hierarchical, or phylogenetic structure"}};

  struct Params {
    std::int64_t folds = 5;
    std::optional<double> size;
    double buffer = 0;
    std::vector<double> x, y;
    bool ignore_groups = false;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Integer("folds", &Params::folds,
                  {.low = 2, .high = std::numeric_limits<std::int32_t>::max()}, "Number of folds."),
      cf::Real("size", &Params::size, {.low = 0},
               "Side of a square: at least the distance over which rows depend on each other; none "
               "= a tenth of the extent.",
               {.unit = "coordinates"}),
      cf::Real("buffer", &Params::buffer, {.low = 0},
               "Rows within this distance of a test row do not train.", {.unit = "coordinates"}),
      cf::RealList("x", &Params::x, {},
                   "First coordinate of each row; empty = the time column, if there is one."),
      cf::RealList("y", &Params::y, {},
                   "Second coordinate of each row; empty = there is one coordinate only."),
      IgnoreGroups(&Params::ignore_groups));

  static void Split(const Params& params, const cf::SplitInput& input, cf::SplitSink& sink,
                    const cf::Context& context) {
    const std::vector<Place> places = Places(params, input, context);
    const double size = SizeOf(params, places, context);
    const std::vector<std::int32_t> fold_of_row =
        DealBlocks(params, size, MakeGrid(places, size, "size"), input.num_rows());
    const GroupGuard guard(input, params.ignore_groups);
    if (params.buffer == 0) {
      guard.CheckPartition(fold_of_row);
      sink.EmitPartition(fold_of_row, static_cast<std::int32_t>(params.folds));
    } else {
      EmitBuffered(params, places, fold_of_row, guard, sink, context);
    }
  }

 private:
  static std::vector<Place> Places(const Params& params, const cf::SplitInput& input,
                                   const cf::Context& context) {
    const auto n = static_cast<std::size_t>(input.num_rows());
    if (params.x.empty() && params.y.empty() && !input.time().empty()) {
      context.Log(CF_LOG_INFO, "there are no coordinates, so blocks are made of the time column");
      std::vector<Place> places;
      for (const double time : input.time()) places.push_back({time, 0});
      return places;
    }
    if (params.x.empty()) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA,
                      "there are no coordinates; name their columns, as in columns = { \"x\", "
                      "\"y\" }, or give x = {...} with one number per row");
    }
    for (const auto* list : {&params.x, &params.y}) {
      if (list->size() == n || (list == &params.y && list->empty())) continue;
      throw cf::Error(CF_E_INVALID_PARAM, std::string(list == &params.x ? "x" : "y") + " has " +
                                              std::to_string(list->size()) +
                                              " numbers, the data has " + std::to_string(n) +
                                              " rows");
    }
    std::vector<Place> places(n);
    for (std::size_t row = 0; row < n; ++row) {
      places[row] = {params.x[row], params.y.empty() ? 0 : params.y[row]};
      if (std::isfinite(places[row].x) && std::isfinite(places[row].y)) continue;
      throw cf::Error(CF_E_INVALID_PARAM,
                      "a coordinate of row " + std::to_string(row + 1) + " is not a number");
    }
    return places;
  }

  // A tenth of the larger extent, with a note, if none is given.
  static double SizeOf(const Params& params, std::span<const Place> places,
                       const cf::Context& context) {
    if (params.size && *params.size > 0) return *params.size;
    if (params.size) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      "size = 0 is not the side of a square; give the distance "
                      "over which rows depend on each other");
    }
    const auto [left, right] = std::ranges::minmax_element(places, {}, &Place::x);
    const auto [low, high] = std::ranges::minmax_element(places, {}, &Place::y);
    const double extent = std::max(right->x - left->x, high->y - low->y);
    if (!(extent > 0)) {
      throw cf::Error(CF_E_UNSUPPORTED_DATA, "all rows are in one place");
    }
    const std::string note = "size = " + NumberText(extent / 10) +
                             " is a tenth of the extent; give the distance over which rows depend "
                             "on each other";
    context.Log(CF_LOG_INFO, note.c_str());
    return extent / 10;
  }

  // The fold of each row. Squares count in the order of the grid, so that the order of the rows
  // does not matter.
  static std::vector<std::int32_t> DealBlocks(const Params& params, double size, const Grid& grid,
                                              std::int64_t n_rows) {
    const auto n_blocks = static_cast<std::int64_t>(grid.size());
    if (params.folds > n_blocks) {
      throw cf::Error(CF_E_INVALID_PARAM,
                      Counted(params.folds, "fold") + " exceed the " + Counted(n_blocks, "block") +
                          " of size = " + NumberText(size) +
                          (n_blocks < 2 ? "; use a smaller size"
                                        : "; use at most " + Counted(n_blocks, "fold") +
                                              ", or a smaller size"));
    }
    std::vector<RowSet> blocks;
    for (const auto& [cell, rows] : grid) blocks.push_back(rows);
    const GroupCounts counts(blocks, Strata(), n_rows);
    const std::vector<double> shares(static_cast<std::size_t>(params.folds),
                                     1.0 / static_cast<double>(params.folds));
    const std::vector<std::int32_t> fold_of_block = GroupDealer(counts, shares).DealLargestFirst();
    std::vector<std::int32_t> fold_of_row(static_cast<std::size_t>(n_rows));
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      for (const std::int64_t row : blocks[b]) {
        fold_of_row[static_cast<std::size_t>(row)] = fold_of_block[b];
      }
    }
    return fold_of_row;
  }

  // The folds that have a row within the buffer of each row.
  static std::vector<std::set<std::int32_t>> FoldsNear(double buffer, std::span<const Place> places,
                                                       std::span<const std::int32_t> fold_of_row) {
    // A little wider, so that rounding puts no row within the buffer two squares away.
    const Grid grid = MakeGrid(places, buffer * 1.000001, "buffer");
    std::vector<std::set<std::int32_t>> near(places.size());
    for (const auto& [cell, rows] : grid) {
      for (std::int64_t i = cell.first - 1; i <= cell.first + 1; ++i) {
        for (std::int64_t j = cell.second - 1; j <= cell.second + 1; ++j) {
          const auto others = grid.find({i, j});
          if (others != grid.end())
            AddNear(buffer, places, fold_of_row, rows, others->second, near);
        }
      }
    }
    return near;
  }

  static void AddNear(double buffer, std::span<const Place> places,
                      std::span<const std::int32_t> fold_of_row, const RowSet& rows,
                      const RowSet& others, std::vector<std::set<std::int32_t>>& near) {
    for (const std::int64_t row : rows) {
      const auto at = static_cast<std::size_t>(row);
      for (const std::int64_t other : others) {
        const auto to = static_cast<std::size_t>(other);
        if (fold_of_row[to] == fold_of_row[at] || near[at].contains(fold_of_row[to])) continue;
        const double x = places[at].x - places[to].x, y = places[at].y - places[to].y;
        if (x * x + y * y <= buffer * buffer) near[at].insert(fold_of_row[to]);
      }
    }
  }

  static void EmitBuffered(const Params& params, std::span<const Place> places,
                           std::span<const std::int32_t> fold_of_row, const GroupGuard& guard,
                           cf::SplitSink& sink, const cf::Context& context) {
    const auto near = FoldsNear(params.buffer, places, fold_of_row);
    for (std::int32_t fold = 0; fold < params.folds; ++fold) {
      RowSet train, test;
      for (std::size_t row = 0; row < fold_of_row.size(); ++row) {
        if (fold_of_row[row] == fold) {
          test.push_back(static_cast<std::int64_t>(row));
        } else if (!near[row].contains(fold)) {
          train.push_back(static_cast<std::int64_t>(row));
        }
      }
      if (train.empty()) {
        throw cf::Error(CF_E_INVALID_PARAM,
                        "buffer = " + NumberText(params.buffer) +
                            " leaves nothing to train on for fold " + std::to_string(fold + 1) +
                            " of " + std::to_string(params.folds) + "; use a smaller buffer");
      }
      guard.Check(train, test);
      sink.EmitSplit(train, test);
      context.Progress(static_cast<double>(fold + 1) / static_cast<double>(params.folds));
    }
  }
};

}  // namespace
}  // namespace crossfold::bundled

CROSSFOLD_PLUGIN("crossfold.spatial_blocks", "1.0.0", "The Crossfold Authors", "MIT",
                 crossfold::bundled::SpatialBlocks)
