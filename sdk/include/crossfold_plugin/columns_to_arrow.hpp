// Columns of a source as Arrow arrays: the buffers are lent, not copied. Templates over
// SourceColumn, so that only plugins with sources compile them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/arrow.h"
#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/data.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::plugin {
namespace internal {

// The private_data of an Arrow struct, which owns its memory.
struct SchemaHold {
  std::string format, name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};
struct ArrayHold {
  std::vector<const void*> buffers;
  std::vector<std::int32_t> offsets;  // of the levels in `text`
  std::string text;
  std::shared_ptr<const void> owner;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<ArrowArray> dictionary;
};

// Releases what the consumer has not moved out.
template <class T, class Hold>
void ReleaseArrow(T* released) {
  auto* hold = static_cast<Hold*>(released->private_data);
  const auto release = [](T& part) {
    if (part.release != nullptr) part.release(&part);
  };
  for (T& child : hold->children) release(child);
  if (hold->dictionary) release(*hold->dictionary);
  released->release = nullptr;
  delete hold;
}

// Moves `hold` into `out`, which is empty before. From here on nothing throws.
template <class T, class Hold>
void GiveHold(std::unique_ptr<Hold> hold, T& out) {
  for (T& child : hold->children) hold->child_pointers.push_back(&child);
  out.n_children = static_cast<std::int64_t>(hold->children.size());
  out.children = hold->children.empty() ? nullptr : hold->child_pointers.data();
  out.dictionary = hold->dictionary.get();
  out.release = &ReleaseArrow<T, Hold>;
  out.private_data = hold.release();
}

// Reserves room for children, so that moving the hold takes no memory.
template <class T, class Hold>
std::unique_ptr<Hold> HoldOf(std::size_t n_children) {
  auto hold = std::make_unique<Hold>();
  hold->children.resize(n_children);
  hold->child_pointers.reserve(n_children);
  return hold;
}

inline const char* ArrowFormat(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
      return "g";
    case CF_F32:
      return "f";
    case CF_I64:
      return "l";
    case CF_I32:
    case CF_CAT32:
      return "i";
    case CF_BOOL8:
      return "b";
    default:
      return "n";
  }
}

// Encodes metadata by the specification: numbers of pairs and bytes as int32, without NUL.
template <class Text>
Text RoleMetadata(const Text& role) {
  Text encoded;
  const auto put_number = [&](std::size_t number) {
    const auto value = static_cast<std::int32_t>(number);
    encoded.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  put_number(1);
  for (const std::string_view text : {std::string_view("crossfold.role"), std::string_view(role)}) {
    put_number(text.size());
    encoded += text;
  }
  return encoded;
}

template <class Column>
void FillSchema(const Column& column, ArrowSchema& out) {
  auto hold = HoldOf<ArrowSchema, SchemaHold>(0);
  hold->name = column.name;
  if (!column.role.empty()) hold->metadata = RoleMetadata(column.role);
  hold->format = column.arrow_format.empty() ? ArrowFormat(column.dtype) : column.arrow_format;
  out.format = hold->format.c_str();
  out.name = hold->name.c_str();
  out.metadata = column.role.empty() ? nullptr : hold->metadata.c_str();
  out.flags = ARROW_FLAG_NULLABLE | (column.ordered ? ARROW_FLAG_DICTIONARY_ORDERED : 0);
  if (column.dtype == CF_CAT32) {
    auto levels = HoldOf<ArrowSchema, SchemaHold>(0);
    hold->dictionary = std::make_unique<ArrowSchema>();
    hold->dictionary->format = "u";
    hold->dictionary->name = "";
    GiveHold(std::move(levels), *hold->dictionary);
  }
  GiveHold(std::move(hold), out);
}

template <class Column>
void FillLevels(const Column& column, ArrowArray& out) {
  auto hold = HoldOf<ArrowArray, ArrayHold>(0);
  hold->offsets.push_back(0);
  for (const std::string& level : column.levels) {
    hold->text += level;
    if (hold->text.size() > std::numeric_limits<std::int32_t>::max()) {
      throw Error(CF_E_UNSUPPORTED_DATA,
                  "the levels of column '" + column.name + "' have more than 2 GiB");
    }
    hold->offsets.push_back(static_cast<std::int32_t>(hold->text.size()));
  }
  hold->buffers = {nullptr, hold->offsets.data(), hold->text.data()};
  out.length = static_cast<std::int64_t>(column.levels.size());
  out.n_buffers = 3;
  out.buffers = hold->buffers.data();
  GiveHold(std::move(hold), out);
}

template <class Column>
void FillArray(const Column& column, ArrowArray& out) {
  auto hold = HoldOf<ArrowArray, ArrayHold>(0);
  const bool has_entries = column.dtype != 0 || !column.arrow_format.empty();
  const bool has_texts = column.arrow_format == "u" || column.arrow_format == "U";
  hold->owner = column.owner;
  if (has_entries) hold->buffers = {column.validity, column.data};
  if (has_texts) hold->buffers.push_back(column.text);
  out.length = column.n_rows;
  out.null_count = has_entries ? column.null_count : column.n_rows;
  out.n_buffers = static_cast<std::int64_t>(hold->buffers.size());
  out.buffers = has_entries ? hold->buffers.data() : nullptr;
  if (column.dtype == CF_CAT32) {
    hold->dictionary = std::make_unique<ArrowArray>();
    FillLevels(column, *hold->dictionary);
  }
  GiveHold(std::move(hold), out);
}

// Owns a struct until it is passed on.
template <class T, class Hold>
class ArrowStruct {
 public:
  explicit ArrowStruct(std::size_t n_children) { GiveHold(HoldOf<T, Hold>(n_children), part_); }
  ArrowStruct(const ArrowStruct&) = delete;
  ArrowStruct& operator=(const ArrowStruct&) = delete;
  ~ArrowStruct() {
    if (part_.release != nullptr) part_.release(&part_);
  }
  T& part() { return part_; }
  Hold& hold() { return *static_cast<Hold*>(part_.private_data); }
  void MoveTo(T& out) {
    out = part_;
    part_.release = nullptr;
  }

 private:
  T part_{};
};

}  // namespace internal

// Writes the type of a stream of such columns, which the caller releases.
template <class Column>
void ToArrow(const std::vector<Column>& columns, ArrowSchema& out) {
  internal::ArrowStruct<ArrowSchema, internal::SchemaHold> table(columns.size());
  table.part().format = "+s";
  table.part().name = "";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    internal::FillSchema(columns[i], table.hold().children[i]);
  }
  table.MoveTo(out);
}

// Writes the columns as one array, which keeps their memory alive and which the caller releases.
// REQUIRES: there is a column.
template <class Column>
void ToArrow(const std::vector<Column>& columns, ArrowArray& out) {
  internal::ArrowStruct<ArrowArray, internal::ArrayHold> table(columns.size());
  table.hold().buffers = {nullptr};
  table.part().n_buffers = 1;
  table.part().buffers = table.hold().buffers.data();
  table.part().length = columns.front().n_rows;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    internal::FillArray(columns[i], table.hold().children[i]);
  }
  table.MoveTo(out);
}

}  // namespace crossfold::plugin
