#include "check/cross_prediction.h"

#include "engine/plugin/foreign_text.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {

RowIds CrossProblem::Tested(std::int32_t fold) const {
  RowIds positions;
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    if (fold_of_row[i] == fold) positions.push_back(static_cast<std::int64_t>(i));
  }
  return positions;
}

RowIds CrossProblem::Trained(std::int32_t fold) const {
  RowIds positions;
  for (std::size_t i = 0; i < fold_of_row.size(); ++i) {
    if (fold_of_row[i] != fold) positions.push_back(static_cast<std::int64_t>(i));
  }
  return positions;
}

CrossProblem CrossProblem::Only(std::int32_t fold) const {
  CrossProblem alone{rows, {}, 1};
  for (const std::int32_t f : fold_of_row) alone.fold_of_row.push_back(f == fold ? 0 : -1);
  return alone;
}

CrossPrediction::CrossPrediction(const std::vector<SpecPtr>& specs, const CrossProblem& problem,
                                 const cf_prepared* prepared, FirstCell first)
    : n_classes_(problem.rows.data->num_classes()),
      first_(first),
      times_(specs.size(), std::vector<int>(problem.fold_of_row.size())),
      predictions_(specs.size(),
                   Predicted::For(*specs.front(), problem.rows.num_rows(), n_classes_)) {
  const auto* table =
      specs.front()->component().capability<cf_cap_cross_predict>(CF_CAP_CROSS_PREDICT);
  std::vector<cf_setting> settings;
  for (const SpecPtr& spec : specs) settings.push_back({spec->args().data(), spec->args().size()});
  const RowTable all = RowTable::ForTraining(*problem.rows.data, problem.rows.rows.get());
  const cf_cross_sink sink = MakeSink();
  reply_ = ProbeCall(*specs.front(), {}, [&](const cf_call* call) {
    return table->cross_predict(call, settings.data(), settings.size(), &all.get(),
                                problem.fold_of_row.data(), problem.n_folds, prepared, &sink);
  });
}

cf_cross_sink CrossPrediction::MakeSink() const {
  const Predicted& arrays = predictions_.front();
  cf_cross_sink sink{};
  sink.struct_size = sizeof(cf_cross_sink);
  if (!arrays.labels.empty()) sink.wanted |= CF_NEEDS_LABELS;
  if (!arrays.values.empty()) sink.wanted |= CF_NEEDS_VALUES;
  if (!arrays.probabilities.empty()) sink.wanted |= CF_NEEDS_PROBABILITIES;
  sink.sink_data = const_cast<CrossPrediction*>(this);
  sink.seed = &Seed;
  sink.emit = &Emit;
  sink.fail = &Fail;
  return sink;
}

std::uint64_t CF_CALL CrossPrediction::Seed(const cf_cross_sink* sink, std::size_t setting,
                                            std::int32_t fold) {
  const FirstCell& at = static_cast<const CrossPrediction*>(sink->sink_data)->first_;
  return SeedOf(at.setting + setting, at.fold + fold);
}

cf_status CrossPrediction::Misuse(const std::string& finding) {
  if (misuse_.empty()) misuse_ = finding;
  return CF_E_INVALID_ARGUMENT;
}

cf_status CF_CALL CrossPrediction::Emit(const cf_cross_sink* sink, std::size_t setting,
                                        const std::int64_t* positions, std::int64_t n,
                                        const cf_prediction_view* p) {
  auto& self = *static_cast<CrossPrediction*>(sink->sink_data);
  const std::lock_guard lock(self.mutex_);
  if (setting >= self.predictions_.size()) {
    return self.Misuse("emitted a prediction of setting " + std::to_string(setting) + " of " +
                       std::to_string(self.predictions_.size()));
  }
  Predicted& to = self.predictions_[setting];
  const std::int64_t k = self.n_classes_;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(positions[i]);
    if (positions[i] < 0 || at >= self.times_[setting].size()) {
      return self.Misuse("emitted position " + std::to_string(positions[i]) + " of " +
                         std::to_string(self.times_[setting].size()) + " rows");
    }
    ++self.times_[setting][at];
    if (p->labels != nullptr && !to.labels.empty()) to.labels[at] = p->labels[i];
    if (p->values != nullptr && !to.values.empty()) to.values[at] = p->values[i];
    if (p->probabilities == nullptr || to.probabilities.empty()) continue;
    for (std::int64_t c = 0; c < k; ++c) {
      to.probabilities[at * static_cast<std::size_t>(k) + static_cast<std::size_t>(c)] =
          p->probabilities[i * k + c];
    }
  }
  return CF_OK;
}

void CF_CALL CrossPrediction::Fail(const cf_cross_sink* sink, std::size_t setting,
                                   std::int32_t fold, cf_status, const char* message) {
  auto& self = *static_cast<CrossPrediction*>(sink->sink_data);
  const std::lock_guard lock(self.mutex_);
  self.failures_.emplace(std::pair(setting, fold), CleanText(message));
}

Predicted CrossPrediction::At(std::size_t setting, const RowIds& positions) const {
  const Predicted& from = predictions_[setting];
  const auto k = static_cast<std::ptrdiff_t>(n_classes_);
  Predicted p;
  for (const std::int64_t position : positions) {
    const auto i = static_cast<std::size_t>(position);
    if (!from.labels.empty()) p.labels.push_back(from.labels[i]);
    if (!from.values.empty()) p.values.push_back(from.values[i]);
    if (from.probabilities.empty()) continue;
    const auto first = from.probabilities.begin() + position * k;
    p.probabilities.insert(p.probabilities.end(), first, first + k);
  }
  return p;
}

const std::string* CrossPrediction::FailureOf(std::size_t setting, std::int32_t fold) const {
  for (const std::int32_t f : {fold, -1}) {
    const auto found = failures_.find({setting, f});
    if (found != failures_.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace crossfold::check
