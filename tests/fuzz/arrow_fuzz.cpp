// A schema and an array made of any bytes: data or a crossfold::Error, both structs released once
// in either case. Data that was read goes out and comes back as the same.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "crossfold/arrow.h"
#include "fuzz/arrow_producer.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

using crossfold::fuzz::Choices;
using crossfold::fuzz::Demand;
using crossfold::fuzz::Producer;
using crossfold::fuzz::released_arrays;
using crossfold::fuzz::released_schemas;

std::shared_ptr<const crossfold::Dataset> Import(ArrowSchema* schema, ArrowArray* array) {
  return crossfold::fuzz::Attempted([&] { return crossfold::ImportArrow(schema, array, "d", {}); });
}

}  // namespace

int crossfold::fuzz::FeedArrow(const std::uint8_t* bytes, std::size_t size) {
  released_schemas = released_arrays = 0;
  Choices choices(bytes, size);
  Producer producer(choices);
  ArrowSchema schema{};
  ArrowArray array{};
  producer.FillStruct(&schema, &array);
  auto data = Import(&schema, &array);
  Demand(released_schemas == 1, "the schema is released before the import returns");
  Demand(schema.release == nullptr && array.release == nullptr, "both structs are consumed");
  if (data == nullptr) {
    Demand(released_arrays == 1, "the array is released if the import fails");
    return 0;
  }
  const std::string hash = data->content_hash();
  ArrowSchema out_schema;
  ArrowArray out_array;
  crossfold::ExportArrow(std::move(data), &out_schema, &out_array);
  data = nullptr;
  auto again = Import(&out_schema, &out_array);
  Demand(again != nullptr, "what was exported is read again");
  Demand(again->content_hash() == hash, "what was exported is the same data");
  again = nullptr;
  Demand(released_arrays == 1, "the array is released once, with the last of its users");
  return 0;
}
