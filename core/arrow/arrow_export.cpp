#include <cerrno>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow/arrow_types.h"
#include "crossfold/arrow.h"
#include "crossfold/error.h"
#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

// The data that an exported schema owns, as its private_data.
struct SchemaHold {
  std::string format, name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

// The data that an exported array owns or keeps alive, as its private_data.
struct ArrayHold {
  std::vector<const void*> buffers;
  std::vector<std::uint8_t> bits, validity;  // if a copy was needed
  std::vector<std::int32_t> offsets;
  std::string text;
  std::shared_ptr<const Dataset> data;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_pointers;
  std::unique_ptr<ArrowArray> dictionary;
};

template <class T>
void ReleaseIfOwned(T& part) {
  if (part.release != nullptr) part.release(&part);
}

// Releases the parts that the consumer has not moved out.
template <class T, class Hold>
void Release(T* released) {
  auto* hold = static_cast<Hold*>(released->private_data);
  for (T& child : hold->children) ReleaseIfOwned(child);
  if (hold->dictionary) ReleaseIfOwned(*hold->dictionary);
  released->release = nullptr;
  delete hold;
}

// Makes a schema that owns `hold` and whose release destroys it.
ArrowSchema ToSchema(std::unique_ptr<SchemaHold> hold, std::int64_t flags) {
  ArrowSchema schema{};
  for (ArrowSchema& child : hold->children) hold->child_pointers.push_back(&child);
  schema.format = hold->format.c_str();
  schema.name = hold->name.c_str();
  if (!hold->metadata.empty()) schema.metadata = hold->metadata.data();
  schema.flags = flags;
  schema.n_children = static_cast<std::int64_t>(hold->children.size());
  schema.children = hold->children.empty() ? nullptr : hold->child_pointers.data();
  schema.dictionary = hold->dictionary.get();
  schema.release = &Release<ArrowSchema, SchemaHold>;
  schema.private_data = hold.release();
  return schema;
}

ArrowArray ToArray(std::unique_ptr<ArrayHold> hold, std::int64_t length, std::int64_t null_count) {
  ArrowArray array{};
  for (ArrowArray& child : hold->children) hold->child_pointers.push_back(&child);
  array.length = length;
  array.null_count = null_count;
  array.n_buffers = static_cast<std::int64_t>(hold->buffers.size());
  array.buffers = hold->buffers.data();
  array.n_children = static_cast<std::int64_t>(hold->children.size());
  array.children = hold->children.empty() ? nullptr : hold->child_pointers.data();
  array.dictionary = hold->dictionary.get();
  array.release = &Release<ArrowArray, ArrayHold>;
  array.private_data = hold.release();
  return array;
}

// An array or schema that is released if nobody takes it.
template <class T>
struct Guarded {
  T part{};
  Guarded() = default;
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() { ReleaseIfOwned(part); }
};

const char* FormatOf(std::int32_t dtype) {
  switch (dtype) {
    case CF_F64:
      return "g";
    case CF_F32:
      return "f";
    case CF_I64:
      return "l";
    case CF_BOOL8:
      return "b";
    default:
      return "i";  // and indices
  }
}

// Returns the role of the column in the C data interface's encoding of metadata, with the numbers
// of pairs and of bytes as int32. It is empty without a role.
std::string RoleMetadata(const Roles& roles, const std::string& column) {
  std::string encoded;
  const auto put_number = [&](std::size_t number) {
    const auto value = static_cast<std::int32_t>(number);
    encoded.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  for (const auto& [role, place] : kArrowRoles) {
    if (roles.*place != column) continue;
    put_number(1);
    for (const std::string_view text : {kArrowRoleKey, role}) {
      put_number(text.size());
      encoded += text;
    }
    break;
  }
  return encoded;
}

ArrowSchema SchemaOfColumn(const Column& column, const Roles& roles) {
  auto hold = std::make_unique<SchemaHold>();
  hold->format = FormatOf(column.dtype);
  hold->name = column.name;
  hold->metadata = RoleMetadata(roles, column.name);
  std::int64_t flags = ARROW_FLAG_NULLABLE;
  if (column.dtype == CF_CAT32) {
    auto levels = std::make_unique<SchemaHold>();
    levels->format = "u";
    hold->dictionary = std::make_unique<ArrowSchema>();
    *hold->dictionary = ToSchema(std::move(levels), 0);
    if (column.ordered) flags |= ARROW_FLAG_DICTIONARY_ORDERED;
  }
  return ToSchema(std::move(hold), flags);
}

// Whether an entry is null in the exported array. NaN stays a number.
bool IsNull(const Column& column, std::size_t row) {
  if (!IsValid(column, row)) return true;
  return column.dtype == CF_CAT32 && static_cast<const std::int32_t*>(column.data)[row] == -1;
}

// Returns the bitmap of a column, in its own memory if it begins at a byte; null = no entry is
// null.
const void* ValidityOf(const Column& column, std::int64_t n_null, ArrayHold& hold) {
  if (n_null == 0) return nullptr;
  const bool has_codes = column.dtype == CF_CAT32;  // of which -1 is null
  if (!has_codes && column.validity_offset % 8 == 0) {
    return column.validity + column.validity_offset / 8;
  }
  const auto n = static_cast<std::size_t>(column.n_rows);
  hold.validity.assign((n + 7) / 8, 0);
  for (std::size_t row = 0; row < n; ++row) {
    if (IsNull(column, row)) continue;
    hold.validity[row >> 3] |= static_cast<std::uint8_t>(1U << (row & 7));
  }
  return hold.validity.data();
}

const void* PackedBits(const Column& column, ArrayHold& hold) {
  const auto n = static_cast<std::size_t>(column.n_rows);
  const auto* bytes = static_cast<const std::uint8_t*>(column.data);
  hold.bits.assign((n + 7) / 8, 0);
  for (std::size_t row = 0; row < n; ++row) {
    if (bytes[row] != 0) hold.bits[row >> 3] |= static_cast<std::uint8_t>(1U << (row & 7));
  }
  return hold.bits.data();
}

ArrowArray ArrayOfLevels(const Column& column) {
  auto hold = std::make_unique<ArrayHold>();
  hold->offsets.push_back(0);
  for (const std::string& level : column.levels) {
    hold->text += level;
    if (hold->text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot export column '" + column.name +
                      "': its levels take 2 GiB or more; leave it out");
    }
    hold->offsets.push_back(static_cast<std::int32_t>(hold->text.size()));
  }
  hold->buffers = {nullptr, hold->offsets.data(), hold->text.data()};
  return ToArray(std::move(hold), static_cast<std::int64_t>(column.levels.size()), 0);
}

ArrowArray ArrayOfColumn(const Column& column, const std::shared_ptr<const Dataset>& data) {
  auto hold = std::make_unique<ArrayHold>();
  hold->data = data;
  std::int64_t n_null = 0;
  for (std::int64_t row = 0; row < column.n_rows; ++row) {
    if (IsNull(column, static_cast<std::size_t>(row))) ++n_null;
  }
  const void* validity = ValidityOf(column, n_null, *hold);
  const void* entries = column.dtype == CF_BOOL8 ? PackedBits(column, *hold) : column.data;
  hold->buffers = {validity, entries};
  if (column.dtype == CF_CAT32) {
    hold->dictionary = std::make_unique<ArrowArray>();
    *hold->dictionary = ArrayOfLevels(column);
  }
  return ToArray(std::move(hold), column.n_rows, n_null);
}

}  // namespace

void ExportArrow(std::shared_ptr<const Dataset> data, ArrowSchema* schema, ArrowArray* array) {
  const std::span<const Column> columns = data->columns();
  // Until ToSchema and ToArray, guards release the finished columns if a later one fails.
  std::vector<Guarded<ArrowSchema>> types(columns.size());
  std::vector<Guarded<ArrowArray>> entries(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    types[i].part = SchemaOfColumn(columns[i], data->roles());
    entries[i].part = ArrayOfColumn(columns[i], data);
  }
  auto schema_hold = std::make_unique<SchemaHold>();
  auto array_hold = std::make_unique<ArrayHold>();
  schema_hold->format = "+s";
  array_hold->buffers = {nullptr};
  array_hold->data = data;
  schema_hold->children.reserve(columns.size());
  schema_hold->child_pointers.reserve(columns.size());
  array_hold->children.reserve(columns.size());
  array_hold->child_pointers.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {  // throws nothing
    schema_hold->children.push_back(std::exchange(types[i].part, {}));
    array_hold->children.push_back(std::exchange(entries[i].part, {}));
  }
  *schema = ToSchema(std::move(schema_hold), 0);
  *array = ToArray(std::move(array_hold), data->num_rows(), 0);
}

namespace {

// The data that the stream owns, as its private_data.
struct StreamHold {
  std::shared_ptr<const Dataset> data;
  bool is_given = false;
  std::string reason = {};

  // Fills in one of the two structs, and releases the other.
  template <class Take>
  int Export(const Take& take) {
    Guarded<ArrowSchema> schema;
    Guarded<ArrowArray> array;
    try {
      ExportArrow(data, &schema.part, &array.part);
    } catch (const Error& error) {
      reason = error.what();
      return EINVAL;
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
    take(schema.part, array.part);
    return 0;
  }
  static StreamHold& Of(ArrowArrayStream* stream) {
    return *static_cast<StreamHold*>(stream->private_data);
  }
};

}  // namespace

void ExportArrowStream(std::shared_ptr<const Dataset> data, ArrowArrayStream* stream) {
  *stream = {};
  stream->private_data = new StreamHold{.data = std::move(data), .reason = {}};
  stream->get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
    return StreamHold::Of(from).Export(
        [&](ArrowSchema& schema, ArrowArray&) { *out = std::exchange(schema, {}); });
  };
  stream->get_next = [](ArrowArrayStream* from, ArrowArray* out) {
    *out = {};
    if (std::exchange(StreamHold::Of(from).is_given, true)) return 0;
    return StreamHold::Of(from).Export(
        [&](ArrowSchema&, ArrowArray& array) { *out = std::exchange(array, {}); });
  };
  stream->get_last_error = [](ArrowArrayStream* from) -> const char* {
    const std::string& reason = StreamHold::Of(from).reason;
    return reason.empty() ? nullptr : reason.c_str();
  };
  stream->release = [](ArrowArrayStream* from) {
    delete &StreamHold::Of(from);
    from->release = nullptr;
  };
}

}  // namespace crossfold
