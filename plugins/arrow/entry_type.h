// How the entries of a column lie in its buffers.
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
  kText    // offsets of `width` bytes, one more than entries, and the bytes of the strings
};

// A type that is read and written.
struct EntryType {
  std::string format;  // as the C data interface of Arrow writes it
  EntryLayout layout = EntryLayout::kNone;
  std::int64_t width = 0;  // bytes
};

// Of a format of the C data interface; nothing if it is not one of those that a host takes.
std::optional<EntryType> EntryTypeOf(std::string_view format);
// Of a field, of whose dictionary this is the type of the entries.
std::optional<EntryType> EntryTypeOf(const ipc::Field& field);
std::optional<EntryType> EntryTypeOf(const ipc::Int& integer);

// "list", as messages name the type of a field.
std::string TypeNameOf(const ipc::Field& field);

// What a field and its children take of a record batch.
struct FieldShare {
  std::size_t n_nodes = 0, n_buffers = 0;
  std::size_t n_views = 0;  // numbers of buffers, which follow from view_counts
};
FieldShare ShareOf(const ipc::Field& field, ipc::Version version);

// The table of that type. REQUIRES: EntryTypeOf(format).
struct TypeTable {
  ipc::Type type;
  flatbuffers::Offset<void> table;
};
TypeTable MakeTypeTable(const EntryType& type, flatbuffers::FlatBufferBuilder& builder);
// REQUIRES: an integer.
flatbuffers::Offset<ipc::Int> MakeIntTable(const EntryType& type,
                                           flatbuffers::FlatBufferBuilder& builder);

}  // namespace crossfold::reading
