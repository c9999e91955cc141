#include "arrow/arrow_types.h"

#include <cstring>

#include "crossfold/error.h"

namespace crossfold {
namespace {

// A format is the string in the table, or begins with it and goes on with parameters ("d:19,2").
struct ArrowType {
  std::string_view format;
  bool has_parameters;
  std::string_view name;
  std::string_view way_out;
};

constexpr std::string_view kLeaveOut = "leave it out";
constexpr std::string_view kToText = "cast it to utf8 or leave it out";
constexpr std::string_view kToFloat = "cast it to float64 or leave it out";
constexpr std::string_view kToInt64 = "cast it to int64 or leave it out";
constexpr std::string_view kFlatten = "make a column of each of its parts or leave it out";
constexpr std::string_view kDecode = "decode it or leave it out";

constexpr ArrowType kTypes[] = {
    {"n", false, "null", kLeaveOut},
    {"b", false, "bool", kLeaveOut},
    {"c", false, "int8", kDecode},
    {"C", false, "uint8", kDecode},
    {"s", false, "int16", kDecode},
    {"S", false, "uint16", kDecode},
    {"i", false, "int32", kDecode},
    {"I", false, "uint32", kDecode},
    {"l", false, "int64", kDecode},
    {"L", false, "uint64", kDecode},
    {"e", false, "float16", "cast it to float32 or leave it out"},
    {"f", false, "float32", kLeaveOut},
    {"g", false, "float64", kLeaveOut},
    {"z", false, "binary", kToText},
    {"Z", false, "large_binary", kToText},
    {"vz", false, "binary_view", kToText},
    {"u", false, "utf8", kLeaveOut},
    {"U", false, "large_utf8", kLeaveOut},
    {"vu", false, "utf8_view", kLeaveOut},
    {"d:", true, "decimal", kToFloat},
    {"w:", true, "fixed_size_binary", kLeaveOut},
    {"tdD", false, "date32", kDecode},
    {"tdm", false, "date64", kDecode},
    {"tts", false, "time32", kDecode},
    {"ttm", false, "time32", kDecode},
    {"ttu", false, "time64", kDecode},
    {"ttn", false, "time64", kDecode},
    {"tss:", true, "timestamp", kDecode},
    {"tsm:", true, "timestamp", kDecode},
    {"tsu:", true, "timestamp", kDecode},
    {"tsn:", true, "timestamp", kDecode},
    {"tDs", false, "duration", kToInt64},
    {"tDm", false, "duration", kToInt64},
    {"tDu", false, "duration", kToInt64},
    {"tDn", false, "duration", kToInt64},
    {"tiM", false, "interval", kLeaveOut},
    {"tiD", false, "interval", kLeaveOut},
    {"tin", false, "interval", kLeaveOut},
    {"+l", false, "list", kFlatten},
    {"+L", false, "large_list", kFlatten},
    {"+vl", false, "list_view", kFlatten},
    {"+vL", false, "large_list_view", kFlatten},
    {"+w:", true, "fixed_size_list", kFlatten},
    {"+s", false, "struct", kFlatten},
    {"+m", false, "map", kFlatten},
    {"+ud:", true, "dense_union", kFlatten},
    {"+us:", true, "sparse_union", kFlatten},
    {"+r", false, "run_end_encoded", kDecode},
};

const ArrowType* FindType(std::string_view format) {
  for (const ArrowType& type : kTypes) {
    if (type.has_parameters ? format.starts_with(type.format) : format == type.format) return &type;
  }
  return nullptr;
}

class MetadataBytes {
 public:
  MetadataBytes(const char* bytes, const std::string& subject) : at_(bytes), subject_(subject) {}

  std::int32_t Size() {
    std::int32_t size = 0;
    std::memcpy(&size, at_, sizeof size);
    at_ += sizeof size;
    if (size < 0) throw Error(ErrorKind::kBadData, subject_ + "has metadata of a negative length");
    return size;
  }

  std::string_view Text() {
    const auto size = static_cast<std::size_t>(Size());
    const std::string_view text(at_, size);
    at_ += size;
    return text;
  }

 private:
  const char* at_;
  const std::string& subject_;
};

}  // namespace

ArrowInteger ArrowIntegerOf(std::string_view format) {
  if (format.size() != 1) return {};
  switch (format[0]) {
    case 'c':
      return {1, true};
    case 'C':
      return {1, false};
    case 's':
      return {2, true};
    case 'S':
      return {2, false};
    case 'i':
      return {4, true};
    case 'I':
      return {4, false};
    case 'l':
      return {8, true};
    case 'L':
      return {8, false};
    default:
      return {};
  }
}

ArrowInteger ArrowTimeOf(std::string_view format) {
  if (format == "tdD" || format == "tts" || format == "ttm") return {4, true};
  const std::string_view start = format.substr(0, 4);
  const bool is_stamp = start == "tss:" || start == "tsm:" || start == "tsu:" || start == "tsn:";
  if (is_stamp || format == "tdm" || format == "ttu" || format == "ttn") return {8, true};
  return {};
}

std::string_view ArrowTypeName(std::string_view format) {
  const ArrowType* type = FindType(format);
  return type == nullptr ? "an unknown type" : type->name;
}

std::string_view ArrowWayOut(std::string_view format) {
  const ArrowType* type = FindType(format);
  return type == nullptr ? kLeaveOut : type->way_out;
}

ArrowMetadata::ArrowMetadata(const ArrowSchema& schema, const std::string& subject) {
  if (schema.metadata == nullptr) return;
  MetadataBytes bytes(schema.metadata, subject);
  for (std::int32_t left = bytes.Size(); left > 0; --left) {
    const std::string_view key = bytes.Text();
    entries_.emplace_back(key, bytes.Text());
  }
}

std::string_view ArrowMetadata::Find(std::string_view key) const {
  for (const auto& [known, value] : entries_) {
    if (known == key) return value;
  }
  return "";
}

}  // namespace crossfold
