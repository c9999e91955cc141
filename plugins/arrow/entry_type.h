// How the buffers of a column hold its entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "ipc_tables.h"

namespace crossfold::reading {

enum class EntryLayout {
  kNone,   // no buffers: every entry is null
  kBits,   // one bit each
  kFixed,  // `width` bytes each
  kText,   // offsets of `width` bytes, one more than entries, and the bytes of the strings
  kViews   // kArrowViewBytes each, which point into any number of buffers; read as kText
};

// A type that is read and written.
struct EntryType {
  std::string format;  // as the C data interface of Arrow writes it
  EntryLayout layout = EntryLayout::kNone;
  std::int64_t width = 0;  // bytes
};

// Returns the type of a format of the C data interface; nothing if a host does not accept it.
std::optional<EntryType> EntryTypeOf(std::string_view format);
// Returns the type of a field; with a dictionary, that of the dictionary's entries.
std::optional<EntryType> EntryTypeOf(const ipc::Field& field);
std::optional<EntryType> EntryTypeOf(const ipc::Int& integer);

// Returns the type of a field as messages name it: "list".
std::string TypeNameOf(const ipc::Field& field);

// The buffers that a field and its children have in a record batch.
struct FieldShare {
  std::size_t n_nodes = 0, n_buffers = 0;
  std::size_t n_views = 0;  // numbers of buffers, which follow from view_counts
};
FieldShare ShareOf(const ipc::Field& field, ipc::Version version);

struct TypeTable {
  ipc::Type type;
  flatbuffers::Offset<void> table;
};
// Writes the table of that type. REQUIRES: EntryTypeOf(format).
TypeTable MakeTypeTable(const EntryType& type, flatbuffers::FlatBufferBuilder& builder);
// REQUIRES: an integer.
flatbuffers::Offset<ipc::Int> MakeIntTable(const EntryType& type,
                                           flatbuffers::FlatBufferBuilder& builder);

}  // namespace crossfold::reading
