// Any bytes as the prediction of a stored row, after a byte that says how many rows its split
// tests. What is read, packed again, reads as the same.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "encoding/outcome_fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "store/cells/stored_prediction.h"

namespace {

// As bytes, as NaN is not equal to itself.
std::string FieldsOf(const crossfold::Prediction& prediction) {
  crossfold::Outcome outcome;
  outcome.prediction = prediction;
  crossfold::FieldWriter fields;
  crossfold::WriteOutcome(outcome, fields);
  return fields.Take();
}

}  // namespace

int crossfold::fuzz::FeedPredictionBlob(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  std::vector<std::int64_t> tested(bytes[0] % 16);
  std::iota(tested.begin(), tested.end(), 3);
  crossfold::Prediction prediction;
  try {
    prediction =
        crossfold::UnpackPrediction({reinterpret_cast<const char*>(bytes) + 1, size - 1}, tested);
  } catch (const crossfold::plugin::Error&) {
    return 0;
  }
  const auto again =
      crossfold::UnpackPrediction(crossfold::PackPrediction(prediction, tested), tested);
  crossfold::fuzz::Demand(FieldsOf(again) == FieldsOf(prediction), "predictions read back");
  return 0;
}
