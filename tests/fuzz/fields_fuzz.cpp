// Packed fields of any kind in any order: the first bytes say which, up to a zero, and the rest is
// read as these. What was read is written back to the very bytes that it was read from.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "encoding/fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

using crossfold::FieldReader;
using crossfold::FieldWriter;

void CopyOne(std::uint8_t kind, FieldReader& reader, FieldWriter& writer) {
  switch (kind % 12) {
    case 0:
      return writer.Number(reader.Number<bool>());
    case 1:
      return writer.Number(reader.Number<std::uint8_t>());
    case 2:
      return writer.Number(reader.Number<std::int32_t>());
    case 3:
      return writer.Number(reader.Number<std::int64_t>());
    case 4:
      return writer.Number(reader.Number<double>());
    case 5:
      return writer.Text(reader.Text());
    case 6:
      return writer.Texts(reader.Texts());
    case 7:
      return writer.Numbers(std::span<const std::int64_t>(reader.Numbers<std::int64_t>()));
    case 8:
      return writer.Numbers(std::span<const double>(reader.Numbers<double>()));
    case 9:
      return writer.Raw(reader.Raw(kind / 12));
    case 10:
      return writer.Declarations(reader.Declarations());
    default:
      return writer.Parameter(reader.Parameter());
  }
}

}  // namespace

int crossfold::fuzz::FeedFields(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::size_t end = text.find('\0');
  if (end == text.npos) return 0;
  const std::string_view kinds = text.substr(0, end);
  const std::string_view body = text.substr(end + 1);
  FieldReader reader(body);
  FieldWriter writer;
  try {
    for (const char kind : kinds) CopyOne(static_cast<std::uint8_t>(kind), reader, writer);
    reader.End();
  } catch (const crossfold::plugin::Error&) {
    return 0;
  }
  crossfold::fuzz::Demand(writer.bytes() == body, "fields are written as they were read");
  return 0;
}
