#include "check/prepared.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

Predicted PredictAt(const Spec& spec, const cf_model* path, std::size_t index, const DataView& rows,
                    const ProbeOptions& options) {
  const auto* table = spec.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
  const RowTable asked = RowTable::ForPrediction(*rows.data, rows.rows.get());
  const std::int64_t n_classes = rows.data->num_classes();
  Predicted p = Predicted::For(spec, rows.num_rows(), n_classes);
  cf_prediction out = p.ToC(rows.num_rows(), n_classes);
  p.reply = ProbeCall(spec, options, [&](const cf_call* call) {
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

Made Prepared::FitPath(const Spec& spec, const PathValues& values, const DataView& train,
                       const ProbeOptions& options) const {
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  return Make(spec, options, [&](const cf_call* call, cf_model** out) {
    return table_->fit_path_prepared(call, spec.args().data(), spec.args().size(),
                                     values.param.c_str(), values.c_values.data(),
                                     values.c_values.size(), prepared_, &rows.get(), out);
  });
}

}  // namespace crossfold::check
