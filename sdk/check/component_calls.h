// Fits, predictions, columns and saved bytes of one component, directly through its C tables and by
// probing calls, which checks compare.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "check/probe_call.h"
#include "crossfold/dataset.h"
#include "crossfold/spec.h"
#include "engine/run/fit_predict.h"

namespace crossfold::check {

using SpecPtr = std::shared_ptr<const Spec>;
using DataPtr = std::shared_ptr<const Dataset>;
using RowIds = std::vector<std::int64_t>;
using ModelPtr = std::unique_ptr<cf_model, std::function<void(cf_model*)>>;
using Bytes = std::vector<unsigned char>;

// The component with other values if it declares such parameters with such values; else null.
SpecPtr SpecWith(const Spec& spec, const ParamValues& values);

// ---- rows ---------------------------------------------------------------------------------------

inline DataView AllRows(DataPtr data) { return {std::move(data), nullptr}; }
DataView RowsOf(DataPtr data, RowIds rows);
RowIds RowRange(std::int64_t first, std::int64_t end);
// A random order of 0 .. n-1.
RowIds ShuffledRows(std::int64_t n, plugin::Random random);
// Three quarters of 0 .. n-1 in no order, and one of them twice.
RowIds SomeRows(std::int64_t n, plugin::Random random);
// Weights of n rows: `weight` for row 0 and every step-th one, 1 for the others.
std::vector<double> WeightEvery(std::int64_t n, std::int64_t step, double weight);
// Every row as often as its weight says.
RowIds RepeatedRows(const std::vector<double>& weights);

// A pointer to entry `first`; null if there are no entries.
template <class T>
const T* PointerTo(const std::vector<T>& entries, std::int64_t first = 0) {
  return entries.empty() ? nullptr : entries.data() + first;
}

// ---- calls --------------------------------------------------------------------------------------

// A model, or why there is none. A call that returns ok without a model counts as failed.
struct Made {
  ModelPtr model;
  Reply reply;
  // The call failed and did not set its handle to null.
  bool left_handle = false;
};

// `body` gets the call and the place for the model. The handle of a failed call is neither used nor
// destroyed, as it may be anything (see the check error-contract).
Made Make(const Spec& spec, const ProbeOptions& options,
          const std::function<cf_status(const cf_call*, cf_model**)>& body);

// Fits a learner or a transform.
Made Fit(const Spec& spec, const cf_table& train, const ProbeOptions& options = {});
Made Fit(const Spec& spec, const DataView& train, const ProbeOptions& options = {});

// The predictions of a learner for some rows. Arrays that do not apply are empty.
struct Predicted {
  std::vector<std::int32_t> labels;
  std::vector<double> values, probabilities;
  Reply reply;

  // Arrays for n rows, full of values that no learner may leave there; probabilities if the
  // learner gives any and `classes` > 0.
  static Predicted For(const Spec& spec, std::int64_t n_rows, std::int64_t n_classes);
  cf_prediction ToC(std::int64_t n_rows, std::int64_t n_classes);
};

// Calls predict_proba if the learner has it and there are classes, else predict.
Predicted Predict(const Spec& spec, const cf_model* model, const cf_table& rows,
                  std::int64_t n_classes, const ProbeOptions& options = {});
Predicted Predict(const Spec& spec, const cf_model* model, const DataView& rows,
                  const ProbeOptions& options = {});
// Calls only predict(): labels or values.
Predicted PredictPlainly(const Spec& spec, const cf_model* model, const DataView& rows);

// Calls predict_scores(): labels, and scores as values.
Predicted PredictScores(const Spec& spec, const cf_cap_scores& table, const cf_model* model,
                        const DataView& rows);

// Fits on `train` and predicts `test`. If the fit fails, its reply is the prediction's.
Predicted FitPredict(const Spec& spec, const cf_table& train, const cf_table& test,
                     std::int64_t n_classes, const ProbeOptions& options = {});
Predicted FitPredict(const Spec& spec, const DataView& train, const DataView& test,
                     const ProbeOptions& options = {});
// Some rows of a prediction of more rows.
Predicted Chosen(const Predicted& all, const RowIds& positions, std::int64_t n_classes);

// Every column that a transform makes, entry for entry (a category as its code, NaN = missing).
struct Applied {
  struct Column {
    std::string name;
    std::int32_t dtype = 0;
    bool ordered = false;
    std::vector<std::string> levels;
    std::vector<double> entries;
  };
  std::vector<Column> columns;
  std::string problem;  // what was wrong with what it emitted; "" = nothing
  Reply reply;
};
// Adds columns with their first rows.
void CopyColumns(std::span<const cf_column> columns, std::int64_t n_rows, Applied& applied);
Applied Apply(const Spec& spec, const cf_model* model, const cf_table& rows,
              const ProbeOptions& options = {});
Applied Apply(const Spec& spec, const cf_model* model, const DataView& rows,
              const ProbeOptions& options = {});
// Some rows of columns that were made for more rows.
Applied Chosen(Applied all, const RowIds& positions);

// Saves through crossfold.serialize/1, with at most `portion` bytes per write (0 = no limit).
// REQUIRES: the component offers it.
struct Saved {
  Bytes bytes;
  Reply reply;
};
Saved Save(const Spec& spec, const cf_model* model, std::size_t portion = 0);
Made Load(const Spec& spec, const Bytes& bytes, std::size_t portion = 0);

// ---- comparisons --------------------------------------------------------------------------------

// The difference, as in "label 3 is 1 instead of 0"; "" = none. A tolerance of 0 means byte for
// byte; otherwise numbers are within it, relative to numbers above 1, and labels are compared only
// where there are no probabilities, as a tie may fall either way.
std::string Difference(const Predicted& got, const Predicted& expected, double tolerance = 0);
std::string Difference(const Applied& got, const Applied& expected, double tolerance = 0);
std::string Difference(std::string_view what, const std::vector<double>& got,
                       const std::vector<double>& expected, double tolerance = 0);

// The same if ties may be broken differently and other directions chosen: more than a third of the
// labels, or values whose differences have more than a tenth of the values' variance.
std::string FindLargeDifference(const Predicted& got, const Predicted& expected);

// Why a prediction cannot be given to users: labels must be classes, numbers finite, probabilities
// in [0, 1] with a sum of 1 within CF_PROBABILITY_TOLERANCE. "" = it can.
std::string FindUnusable(const Predicted& prediction, std::int64_t n_classes);

}  // namespace crossfold::check
