// The laws of optional capabilities (crossfold_plugin/capability.h), checked on bundled components.
//
//   TEST(KnnTest, KeepsTheLawOfSerialize) {
//     ExpectSaveLoadLaw("knn", {{"k", 3}}, RowsOf(iris, RowRange(0, 100)), AllRows(iris));
//   }
//
// A tolerance of 0 means byte for byte; another one is relative to numbers above 1. Those of the
// larger capabilities are in the headers included below.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/random.hpp"
#include "unit/plugins/component_calls.h"
#include "unit/plugins/cross_predict_law.h"
#include "unit/plugins/path_laws.h"
#include "unit/plugins/serialize_law.h"

namespace crossfold {
namespace laws {

// `train` with these weights, and with each row as often as its weight says.
struct WeightedAndRepeated {
  WeightedAndRepeated(const DataView& train, std::vector<double> w)
      : weights(std::move(w)), all(RowTable::ForTraining(*train.data, train.rows.get())) {
    EXPECT_EQ(static_cast<std::int64_t>(weights.size()), train.num_rows());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const auto times = static_cast<std::size_t>(weights[i]);
      repeated_rows.insert(repeated_rows.end(), times, train.row_id(static_cast<std::int64_t>(i)));
    }
    repeats = RowTable::ForTraining(*train.data, &repeated_rows);
    weighted = all.get();
    weighted.weights = weights.data();
    repeated = repeats.get();
    repeated.weights = nullptr;
  }
  WeightedAndRepeated(const WeightedAndRepeated&) = delete;

  std::vector<double> weights;
  RowTable all, repeats;
  RowIds repeated_rows;
  cf_table weighted{}, repeated{};
};

}  // namespace laws

// Weights 1, 0, 2, 3, 1, 0 ... for tests of weights.
inline std::vector<double> SomeWeights(std::int64_t n) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < n; ++i) weights.push_back(std::vector<double>{1, 0, 2, 3}[i % 4]);
  return weights;
}

// crossfold.proba/1: labels are predict()'s; rows sum to 1; all within [0, 1].
inline void ExpectProbaLaw(std::string_view id, const ParamValues& params, const DataView& train,
                           const DataView& test) {
  const auto spec = laws::LearnerSpec(id, params);
  if (laws::Required<cf_cap_proba>(*spec, CF_CAP_PROBA) == nullptr) return;
  const auto model = laws::Fit(*spec, train);
  const auto p = laws::Predict(*spec, model.get(), test);
  auto plain = laws::PredictBy(
      *spec, test, laws::kSeed, [&](const cf_call* c, const cf_table* rows, cf_prediction* out) {
        out->probabilities = nullptr;
        return spec->component().learner->predict(c, model.get(), rows, out);
      });
  EXPECT_EQ(plain.failure, "");
  EXPECT_EQ(p.labels, plain.labels);
  const auto k = static_cast<std::size_t>(test.data->num_classes());
  for (std::size_t i = 0; i < p.labels.size(); ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < k; ++c) {
      EXPECT_TRUE(p.probabilities[i * k + c] >= 0 && p.probabilities[i * k + c] <= 1)
          << "row " << i << ", class " << c << ": " << p.probabilities[i * k + c];
      sum += p.probabilities[i * k + c];
    }
    EXPECT_NEAR(sum, 1, 1e-9) << "row " << i;
  }
}

// crossfold.incremental/1: `removed` are some of the rows of `all`. Exact or within the tolerance
// that the learner declares; where rows cannot be removed, of adding alone.
inline void ExpectIncrementalLaw(std::string_view id, const ParamValues& params,
                                 const DataView& all, const RowIds& removed, const DataView& test) {
  const auto spec = laws::LearnerSpec(id, params);
  const auto* table = laws::Required<cf_cap_incremental>(*spec, CF_CAP_INCREMENTAL);
  if (table == nullptr) return;
  const double tolerance = table->exact != 0 ? 0 : table->tolerance;
  EXPECT_TRUE(table->exact != 0 || tolerance > 0) << "neither exact nor with a tolerance";

  const std::set<std::int64_t> out_of(removed.begin(), removed.end());
  RowIds kept, back;  // back: the kept rows and then the removed ones
  for (std::int64_t i = 0; i < all.num_rows(); ++i) {
    if (out_of.count(all.row_id(i)) == 0) kept.push_back(all.row_id(i));
  }
  back = kept;
  back.insert(back.end(), removed.begin(), removed.end());
  const RowTable fold = RowTable::ForTraining(*all.data, &removed);

  const auto answer = [&](const laws::ModelPtr& m) { return laws::Predict(*spec, m.get(), test); };
  const auto clone = [&](const laws::ModelPtr& model) {
    laws::Made made = laws::Make(*spec, 0, [&](const cf_call* call, cf_model** out) {
      return table->clone(call, model.get(), out);
    });
    EXPECT_EQ(made.message, "");
    return std::move(made.model);
  };
  const auto change = [&](const auto& function, const laws::ModelPtr& model) {
    const CallResult result = CallPlugin(spec->component(), {}, [&](const cf_call* call) {
      return function(call, model.get(), &fold.get());
    });
    EXPECT_EQ(result.message, "");
  };

  const auto of_all = laws::Fit(*spec, all);
  const auto of_kept = laws::Fit(*spec, RowsOf(all.data, kept));
  const auto of_back = laws::Fit(*spec, RowsOf(all.data, back));
  if (of_all == nullptr || of_kept == nullptr || of_back == nullptr) return;
  const laws::Predicted all_before = answer(of_all), kept_before = answer(of_kept);

  const auto grown = clone(of_kept);
  change(table->add_rows, grown);
  EXPECT_TRUE(laws::SamePrediction(answer(grown), answer(of_back), tolerance)) << "add_rows";
  EXPECT_TRUE(laws::SamePrediction(answer(of_kept), kept_before)) << "a clone changed its model";
  if (table->remove_rows == nullptr) return;
  change(table->remove_rows, grown);
  EXPECT_TRUE(laws::SamePrediction(answer(grown), kept_before, tolerance)) << "add, remove";
  const auto shrunk = clone(of_all);
  change(table->remove_rows, shrunk);
  EXPECT_TRUE(laws::SamePrediction(answer(shrunk), kept_before, tolerance)) << "remove_rows";
  EXPECT_TRUE(laws::SamePrediction(answer(of_all), all_before)) << "a clone changed its model";
}

// A row of weight w counts as w rows. `weights` are whole numbers, one a training row.
inline void ExpectWeightsAreRepetitions(std::string_view id, const ParamValues& params,
                                        const DataView& train, const std::vector<double>& weights,
                                        const DataView& test, double tolerance) {
  const auto spec = laws::LearnerSpec(id, params);
  const laws::WeightedAndRepeated rows(train, weights);
  const auto weighted = laws::Fit(*spec, rows.weighted), repeated = laws::Fit(*spec, rows.repeated);
  if (weighted == nullptr || repeated == nullptr) return;
  EXPECT_TRUE(laws::SamePrediction(laws::Predict(*spec, weighted.get(), test),
                                   laws::Predict(*spec, repeated.get(), test), tolerance));
}
inline void ExpectTransformWeightsAreRepetitions(std::string_view id, const ParamValues& params,
                                                 const DataView& train,
                                                 const std::vector<double>& weights,
                                                 const DataView& test, double tolerance) {
  const auto spec = laws::TransformSpec(id, params);
  const laws::WeightedAndRepeated rows(train, weights);
  const auto weighted = laws::Fit(*spec, rows.weighted), repeated = laws::Fit(*spec, rows.repeated);
  if (weighted == nullptr || repeated == nullptr) return;
  EXPECT_TRUE(laws::SameColumns(laws::Apply(*spec, weighted.get(), test),
                                laws::Apply(*spec, repeated.get(), test), tolerance));
}

// The training rows in another order give the same predictions.
inline void ExpectRowOrderDoesNotMatter(std::string_view id, const ParamValues& params,
                                        const DataView& train, const DataView& test,
                                        double tolerance = 0) {
  const auto spec = laws::LearnerSpec(id, params);
  RowIds shuffled;
  for (std::int64_t i = 0; i < train.num_rows(); ++i) shuffled.push_back(train.row_id(i));
  plugin::Random(7).Shuffle(std::span<std::int64_t>(shuffled));
  const auto as_given = laws::Fit(*spec, train);
  const auto in_other_order = laws::Fit(*spec, RowsOf(train.data, shuffled));
  if (as_given == nullptr || in_other_order == nullptr) return;
  EXPECT_TRUE(laws::SamePrediction(laws::Predict(*spec, in_other_order.get(), test),
                                   laws::Predict(*spec, as_given.get(), test), tolerance));
}

// crossfold.importance/1: finite, one number a feature, and reversing the columns reverses it.
// Choose data without ties between features where ties go to the earlier one.
inline void ExpectImportanceLaw(std::string_view id, const ParamValues& params,
                                const DataView& train, double tolerance = 0) {
  const auto spec = laws::LearnerSpec(id, params);
  const auto* table = laws::Required<cf_cap_importance>(*spec, CF_CAP_IMPORTANCE);
  if (table == nullptr) return;
  const RowTable rows = RowTable::ForTraining(*train.data, train.rows.get());
  const auto importance = [&](const cf_table& of) {
    const auto model = laws::Fit(*spec, of);
    std::vector<double> numbers(static_cast<std::size_t>(of.n_features), std::nan(""));
    const CallResult result = CallPlugin(spec->component(), {}, [&](const cf_call* call) {
      return table->importance(call, model.get(), numbers.data(), numbers.size());
    });
    EXPECT_EQ(result.message, "");
    return numbers;
  };
  const std::vector<double> as_given = importance(rows.get());
  for (const double number : as_given) EXPECT_TRUE(std::isfinite(number)) << number;
  cf_table reversed = rows.get();
  const std::vector<cf_column> columns(
      std::make_reverse_iterator(reversed.features + reversed.n_features),
      std::make_reverse_iterator(reversed.features));
  reversed.features = columns.data();
  std::vector<double> back = importance(reversed);
  std::reverse(back.begin(), back.end());
  EXPECT_TRUE(laws::SameNumbers("importances", back, as_given, tolerance));
}

}  // namespace crossfold
