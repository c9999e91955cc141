// The attribute lists of SLIQ (Mehta, Agrawal and Rissanen 1996): each column's rows in the order
// of its entries, sorted once, in scratch memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "columns.h"
#include "crossfold_plugin/context.hpp"
#include "ordered_rows.h"
#include "scratch_memory.h"

namespace crossfold::bundled::tree {

// An item of a list is a row below this bit; the bit is set where the entry is larger than that of
// the item before. So a list has 4 bytes per row, and the values stay where they are.
inline constexpr std::uint32_t kNewValue = std::uint32_t{1} << 31;

class AttributeLists {
 public:
  // Throws Error for an infinite or missing entry. `context` may be null.
  AttributeLists(const OrderedRows& rows, const plugin::Context* context);

  std::size_t size() const { return columns_.size(); }
  ColumnKind kind(std::size_t j) const { return columns_[j].kind; }
  // Different entries; of a nominal column its levels.
  std::size_t num_values(std::size_t j) const { return columns_[j].n_values; }
  // By (entry, row); empty for a nominal column.
  std::span<const std::uint32_t> list(std::size_t j) const { return columns_[j].list.all(); }

 private:
  struct Column {
    ColumnKind kind = ColumnKind::kNumeric;
    std::size_t n_values = 0;
    ScratchArray<std::uint32_t> list;
  };
  std::vector<Column> columns_;
};

}  // namespace crossfold::bundled::tree
