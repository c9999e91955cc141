// Any bytes as the fields of an outcome. What is read is written back to the very bytes that it was
// read from.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "encoding/outcome_fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

int crossfold::fuzz::FeedOutcomeFields(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(bytes), size);
  crossfold::FieldReader reader(body);
  crossfold::FieldWriter writer;
  try {
    crossfold::WriteOutcome(crossfold::ReadOutcome(reader), writer);
  } catch (const crossfold::plugin::Error&) {
    return 0;
  }
  crossfold::fuzz::Demand(writer.bytes() == body.substr(0, body.size() - reader.rest().size()),
                          "outcomes are written as they were read");
  return 0;
}
