// What the tests of the bundled transforms share: fitting, applying, their text.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "engine/plugin/plugin_call.h"
#include "engine/run/fit_predict.h"
#include "engine/run/owned_table.h"
#include "unit/plugins/bundled_plugins.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/plugins/serialize_law.h"
#include "unit/sdk/byte_stream.h"

namespace crossfold {

// The columns of one apply, or why there are none. A category is its code, a missing one NaN.
struct Transformed {
  std::string failure;
  std::vector<std::string> names;
  std::vector<std::int32_t> types, ordered;
  std::vector<std::vector<std::string>> levels;
  std::vector<std::vector<double>> columns;

  const std::vector<double>& column(std::string_view name) const {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (names[j] == name) return columns[j];
    }
    ADD_FAILURE() << "there is no column " << name;
    return columns.at(0);
  }
};

// A fitted transform in the hands of a test.
class FittedTransform {
 public:
  FittedTransform(std::string_view id, const ParamValues& values, const DataView& train)
      : spec_(BundledSpec(Kind::kTransform, id, values)) {
    const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
    Fit(rows.get());
  }
  ~FittedTransform() {
    if (model_ != nullptr) transform().destroy(&transform().info, model_);
  }
  FittedTransform(const FittedTransform&) = delete;
  FittedTransform& operator=(const FittedTransform&) = delete;

  const std::string& failure() const { return failure_; }

  Transformed Apply(const DataView& view) const {
    Transformed result;
    result.failure = failure_;
    if (model_ == nullptr) return result;
    const RowTable rows = RowTable::ForPrediction(*view.data, view.rows.get());
    OwnedTable made(rows.get());
    const CallResult call = Call(
        [&](const cf_call* c) { return transform().apply(c, model_, &rows.get(), made.sink()); });
    made.Finish();
    result.failure = call.message + made.problem();
    if (result.failure.empty()) CopyColumns(made, result);
    return result;
  }

  // The fitted model as text, in the first of its formats.
  std::string Export() const {
    const auto* table = spec_->component().capability<cf_cap_export>(CF_CAP_EXPORT);
    plugin::ByteSink sink;
    const cf_writer writer = sink.writer();
    EXPECT_EQ(
        Call([&](const cf_call* c) { return table->export_model(c, model_, 0, &writer); }).message,
        "");
    return {sink.bytes.begin(), sink.bytes.end()};
  }

 private:
  const cf_transform& transform() const { return *spec_->component().transform; }
  template <class Body>
  CallResult Call(const Body& body) const {
    return CallPlugin(spec_->component(), {}, body);
  }

  // As the host does it: first what the step says about the shape, then the rows.
  void Fit(const cf_table& train) {
    const auto* checks = spec_->component().capability<cf_cap_check>(CF_CAP_CHECK);
    cf_shape shape{};
    shape.struct_size = sizeof(cf_shape);
    shape.n_rows = train.n_rows;
    shape.n_features = train.n_features;
    for (std::int64_t j = 0; j < train.n_features; ++j) {
      ++(train.features[j].dtype == CF_CAT32 ? shape.n_categorical : shape.n_numeric);
    }
    shape.n_classes = train.target->dtype == CF_CAT32 ? train.target->n_levels : 0;
    CallResult call = Call([&](const cf_call* c) {
      return checks == nullptr
                 ? CF_OK
                 : checks->check(c, spec_->args().data(), spec_->args().size(), &shape);
    });
    if (call.ok()) {
      call = Call([&](const cf_call* c) {
        return transform().fit(c, spec_->args().data(), spec_->args().size(), &train, &model_);
      });
    }
    failure_ = call.message;
  }

  static void CopyColumns(const OwnedTable& made, Transformed& result) {
    for (const cf_column& column : made.columns()) {
      result.names.push_back(column.name);
      result.types.push_back(column.dtype);
      result.ordered.push_back(plugin::IsOrdered(column));
      result.levels.emplace_back(column.levels, column.levels + column.n_levels);
      result.columns.emplace_back();
      for (std::int64_t i = 0; i < made.num_rows(); ++i) {
        result.columns.back().push_back(plugin::EntryAsDouble(column, i));
      }
    }
  }

  std::shared_ptr<const Spec> spec_;
  cf_model* model_ = nullptr;
  std::string failure_;
};

inline Transformed FitApply(std::string_view id, const ParamValues& values, const DataView& train,
                            const DataView& rows) {
  return FittedTransform(id, values, train).Apply(rows);
}
inline Transformed FitApply(std::string_view id, const ParamValues& values, const DataPtr& data) {
  return FitApply(id, values, AllRows(data), AllRows(data));
}
inline std::string TransformFailure(std::string_view id, const ParamValues& values,
                                    const DataPtr& data) {
  return FitApply(id, values, data).failure;
}

inline void ExpectSurvivesSaving(std::string_view id, const ParamValues& values,
                                 const DataPtr& data) {
  ExpectTransformSaveLoadLaw(id, values, AllRows(data), AllRows(data));
}

// One numeric feature x and a numeric target.
inline DataPtr NumericColumn(std::vector<double> x) {
  const std::vector<double> y(x.size());
  return Dataset::Create("table", {Column::Doubles("x", std::move(x)), Column::Doubles("y", y)},
                         TargetRole("y"));
}

}  // namespace crossfold
