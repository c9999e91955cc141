#include "entry_type.h"

#include <utility>

namespace crossfold::reading {
namespace {

struct FixedFormat {
  const char* format;
  EntryLayout layout;
  std::int64_t width;
};
constexpr FixedFormat kFormats[] = {
    {"n", EntryLayout::kNone, 0},    {"b", EntryLayout::kBits, 0},
    {"c", EntryLayout::kFixed, 1},   {"C", EntryLayout::kFixed, 1},
    {"s", EntryLayout::kFixed, 2},   {"S", EntryLayout::kFixed, 2},
    {"i", EntryLayout::kFixed, 4},   {"I", EntryLayout::kFixed, 4},
    {"l", EntryLayout::kFixed, 8},   {"L", EntryLayout::kFixed, 8},
    {"f", EntryLayout::kFixed, 4},   {"g", EntryLayout::kFixed, 8},
    {"u", EntryLayout::kText, 4},    {"U", EntryLayout::kText, 8},
    {"tdD", EntryLayout::kFixed, 4}, {"tdm", EntryLayout::kFixed, 8},
    {"tts", EntryLayout::kFixed, 4}, {"ttm", EntryLayout::kFixed, 4},
    {"ttu", EntryLayout::kFixed, 8}, {"ttn", EntryLayout::kFixed, 8}};

constexpr std::string_view kUnits = "smun";  // of times, in the order of ipc::TimeUnit

std::string FormatOf(const ipc::Int& integer) {
  const auto letter = [&](char is_signed, char is_unsigned) {
    return std::string(1, integer.is_signed() ? is_signed : is_unsigned);
  };
  switch (integer.bits()) {
    case 8:
      return letter('c', 'C');
    case 16:
      return letter('s', 'S');
    case 32:
      return letter('i', 'I');
    case 64:
      return letter('l', 'L');
    default:
      return "";
  }
}

std::string UnitOf(ipc::TimeUnit unit) {
  const auto at = static_cast<std::size_t>(unit);
  return at < kUnits.size() ? std::string(1, kUnits[at]) : "";
}

std::string FormatOf(const ipc::FloatingPoint& number) {
  if (number.precision() == ipc::Precision::Single) return "f";
  return number.precision() == ipc::Precision::Double ? "g" : "";
}

std::string FormatOf(const ipc::Timestamp& stamp) {
  const std::string unit = UnitOf(stamp.unit());
  if (unit.empty()) return "";
  return "ts" + unit + ":" + (stamp.timezone() == nullptr ? "" : stamp.timezone()->c_str());
}

// Empty if the host does not accept such a column.
std::string FormatOf(const ipc::Field& field) {
  switch (field.type_type()) {
    case ipc::Type::Null:
      return "n";
    case ipc::Type::Bool:
      return "b";
    case ipc::Type::Utf8:
      return "u";
    case ipc::Type::LargeUtf8:
      return "U";
    case ipc::Type::Int:
      return FormatOf(*field.type_as_Int());
    case ipc::Type::FloatingPoint:
      return FormatOf(*field.type_as_FloatingPoint());
    case ipc::Type::Date:
      return field.type_as_Date()->unit() == ipc::DateUnit::Day ? "tdD" : "tdm";
    case ipc::Type::Time:
      return "tt" + UnitOf(field.type_as_Time()->unit());
    case ipc::Type::Timestamp:
      return FormatOf(*field.type_as_Timestamp());
    default:
      return "";
  }
}

}  // namespace

std::optional<EntryType> EntryTypeOf(std::string_view format) {
  for (const FixedFormat& known : kFormats) {
    if (format == known.format) return EntryType{known.format, known.layout, known.width};
  }
  const bool is_stamp = format.size() >= 4 && format.starts_with("ts") && format[3] == ':' &&
                        kUnits.find(format[2]) != std::string_view::npos;
  if (is_stamp) return EntryType{std::string(format), EntryLayout::kFixed, 8};
  return std::nullopt;
}

std::optional<EntryType> EntryTypeOf(const ipc::Field& field) {
  // The verifier accepts a union without its table.
  if (field.type() == nullptr) return std::nullopt;
  if (field.type_type() == ipc::Type::Utf8View) return EntryType{"U", EntryLayout::kViews, 8};
  return EntryTypeOf(FormatOf(field));
}

std::optional<EntryType> EntryTypeOf(const ipc::Int& integer) {
  return EntryTypeOf(FormatOf(integer));
}

std::string TypeNameOf(const ipc::Field& field) {
  switch (field.type_type()) {
    case ipc::Type::Null:
      return "null";
    case ipc::Type::Int:
      return "integer";
    case ipc::Type::FloatingPoint:
      return "float16";
    case ipc::Type::Binary:
      return "binary";
    case ipc::Type::Utf8:
      return "utf8";
    case ipc::Type::Bool:
      return "bool";
    case ipc::Type::Decimal:
      return "decimal";
    case ipc::Type::Date:
      return "date";
    case ipc::Type::Time:
      return "time";
    case ipc::Type::Timestamp:
      return "timestamp";
    case ipc::Type::Interval:
      return "interval";
    case ipc::Type::List:
      return "list";
    case ipc::Type::Struct:
      return "struct";
    case ipc::Type::Union:
      return "union";
    case ipc::Type::FixedSizeBinary:
      return "fixed_size_binary";
    case ipc::Type::FixedSizeList:
      return "fixed_size_list";
    case ipc::Type::Map:
      return "map";
    case ipc::Type::Duration:
      return "duration";
    case ipc::Type::LargeBinary:
      return "large_binary";
    case ipc::Type::LargeUtf8:
      return "large_utf8";
    case ipc::Type::LargeList:
      return "large_list";
    case ipc::Type::RunEndEncoded:
      return "run_end_encoded";
    case ipc::Type::BinaryView:
      return "binary_view";
    case ipc::Type::Utf8View:
      return "utf8_view";
    case ipc::Type::ListView:
      return "list_view";
    case ipc::Type::LargeListView:
      return "large_list_view";
    default:
      return "an unknown type";
  }
}

FieldShare ShareOf(const ipc::Field& field, ipc::Version version) {
  FieldShare share{.n_nodes = 1, .n_buffers = 2};
  if (field.dictionary() != nullptr) return share;  // the batch has the indices alone
  switch (field.type_type()) {
    case ipc::Type::Null:
    case ipc::Type::RunEndEncoded:
      share.n_buffers = 0;
      break;
    case ipc::Type::Struct:
    case ipc::Type::FixedSizeList:
      share.n_buffers = 1;
      break;
    case ipc::Type::Binary:
    case ipc::Type::LargeBinary:
    case ipc::Type::Utf8:
    case ipc::Type::LargeUtf8:
    case ipc::Type::ListView:
    case ipc::Type::LargeListView:
      share.n_buffers = 3;
      break;
    case ipc::Type::BinaryView:
    case ipc::Type::Utf8View:
      share.n_views = 1;
      break;
    case ipc::Type::Union: {
      const bool is_dense = field.type_as_Union() != nullptr &&
                            field.type_as_Union()->mode() == ipc::UnionMode::Dense;
      share.n_buffers = (is_dense ? 2 : 1) + (version == ipc::Version::V4 ? 1 : 0);
      break;
    }
    default:
      break;
  }
  if (field.children() == nullptr) return share;
  for (const ipc::Field* child : *field.children()) {
    const FieldShare part = ShareOf(*child, version);
    share.n_nodes += part.n_nodes;
    share.n_buffers += part.n_buffers;
    share.n_views += part.n_views;
  }
  return share;
}

flatbuffers::Offset<ipc::Int> MakeIntTable(const EntryType& type,
                                           flatbuffers::FlatBufferBuilder& builder) {
  const bool is_signed = type.format[0] >= 'a';
  return ipc::CreateInt(builder, static_cast<std::int32_t>(8 * type.width), is_signed);
}

TypeTable MakeTypeTable(const EntryType& type, flatbuffers::FlatBufferBuilder& builder) {
  const std::string_view format = type.format;
  const auto unit_of = [&] { return static_cast<ipc::TimeUnit>(kUnits.find(format[2])); };
  if (format == "n") return {ipc::Type::Null, ipc::CreatePlain(builder).Union()};
  if (format == "b") return {ipc::Type::Bool, ipc::CreatePlain(builder).Union()};
  if (format == "u") return {ipc::Type::Utf8, ipc::CreatePlain(builder).Union()};
  if (format == "U") return {ipc::Type::LargeUtf8, ipc::CreatePlain(builder).Union()};
  if (format == "f" || format == "g") {
    const auto precision = format == "f" ? ipc::Precision::Single : ipc::Precision::Double;
    return {ipc::Type::FloatingPoint, ipc::CreateFloatingPoint(builder, precision).Union()};
  }
  if (format.starts_with("td")) {
    const auto unit = format == "tdD" ? ipc::DateUnit::Day : ipc::DateUnit::Millisecond;
    return {ipc::Type::Date, ipc::CreateDate(builder, unit).Union()};
  }
  if (format.starts_with("tt")) {
    const auto bits = static_cast<std::int32_t>(8 * type.width);
    return {ipc::Type::Time, ipc::CreateTime(builder, unit_of(), bits).Union()};
  }
  if (format.starts_with("ts")) {
    flatbuffers::Offset<flatbuffers::String> zone = 0;
    if (format.size() > 4) zone = builder.CreateString(type.format.substr(4));
    return {ipc::Type::Timestamp, ipc::CreateTimestamp(builder, unit_of(), zone).Union()};
  }
  return {ipc::Type::Int, MakeIntTable(type, builder).Union()};
}

}  // namespace crossfold::reading
