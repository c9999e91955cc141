#include "check/sharing_calls.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/plugin/foreign_text.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {

namespace {

// In no order, but small numbers first, as they are likely to be valid.
std::vector<Value> SomeValues(const ParamSpec& param) {
  std::vector<Value> values;
  if (param.type == CF_P_INT) {
    const std::int64_t least = std::max<std::int64_t>(param.ilo, -3);
    for (const std::int64_t step : {3, 1, 8, 5}) values.emplace_back(least + step);
  } else if (param.type == CF_P_REAL) {
    const double low = std::isfinite(param.lo) ? param.lo : -1;
    const double high = std::isfinite(param.hi) ? std::min(param.hi, low + 1) : low + 1;
    for (const double share : {0.5, 0.01, 0.9}) values.emplace_back(low + share * (high - low));
  }
  values.push_back(param.default_value);
  return values;
}

}  // namespace

PathValues PathValues::Of(const Spec& base) {
  PathValues path;
  for (const ParamSpec& param : base.component().params) {
    if ((param.flags & CF_PF_SUBMODEL) == 0) continue;
    path.param = param.name;
    for (const Value& value : SomeValues(param)) {
      ParamValues values = base.given();
      values[param.name] = value;
      if (!FindProblems(base.component(), values).empty()) continue;
      path.specs.push_back(Spec::Make(base.shared_component(), values));
      for (const cf_arg& arg : path.specs.back()->args()) {
        if (arg.name == param.name) path.c_values.push_back(arg.value);
      }
    }
    break;
  }
  return path;
}

Made FitPath(const Spec& spec, const PathValues& values, const DataView& train,
             const ProbeOptions& options) {
  const auto* table = spec.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  return Make(spec, options, [&](const cf_call* call, cf_model** out) {
    return table->fit_path(call, spec.args().data(), spec.args().size(), values.param.c_str(),
                           values.c_values.data(), values.c_values.size(), &rows.get(), out);
  });
}

Predicted PredictAt(const Spec& spec, const cf_model* path, std::size_t index,
                    const DataView& rows) {
  const auto* table = spec.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
  const RowTable asked = RowTable::ForPrediction(*rows.data, rows.rows.get());
  const std::int64_t n_classes = rows.data->num_classes();
  Predicted p = Predicted::For(spec, rows.num_rows(), n_classes);
  cf_prediction out = p.ToC(rows.num_rows(), n_classes);
  p.reply = ProbeCall(spec, {}, [&](const cf_call* call) {
    return table->predict_at(call, path, index, &asked.get(), &out);
  });
  return p;
}

Prepared::Prepared(const Spec& spec, const DataView& all, const ProbeOptions& options)
    : table_(spec.component().capability<cf_cap_prepare>(CF_CAP_PREPARE)),
      self_(spec.component().info()) {
  const RowTable rows = RowTable::ForPrediction(*all.data, all.rows.get());
  reply_ = ProbeCall(spec, options, [&](const cf_call* call) {
    return table_->prepare(call, spec.args().data(), spec.args().size(), &rows.get(), &prepared_);
  });
  if (!reply_.ok()) prepared_ = nullptr;
}

Prepared::~Prepared() {
  if (prepared_ != nullptr) table_->destroy(self_, prepared_);
}

Made Prepared::Fit(const Spec& spec, const DataView& train, const ProbeOptions& options) const {
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  return Make(spec, options, [&](const cf_call* call, cf_model** out) {
    return table_->fit_prepared(call, spec.args().data(), spec.args().size(), prepared_,
                                &rows.get(), out);
  });
}

Made Prepared::FitPath(const Spec& spec, const PathValues& values, const DataView& train) const {
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  return Make(spec, {}, [&](const cf_call* call, cf_model** out) {
    return table_->fit_path_prepared(call, spec.args().data(), spec.args().size(),
                                     values.param.c_str(), values.c_values.data(),
                                     values.c_values.size(), prepared_, &rows.get(), out);
  });
}

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
  return Chosen(predictions_[setting], positions, n_classes_);
}

const std::string* CrossPrediction::FailureOf(std::size_t setting, std::int32_t fold) const {
  for (const std::int32_t f : {fold, -1}) {
    const auto found = failures_.find({setting, f});
    if (found != failures_.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace crossfold::check
