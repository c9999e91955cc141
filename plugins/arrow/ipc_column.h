// The fields of a schema as the columns that are read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "crossfold_plugin/source.hpp"
#include "entry_type.h"
#include "ipc_tables.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

struct IpcColumn {
  std::string name, role;
  FieldShare share;
  bool is_unused = false;  // else `type` is there
  // Of the entries in the record batches: with a dictionary, of the indices.
  std::optional<EntryType> type = {};
  std::optional<std::int64_t> dictionary = {};  // its number
  std::optional<EntryType> level_type = {};     // of its entries
  bool is_ordered = false;
};

// Throws Error for a field that is needed and cannot be a column.
std::vector<IpcColumn> ColumnsOf(const ipc::Schema& schema, ipc::Version version,
                                 const cf::SourceInput& input);

}  // namespace crossfold::reading
