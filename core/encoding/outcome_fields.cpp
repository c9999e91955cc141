#include "encoding/outcome_fields.h"

#include <span>

namespace crossfold {

void WriteOutcome(const Outcome& outcome, FieldWriter& fields) {
  fields.Number(static_cast<std::uint8_t>(outcome.status));
  fields.Text(outcome.failure.stage);
  fields.Number(static_cast<std::int32_t>(outcome.failure.code));
  fields.Text(outcome.failure.message);
  fields.Number(outcome.failure.by_limit);
  const Prediction& prediction = outcome.prediction;
  fields.Numbers(std::span(prediction.rows));
  fields.Numbers(std::span(prediction.labels));
  fields.Numbers(std::span(prediction.values));
  fields.Number(prediction.n_classes);
  fields.Numbers(std::span(prediction.probabilities));
  fields.Length(outcome.scores.size());
  for (const Score& score : outcome.scores) {
    fields.Number(score.defined);
    fields.Number(score.value);
    fields.Text(score.undefined);
  }
  fields.Texts(outcome.warnings);
  fields.Number(outcome.n_train);
  fields.Number(outcome.n_test);
  fields.Number(outcome.fit_s);
  fields.Number(outcome.predict_s);
}

Outcome ReadOutcome(FieldReader& fields) {
  Outcome outcome;
  const auto status = fields.Number<std::uint8_t>();
  if (status > static_cast<std::uint8_t>(OutcomeStatus::kCancelled)) FieldReader::Fail();
  outcome.status = static_cast<OutcomeStatus>(status);
  outcome.failure.stage = fields.Text();
  outcome.failure.code = static_cast<cf_status>(fields.Number<std::int32_t>());
  outcome.failure.message = fields.Text();
  outcome.failure.by_limit = fields.Number<bool>();
  Prediction& prediction = outcome.prediction;
  prediction.rows = fields.Numbers<std::int64_t>();
  prediction.labels = fields.Numbers<std::int32_t>();
  prediction.values = fields.Numbers<double>();
  prediction.n_classes = fields.Number<std::int64_t>();
  prediction.probabilities = fields.Numbers<double>();
  outcome.scores = fields.List([&fields] {
    Score score;
    score.defined = fields.Number<bool>();
    score.value = fields.Number<double>();
    score.undefined = fields.Text();
    return score;
  });
  outcome.warnings = fields.Texts();
  outcome.n_train = fields.Number<std::int64_t>();
  outcome.n_test = fields.Number<std::int64_t>();
  outcome.fit_s = fields.Number<double>();
  outcome.predict_s = fields.Number<double>();
  return outcome;
}

}  // namespace crossfold
