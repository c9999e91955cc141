// Fits, predictions and saved bytes of bundled components, straight through their C tables: what
// the laws of capability_laws.h compare. A call that should work and fails, fails the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/view.hpp"
#include "engine/plugin/plugin_call.h"
#include "engine/run/fit_predict.h"
#include "engine/run/owned_table.h"
#include "unit/plugins/learner_fixture.h"
#include "unit/sdk/byte_stream.h"

namespace crossfold::laws {

using SpecPtr = std::shared_ptr<const Spec>;
using ModelPtr = std::unique_ptr<cf_model, std::function<void(cf_model*)>>;
using Bytes = std::vector<unsigned char>;
constexpr std::uint64_t kSeed = 20260105;

inline SpecPtr LearnerSpec(std::string_view id, const ParamValues& params) {
  return BundledSpec(Kind::kLearner, id, params);
}
inline SpecPtr TransformSpec(std::string_view id, const ParamValues& params) {
  return BundledSpec(Kind::kTransform, id, params);
}

inline ModelPtr Own(const Spec& spec, cf_model* model) {
  const Component& c = spec.component();
  const auto destroy = c.learner != nullptr ? c.learner->destroy : c.transform->destroy;
  return ModelPtr(model, [destroy, self = c.info()](cf_model* one) { destroy(self, one); });
}

// A model, or why there is none.
struct Made {
  ModelPtr model;
  cf_status status = CF_OK;
  std::string message;
};

// `body` gets the call and where the model goes.
template <class Body>
Made Make(const Spec& spec, std::uint64_t seed, const Body& body) {
  cf_model* model = nullptr;
  CallOptions options;
  options.seed = seed;
  const CallResult result = CallPlugin(spec.component(), options,
                                       [&](const cf_call* call) { return body(call, &model); });
  return {Own(spec, model), result.status, result.message};
}

inline Made TryFit(const Spec& spec, const cf_table& train, std::uint64_t seed = kSeed) {
  const Component& c = spec.component();
  const auto fit = c.learner ? c.learner->fit : c.transform->fit;
  return Make(spec, seed, [&](const cf_call* call, cf_model** out) {
    return fit(call, spec.args().data(), spec.args().size(), &train, out);
  });
}

inline ModelPtr Fit(const Spec& spec, const cf_table& train, std::uint64_t seed = kSeed) {
  Made made = TryFit(spec, train, seed);
  EXPECT_EQ(made.message, "") << "fit of " << spec.ToString();
  return std::move(made.model);
}

inline ModelPtr Fit(const Spec& spec, const DataView& train, std::uint64_t seed = kSeed) {
  return Fit(spec, RowTable::ForTraining(*train.data, train.rows.get()).get(), seed);
}

// Fits through crossfold.validation/1, which the learner must offer.
inline Made TryFitValidated(const Spec& spec, const DataView& train, const DataView& validation,
                            std::uint64_t seed = kSeed) {
  const auto* table = spec.component().capability<cf_cap_validation>(CF_CAP_VALIDATION);
  const RowTable trained = RowTable::ForTraining(*train.data, train.rows.get());
  const RowTable held = RowTable::ForTraining(*validation.data, validation.rows.get());
  return Make(spec, seed, [&](const cf_call* call, cf_model** out) {
    return table->fit_validated(call, spec.args().data(), spec.args().size(), &trained.get(),
                                &held.get(), out);
  });
}

inline ModelPtr FitValidated(const Spec& spec, const DataView& train, const DataView& validation) {
  Made made = TryFitValidated(spec, train, validation);
  EXPECT_EQ(made.message, "") << "fit of " << spec.ToString() << " with validation rows";
  return std::move(made.model);
}

// What a learner says about some rows: arrays that do not apply are empty.
struct Predicted {
  std::vector<std::int32_t> labels;
  std::vector<double> values, probabilities;
  std::string failure;

  // Arrays for n rows; probabilities if the learner gives any.
  static Predicted For(const Spec& spec, std::int64_t n_rows, std::int64_t n_classes) {
    const auto n = static_cast<std::size_t>(n_rows);
    Predicted p;
    if (n_classes == 0) {
      p.values.assign(n, std::nan(""));
      return p;
    }
    p.labels.assign(n, -1);
    if (spec.component().capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr) {
      p.probabilities.assign(n * static_cast<std::size_t>(n_classes), std::nan(""));
    }
    return p;
  }

  cf_prediction ToC(std::int64_t n_rows, std::int64_t n_classes) {
    cf_prediction out{};
    out.struct_size = sizeof(cf_prediction);
    out.n_rows = n_rows;
    out.n_classes = n_classes;
    out.labels = labels.empty() ? nullptr : labels.data();
    out.values = values.empty() ? nullptr : values.data();
    out.probabilities = probabilities.empty() ? nullptr : probabilities.data();
    return out;
  }
};

// `body` gets the call, the rows and where the prediction goes.
template <class Body>
Predicted PredictBy(const Spec& spec, const DataView& test, std::uint64_t seed, const Body& body) {
  const RowTable rows = RowTable::ForPrediction(*test.data, test.rows.get());
  const std::int64_t n_classes = test.data->num_classes();
  Predicted p = Predicted::For(spec, test.num_rows(), n_classes);
  cf_prediction out = p.ToC(test.num_rows(), n_classes);
  CallOptions options;
  options.seed = seed;
  p.failure = CallPlugin(spec.component(), options, [&](const cf_call* call) {
                return body(call, &rows.get(), &out);
              }).message;
  return p;
}

inline Predicted TryPredict(const Spec& spec, const cf_model* model, const DataView& test,
                            std::uint64_t seed = kSeed) {
  const auto* proba = spec.component().capability<cf_cap_proba>(CF_CAP_PROBA);
  const bool classifies = test.data->num_classes() > 0;
  const auto predict =
      proba != nullptr && classifies ? proba->predict_proba : spec.component().learner->predict;
  return PredictBy(spec, test, seed, [&](const cf_call* c, const cf_table* r, cf_prediction* out) {
    return predict(c, model, r, out);
  });
}

inline Predicted Predict(const Spec& spec, const cf_model* model, const DataView& test,
                         std::uint64_t seed = kSeed) {
  Predicted p = TryPredict(spec, model, test, seed);
  EXPECT_EQ(p.failure, "") << "predict of " << spec.ToString();
  return p;
}

// Every column that a transform makes, entry for entry (a category as its code).
struct Applied {
  struct Made {
    std::string name;
    std::int32_t dtype = 0;
    bool ordered = false;
    std::vector<std::string> levels;
    std::vector<double> entries;
  };
  std::vector<Made> columns;
  std::string failure;
};

inline Applied Apply(const Spec& spec, const cf_model* model, const DataView& test,
                     std::uint64_t seed = kSeed) {
  const RowTable rows = RowTable::ForPrediction(*test.data, test.rows.get());
  OwnedTable made(rows.get());
  CallOptions options;
  options.seed = seed;
  Applied applied;
  applied.failure =
      CallPlugin(spec.component(), options, [&](const cf_call* call) {
        return spec.component().transform->apply(call, model, &rows.get(), made.sink());
      }).message;
  made.Finish();
  applied.failure += made.problem();
  for (const cf_column& from : made.columns()) {
    Applied::Made& to = applied.columns.emplace_back();
    to.name = from.name;
    to.dtype = from.dtype;
    to.ordered = plugin::IsOrdered(from);
    if (from.levels != nullptr) to.levels.assign(from.levels, from.levels + from.n_levels);
    for (std::int64_t i = 0; i < made.num_rows(); ++i) {
      to.entries.push_back(plugin::EntryAsDouble(from, i));
    }
  }
  EXPECT_EQ(applied.failure, "") << "apply of " << spec.ToString();
  return applied;
}

// The capability, which is expected to be there.
template <class T>
const T* Required(const Spec& spec, const char* id) {
  const T* table = spec.component().capability<T>(id);
  EXPECT_NE(table, nullptr) << spec.component().id << " does not offer " << id;
  return table;
}

inline Bytes Save(const Spec& spec, const cf_model* model) {
  const auto* table = spec.component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE);
  plugin::ByteSink sink;
  const cf_writer writer = sink.writer();
  const CallResult result = CallPlugin(
      spec.component(), {}, [&](const cf_call* call) { return table->save(call, model, &writer); });
  EXPECT_EQ(result.message, "") << "save of " << spec.ToString();
  return sink.bytes;
}

inline Made Load(const Spec& spec, Bytes bytes) {
  const auto* table = spec.component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE);
  plugin::ByteSource source(std::move(bytes));
  const cf_reader reader = source.reader();
  return Make(spec, 0,
              [&](const cf_call* call, cf_model** out) { return table->load(call, &reader, out); });
}

// ---- comparisons -------------------------------------------------------------------------------

inline bool AreClose(double a, double b, double tolerance) {
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return true;
  return tolerance > 0 && std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

inline testing::AssertionResult SameNumbers(const char* what, const std::vector<double>& got,
                                            const std::vector<double>& expected, double tolerance) {
  if (got.size() != expected.size()) {
    return testing::AssertionFailure()
           << got.size() << " " << what << " instead of " << expected.size();
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (AreClose(got[i], expected[i], tolerance)) continue;
    return testing::AssertionFailure()
           << what << " " << i << " is " << testing::PrintToString(got[i]) << " instead of "
           << testing::PrintToString(expected[i]) << ", off by " << got[i] - expected[i];
  }
  return testing::AssertionSuccess();
}

// Byte for byte if the tolerance is 0. Otherwise each number within `tolerance`, relative to
// numbers above 1, and labels only where there are no probabilities: a tie may fall either way.
inline testing::AssertionResult SamePrediction(const Predicted& got, const Predicted& expected,
                                               double tolerance = 0) {
  if (got.failure != expected.failure) {
    return testing::AssertionFailure()
           << "failed with '" << got.failure << "' instead of '" << expected.failure << "'";
  }
  const bool compares_labels = tolerance == 0 || expected.probabilities.empty();
  if (compares_labels && got.labels != expected.labels) {
    return testing::AssertionFailure() << "labels are " << testing::PrintToString(got.labels)
                                       << " instead of " << testing::PrintToString(expected.labels);
  }
  const auto same = SameNumbers("values", got.values, expected.values, tolerance);
  if (!same) return same;
  return SameNumbers("probabilities", got.probabilities, expected.probabilities, tolerance);
}

inline testing::AssertionResult SameColumns(const Applied& got, const Applied& expected,
                                            double tolerance = 0) {
  if (got.columns.size() != expected.columns.size()) {
    return testing::AssertionFailure()
           << got.columns.size() << " columns instead of " << expected.columns.size();
  }
  for (std::size_t j = 0; j < got.columns.size(); ++j) {
    const Applied::Made &g = got.columns[j], &e = expected.columns[j];
    if (g.name != e.name || g.dtype != e.dtype || g.ordered != e.ordered || g.levels != e.levels) {
      return testing::AssertionFailure() << "column " << j << " has another name, type or levels";
    }
    const std::string what = "entries of '" + e.name + "'";
    const auto same = SameNumbers(what.c_str(), g.entries, e.entries, tolerance);
    if (!same) return same;
  }
  return testing::AssertionSuccess();
}

}  // namespace crossfold::laws

namespace crossfold {

// A learner that is fitted and exported as text, in the format of that name; "" (and the test
// fails) if there is no such format.
inline std::string ExportedText(std::string_view learner, const ParamValues& params,
                                const DataView& train, std::string_view format = "text") {
  const auto spec = laws::LearnerSpec(learner, params);
  const auto* table = laws::Required<cf_cap_export>(*spec, CF_CAP_EXPORT);
  if (table == nullptr) return "";
  std::size_t place = 0;
  while (place < table->n_formats && format != table->formats[place]) ++place;
  const auto model = laws::Fit(*spec, train);
  plugin::ByteSink sink;
  const cf_writer writer = sink.writer();
  const CallResult result = CallPlugin(spec->component(), {}, [&](const cf_call* call) {
    return table->export_model(call, model.get(), place, &writer);
  });
  EXPECT_EQ(result.message, "");
  return std::string(sink.bytes.begin(), sink.bytes.end());
}

}  // namespace crossfold
