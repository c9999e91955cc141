// The laws of crossfold.fit-path/1 and crossfold.prepare/1: see capability_laws.h.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "unit/plugins/component_calls.h"

namespace crossfold {
namespace laws {

// A cf_value for each value of a parameter; they live as long as the specs.
struct PathValues {
  PathValues(std::string_view id, const ParamValues& params, const std::string& name,
             const std::vector<Value>& values) {
    for (const Value& value : values) {
      ParamValues with = params;
      with[name] = value;
      specs.push_back(LearnerSpec(id, with));
      for (const cf_arg& arg : specs.back()->args()) {
        if (arg.name == name) c_values.push_back(arg.value);
      }
    }
  }
  std::vector<SpecPtr> specs;
  std::vector<cf_value> c_values;
};

// predict_at(i) of `path` against a separate fit with value i.
inline void ExpectPathIsSeparateFits(const PathValues& values, const Spec& spec,
                                     const cf_model* path, const DataView& train,
                                     const DataView& test) {
  const auto* table = spec.component().capability<cf_cap_fit_path>(CF_CAP_FIT_PATH);
  for (std::size_t i = 0; i < values.specs.size(); ++i) {
    const Spec& separate = *values.specs[i];
    const Predicted at = PredictBy(spec, test, kSeed,
                                   [&](const cf_call* c, const cf_table* rows, cf_prediction* out) {
                                     return table->predict_at(c, path, i, rows, out);
                                   });
    EXPECT_TRUE(SamePrediction(at, Predict(separate, Fit(separate, train).get(), test)))
        << separate.ToString();
  }
}

}  // namespace laws

// crossfold.fit-path/1: `name` is the parameter flagged CF_PF_SUBMODEL; any order of values.
inline void ExpectFitPathLaw(std::string_view id, const ParamValues& params,
                             const std::string& name, const std::vector<Value>& values,
                             const DataView& train, const DataView& test) {
  const auto spec = laws::LearnerSpec(id, params);
  const auto* table = laws::Required<cf_cap_fit_path>(*spec, CF_CAP_FIT_PATH);
  if (table == nullptr) return;
  const laws::PathValues path_values(id, params, name, values);
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  const laws::Made path = laws::Make(*spec, laws::kSeed, [&](const cf_call* call, cf_model** out) {
    return table->fit_path(call, spec->args().data(), spec->args().size(), name.c_str(),
                           path_values.c_values.data(), path_values.c_values.size(), &rows.get(),
                           out);
  });
  EXPECT_EQ(path.message, "");
  if (path.model == nullptr) return;
  laws::ExpectPathIsSeparateFits(path_values, *spec, path.model.get(), train, test);
}

// What crossfold.prepare/1 made of some rows, and fits from it.
class PreparedRows {
 public:
  PreparedRows(std::string_view id, const ParamValues& params, const DataView& all)
      : spec_(laws::LearnerSpec(id, params)),
        table_(laws::Required<cf_cap_prepare>(*spec_, CF_CAP_PREPARE)) {
    if (table_ == nullptr) return;
    const RowTable rows = RowTable::ForPrediction(*all.data, all.rows.get());
    const CallResult result = CallPlugin(spec_->component(), {}, [&](const cf_call* call) {
      return table_->prepare(call, spec_->args().data(), spec_->args().size(), &rows.get(),
                             &prepared_);
    });
    EXPECT_EQ(result.message, "");
    EXPECT_TRUE(prepared_ == nullptr || table_->bytes(spec_->component().info(), prepared_) > 0)
        << "it holds no memory";
  }
  PreparedRows(const PreparedRows&) = delete;
  ~PreparedRows() {
    if (prepared_ != nullptr) table_->destroy(spec_->component().info(), prepared_);
  }

  const Spec& spec() const { return *spec_; }
  const cf_cap_prepare* table() const { return table_; }
  const cf_prepared* get() const { return prepared_; }  // null = the test has failed

 private:
  laws::SpecPtr spec_;
  const cf_cap_prepare* table_;
  cf_prepared* prepared_ = nullptr;
};

// crossfold.prepare/1: prepared on `all`, fitted on `train` (rows of the same dataset).
inline void ExpectPrepareLaw(std::string_view id, const ParamValues& params, const DataView& all,
                             const DataView& train, const DataView& test) {
  const PreparedRows prepared(id, params, all);
  if (prepared.get() == nullptr) return;
  const Spec& spec = prepared.spec();
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  const laws::Made made = laws::Make(spec, laws::kSeed, [&](const cf_call* call, cf_model** out) {
    return prepared.table()->fit_prepared(call, spec.args().data(), spec.args().size(),
                                          prepared.get(), &rows.get(), out);
  });
  EXPECT_EQ(made.message, "");
  if (made.model == nullptr) return;
  EXPECT_TRUE(laws::SamePrediction(laws::Predict(spec, made.model.get(), test),
                                   laws::Predict(spec, laws::Fit(spec, train).get(), test)));
}

// The same for fit_path_prepared().
inline void ExpectPreparedPathLaw(std::string_view id, const ParamValues& params,
                                  const std::string& name, const std::vector<Value>& values,
                                  const DataView& all, const DataView& train,
                                  const DataView& test) {
  const PreparedRows prepared(id, params, all);
  if (prepared.get() == nullptr) return;
  ASSERT_NE(prepared.table()->fit_path_prepared, nullptr);
  const Spec& spec = prepared.spec();
  const laws::PathValues path_values(id, params, name, values);
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  const laws::Made path = laws::Make(spec, laws::kSeed, [&](const cf_call* call, cf_model** out) {
    return prepared.table()->fit_path_prepared(
        call, spec.args().data(), spec.args().size(), name.c_str(), path_values.c_values.data(),
        path_values.c_values.size(), prepared.get(), &rows.get(), out);
  });
  EXPECT_EQ(path.message, "");
  if (path.model == nullptr) return;
  laws::ExpectPathIsSeparateFits(path_values, spec, path.model.get(), train, test);
}

}  // namespace crossfold
