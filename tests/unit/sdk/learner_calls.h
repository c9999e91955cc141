// Drives a cf_learner as a host does, through the C table alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "crossfold_plugin/learner.h"
#include "unit/sdk/fake_call.h"

namespace crossfold::plugin {

using ModelPtr = std::unique_ptr<cf_model, std::function<void(cf_model*)>>;

inline ModelPtr Own(const cf_learner* learner, cf_model* model) {
  return ModelPtr(model, [learner](cf_model* one) { learner->destroy(&learner->info, one); });
}

// The declared defaults, as a host fills them in.
template <class Component>
std::vector<cf_arg> DefaultArgs(const Component* component) {
  std::vector<cf_arg> args;
  for (std::size_t i = 0; i < component->info.n_params; ++i) {
    args.push_back({component->info.params[i]->name, component->info.params[i]->def});
  }
  return args;
}

// Null if the fit failed; the call then knows why.
inline ModelPtr Fit(const cf_learner* learner, const FakeCall& call, const cf_table& train,
                    const std::vector<cf_arg>& args) {
  cf_model* model = nullptr;
  learner->fit(call.get(), args.data(), args.size(), &train, &model);
  return Own(learner, model);
}
inline ModelPtr Fit(const cf_learner* learner, const FakeCall& call, const cf_table& train) {
  return Fit(learner, call, train, DefaultArgs(learner));
}

// Arrays for one prediction; ask for what is wanted.
struct PredictionArrays {
  explicit PredictionArrays(std::int64_t n_rows, std::int64_t n_classes = 0) {
    out.struct_size = sizeof(cf_prediction);
    out.n_rows = n_rows;
    out.n_classes = n_classes;
  }
  PredictionArrays(const PredictionArrays&) = delete;
  PredictionArrays& operator=(const PredictionArrays&) = delete;

  PredictionArrays& WantLabels() {
    labels.assign(static_cast<std::size_t>(out.n_rows), -9);
    out.labels = labels.data();
    return *this;
  }
  PredictionArrays& WantValues() {
    values.assign(static_cast<std::size_t>(out.n_rows), -9);
    out.values = values.data();
    return *this;
  }
  PredictionArrays& WantProbabilities() {
    probabilities.assign(static_cast<std::size_t>(out.n_rows * out.n_classes), -9);
    out.probabilities = probabilities.data();
    return *this;
  }

  std::vector<std::int32_t> labels;
  std::vector<double> values, probabilities;
  cf_prediction out{};
};

inline std::vector<double> PredictValues(const cf_learner* learner, const FakeCall& call,
                                         const cf_model* model, cf_table rows) {
  rows.target = nullptr;
  PredictionArrays arrays(rows.n_rows);
  arrays.WantValues();
  if (learner->predict(call.get(), model, &rows, &arrays.out) != CF_OK) return {};
  return arrays.values;
}

template <class Table, class Component>
const Table* CapabilityOf(const Component* component, const char* id) {
  return static_cast<const Table*>(component->get_capability(&component->info, id));
}

}  // namespace crossfold::plugin
