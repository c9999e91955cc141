// Any bytes as the fields of splits, after a byte that says how many rows the data has. What is
// read is written back to the very bytes that it was read from.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "encoding/split_fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

int crossfold::fuzz::FeedSplitFields(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  const auto data = crossfold::Dataset::Create(
      "rows", {crossfold::Column::Doubles("x", std::vector<double>(bytes[0]))}, {});
  crossfold::FieldReader reader(body);
  std::shared_ptr<const crossfold::SplitPlan> plan;
  try {
    plan = crossfold::ReadSplits(reader, data);
  } catch (const crossfold::plugin::Error&) {
    return 0;
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
    return 0;
  }
  crossfold::FieldWriter writer;
  crossfold::WriteSplits(*plan, writer);
  crossfold::fuzz::Demand(writer.bytes() == body.substr(0, body.size() - reader.rest().size()),
                          "splits are written as they were read");
  for (std::int64_t split = 0; split < plan->size(); ++split) {
    const crossfold::SplitRows rows = plan->Rows(split);
    crossfold::fuzz::Demand(!rows.test.empty(), "a split tests rows");
    crossfold::fuzz::Demand(!rows.train.empty() || plan->size() == 1,
                            "only a single split may be without training rows");
  }
  return 0;
}
