#include "encoding/fields.h"

#include <algorithm>
#include <variant>

#include "engine/data/column_entries.h"

namespace crossfold {
namespace {

// Writes the content of a value.
struct ContentWriter {
  plugin::Writer& w;

  void operator()(Null) const {}
  void operator()(bool b) const { w.Write(b); }
  void operator()(std::int64_t i) const { w.Write(i); }
  void operator()(double d) const { w.Write(d); }
  void operator()(const std::string& text) const { w.WriteText(text); }
  void operator()(const Nested& nested) const { w.WriteText(nested.json); }
  void operator()(const std::vector<std::string>& list) const {
    w.Write(static_cast<std::uint64_t>(list.size()));
    for (const std::string& text : list) w.WriteText(text);
  }
  template <class T>
  void operator()(const std::vector<T>& list) const {
    w.WriteSpan<T>(list);
  }
};

}  // namespace

std::int64_t AppendBytes(void* stream, const void* bytes, std::size_t n) noexcept {
  try {
    static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
    return static_cast<std::int64_t>(n);
  } catch (...) {  // no memory
    return -1;
  }
}

std::int64_t TakeBytes(void* stream, void* bytes, std::size_t n) noexcept {
  auto& rest = *static_cast<std::string_view*>(stream);
  const std::size_t given = std::min(n, rest.size());
  std::memcpy(bytes, rest.data(), given);
  rest.remove_prefix(given);
  return static_cast<std::int64_t>(given);
}

std::int64_t FieldWriter::Append(void* stream, const void* bytes, std::size_t n) {
  static_cast<std::string*>(stream)->append(static_cast<const char*>(bytes), n);
  return static_cast<std::int64_t>(n);
}

void FieldWriter::Text(std::string_view text) { w_.WriteText(text); }

void FieldWriter::Texts(std::span<const std::string> texts) {
  Length(texts.size());
  for (const std::string& text : texts) Text(text);
}

void FieldWriter::Declaration(const ColumnDeclaration& column) {
  Text(column.name);
  Number(column.dtype);
  Number(column.ordered);
  Texts(column.levels);
}

void FieldWriter::Declarations(std::span<const ColumnDeclaration> columns) {
  Length(columns.size());
  for (const ColumnDeclaration& column : columns) Declaration(column);
}

void FieldWriter::Parameter(const Value& value) {
  Number(static_cast<std::uint8_t>(value.index()));
  std::visit(ContentWriter{w_}, value);
}

void FieldReader::Fail() {
  throw plugin::Error(CF_E_BAD_BLOB, "it is damaged or cut short; save it again");
}

std::string_view FieldReader::Bytes() {
  const auto size = r_.Read<std::uint64_t>();
  if (size > rest_.size()) Fail();
  return Raw(static_cast<std::size_t>(size));
}

std::string_view FieldReader::Raw(std::size_t n) {
  if (n > rest_.size()) Fail();
  const std::string_view bytes = rest_.substr(0, n);
  rest_.remove_prefix(n);
  return bytes;
}

std::vector<std::string> FieldReader::Texts() {
  return List([this] { return Text(); });
}

ColumnDeclaration FieldReader::Declaration() {
  ColumnDeclaration column;
  column.name = Text();
  column.dtype = Number<std::int32_t>();
  column.ordered = Number<bool>();
  column.levels = Texts();
  if (EntrySize(column.dtype) == 0) Fail();
  if (column.dtype != CF_CAT32 && !column.levels.empty()) Fail();
  return column;
}

std::vector<ColumnDeclaration> FieldReader::Declarations() {
  return List([this] { return Declaration(); });
}

Value FieldReader::Parameter() {
  switch (r_.Read<std::uint8_t>()) {
    case 0:
      return Null{};
    case 1:
      return r_.Read<bool>();
    case 2:
      return r_.Read<std::int64_t>();
    case 3:
      return r_.Read<double>();
    case 4:
      return Text();
    case 5:
      return r_.ReadVector<std::int64_t>();
    case 6:
      return r_.ReadVector<double>();
    case 7:
      return Texts();
    case 8:
      return Nested{Text()};
    default:
      Fail();
  }
}

void FieldReader::End() const {
  if (!rest_.empty()) Fail();
}

}  // namespace crossfold
