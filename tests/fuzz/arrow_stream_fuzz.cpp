// A stream of arrays made of any bytes, which may fail at any of them: columns or a
// crossfold::Error, and everything released once in either case. A stream of one array is the same
// data as the array, and columns that were read go out and come back as the same.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "arrow/arrow_stream.h"
#include "crossfold/arrow.h"
#include "fuzz/arrow_producer.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"

namespace {

using crossfold::fuzz::Attempted;
using crossfold::fuzz::Choices;
using crossfold::fuzz::Demand;
using crossfold::fuzz::Producer;
using crossfold::fuzz::released_arrays;
using crossfold::fuzz::released_schemas;

constexpr int kMostArrays = 4;

// A stream of the arrays; it fails instead of giving array `fails_at`.
struct Given {
  ArrowSchema schema{};
  ArrowArray arrays[kMostArrays] = {};
  int n_arrays = 0, fails_at = kMostArrays + 1, next = 0, n_released = 0;
  bool gives_schema = true;

  ArrowArrayStream Stream() {
    ArrowArrayStream stream{};
    stream.get_schema = [](ArrowArrayStream* s, ArrowSchema* out) {
      const Given& self = Self(s);
      if (!self.gives_schema) return 5;
      *out = self.schema;
      return 0;
    };
    stream.get_next = [](ArrowArrayStream* s, ArrowArray* out) {
      Given& self = Self(s);
      if (self.next == self.fails_at) return 22;
      *out = self.next < self.n_arrays ? self.arrays[self.next++] : ArrowArray{};
      return 0;
    };
    stream.get_last_error = [](ArrowArrayStream*) -> const char* { return "no more"; };
    stream.release = [](ArrowArrayStream* s) {
      ++Self(s).n_released;
      s->release = nullptr;
    };
    stream.private_data = this;
    return stream;
  }

 private:
  static Given& Self(ArrowArrayStream* s) { return *static_cast<Given*>(s->private_data); }
};

void DemandSameAsArray(Given& given, const crossfold::Dataset* streamed) {
  ArrowSchema schema = given.schema;
  ArrowArray array = given.arrays[0];
  const auto data = Attempted([&] { return crossfold::ImportArrow(&schema, &array, "d", {}); });
  Demand((data == nullptr) == (streamed == nullptr), "a stream of one array is read as the array");
  if (streamed != nullptr) {
    Demand(data->content_hash() == streamed->content_hash(), "a stream of one array is the same");
  }
}

void DemandRoundTrip(std::shared_ptr<const crossfold::Dataset> data) {
  const std::string hash = data->content_hash();
  ArrowSchema schema;
  ArrowArray array;
  crossfold::ExportArrow(std::move(data), &schema, &array);
  const auto again = Attempted([&] { return crossfold::ImportArrow(&schema, &array, "d", {}); });
  Demand(again != nullptr && again->content_hash() == hash,
         "what was exported is read as the same");
}

}  // namespace

int crossfold::fuzz::FeedArrowStream(const std::uint8_t* bytes, std::size_t size) {
  released_schemas = released_arrays = 0;
  Choices choices(bytes, size);
  Given given;
  const std::uint8_t kind = choices.Byte();
  given.n_arrays = kind % (kMostArrays + 1);
  given.gives_schema = kind < 0xF8;
  if (const std::uint8_t place = choices.Byte(); place >= 0xE0) given.fails_at = place % 8;
  Producer producer(choices);
  producer.FillStruct(&given.schema, &given.arrays[0]);
  for (int i = 1; i < given.n_arrays; ++i) {
    producer.FillStructAgain(given.schema, &given.arrays[i]);
  }

  ArrowArrayStream stream = given.Stream();
  auto data = Attempted([&] { return crossfold::ImportArrowStream(&stream, "d", {}); });
  Demand(given.n_released == 1 && stream.release == nullptr, "the stream is released once");
  Demand(released_schemas == (given.gives_schema ? 1 : 0), "the schema is released once");
  if (data == nullptr || given.n_arrays > 1) {
    Demand(released_arrays == given.next, "arrays that were copied or refused are released once");
  }
  if (given.n_arrays == 1 && given.fails_at > 1 && given.gives_schema) {
    DemandSameAsArray(given, data.get());
  }
  if (data != nullptr) DemandRoundTrip(std::move(data));
  return 0;
}
