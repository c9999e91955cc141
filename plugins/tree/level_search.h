// The best splits of all open nodes of a level: one pass over each attribute list finds those of
// its column, as in SLIQ. Finds the splits of SplitSearch, bit for bit, as rows are added up in the
// same order or, where sums are exact, in another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "attribute_lists.h"
#include "grow.h"
#include "ordered_rows.h"
#include "split_search.h"

namespace crossfold::bundled::tree {

// The class list has one number per row: the node in whose list it is, as its place among the open
// nodes of the level, and the row's class.
class ClassCode {
 public:
  // A row of no open node.
  static constexpr std::uint32_t kDone = 0xFFFFFFFFu;

  // `n_classes` = 0: regression.
  explicit ClassCode(std::size_t n_classes);

  std::uint32_t Of(std::size_t node, std::size_t label) const {
    return static_cast<std::uint32_t>((node << label_bits_) | label);
  }
  // At least num_nodes() if the row is in no open node.
  std::uint32_t node(std::uint32_t code) const { return code >> label_bits_; }
  std::uint32_t label(std::uint32_t code) const { return code & label_mask_; }
  // The numbers of nodes are below it. The topmost bit is for other uses.
  std::size_t num_nodes() const { return std::size_t{1} << (31 - label_bits_); }

 private:
  unsigned label_bits_ = 0;
  std::uint32_t label_mask_ = 0;
};

// Levels by row: numbers in memory, or those of the dataset.
struct LevelCodes {
  const std::uint32_t* codes = nullptr;
  const ColumnEntries* entries = nullptr;
  std::size_t operator[](std::size_t row) const {
    return codes != nullptr ? codes[row] : static_cast<std::size_t>((*entries)[row]);
  }
};

// Rows whose open nodes are searched together.
struct LevelRows {
  std::span<const std::uint32_t> codes;  // the class list
  // By feature; items are rows of `codes`.
  std::span<const std::span<const std::uint32_t>> lists;
  std::span<const LevelCodes> levels;  // by feature; of nominal ones
  const double* weights = nullptr;     // null = each is 1
  const double* targets = nullptr;     // regression
  double offset = 0;                   // see Target

  double weight(std::size_t row) const { return weights != nullptr ? weights[row] : 1.0; }
  double centred(std::size_t row) const { return targets[row] - offset; }
};

struct OpenNode {
  std::size_t index = 0;  // in the tree
  std::uint64_t seed = 0;
  std::size_t n_rows = 0;
  double weight = 0;
  double impurity = 0;           // summed: see NodeRows
  std::span<const double> sums;  // see impurity.h
};

// `cut` is a row with the largest entry on the left side, `threshold` is not set.
struct LevelSplit : Candidate {
  std::uint32_t above = 0;  // a row with the smallest entry on the right side
};

// What all rows of the tree are.
struct RowTotals {
  std::size_t n_classes = 0;  // 0 in regression
  double weight = 0;
  bool whole = false;    // all weights are whole numbers
  bool counted = false;  // see CountedRows
};

class LevelSearch {
 public:
  virtual ~LevelSearch() = default;
  // Weighted impurity of a set: see impurity.h.
  virtual double ImpurityOf(std::span<const double> sums) const = 0;
  // One for each node; nullopt = no split has a gain and enough rows in its children. Memory is
  // bounded, with more passes if there are too many nodes for it.
  virtual std::vector<std::optional<LevelSplit>> Best(const LevelRows& rows,
                                                      std::span<const OpenNode> nodes) = 0;
};

// Options and lists must outlive it. `context` may be null.
std::unique_ptr<LevelSearch> MakeLevelSearch(const GrowOptions& options,
                                             const AttributeLists& lists, const RowTotals& totals,
                                             const ClassCode& code, const plugin::Context* context);

}  // namespace crossfold::bundled::tree
