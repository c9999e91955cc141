#include "check/component_calls.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

#include "crossfold/error.h"
#include "crossfold_plugin/view.hpp"
#include "engine/run/owned_table.h"
#include "engine/text/format_number.h"

namespace crossfold::check {
namespace {

// A label that no learner may leave in its output.
constexpr std::int32_t kUntouched = -7;

bool AreClose(double a, double b, double tolerance) {
  if (std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b)) return true;
  return tolerance > 0 && std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

std::string Instead(std::string_view what, std::size_t i, const std::string& got,
                    const std::string& expected) {
  return std::string(what) + " " + std::to_string(i) + " is " + got + " instead of " + expected;
}

Predicted CallPredict(const Spec& spec, const cf_table& rows, Predicted prediction,
                      std::int64_t n_classes, const ProbeOptions& options,
                      const std::function<cf_status(const cf_call*, cf_prediction*)>& body) {
  cf_prediction out = prediction.ToC(rows.n_rows, n_classes);
  prediction.reply =
      ProbeCall(spec, options, [&](const cf_call* call) { return body(call, &out); });
  return prediction;
}

// A stream of bytes that takes or gives at most `portion` at a time.
struct Stream {
  Bytes bytes;
  std::size_t portion = 0, position = 0;

  std::size_t Most(std::size_t n) const { return portion == 0 ? n : std::min(n, portion); }
  static std::int64_t CF_CALL Write(void* stream, const void* bytes, std::size_t n) {
    auto& self = *static_cast<Stream*>(stream);
    const auto* first = static_cast<const unsigned char*>(bytes);
    self.bytes.insert(self.bytes.end(), first, first + self.Most(n));
    return static_cast<std::int64_t>(self.Most(n));
  }
  static std::int64_t CF_CALL Read(void* stream, void* bytes, std::size_t n) {
    auto& self = *static_cast<Stream*>(stream);
    const std::size_t given = std::min(self.Most(n), self.bytes.size() - self.position);
    if (given > 0) std::memcpy(bytes, self.bytes.data() + self.position, given);
    self.position += given;
    return static_cast<std::int64_t>(given);
  }
};

// Owns a model of the spec's learner or transform.
ModelPtr Own(const Spec& spec, cf_model* model) {
  const Component& c = spec.component();
  const auto destroy = c.learner != nullptr ? c.learner->destroy : c.transform->destroy;
  return ModelPtr(model, [destroy, self = c.info()](cf_model* one) { destroy(self, one); });
}

std::string DifferenceOfDeclarations(const Applied::Column& got, const Applied::Column& expected,
                                     std::size_t j) {
  if (got.name != expected.name) {
    return Instead("column", j, "'" + got.name + "'", "'" + expected.name + "'");
  }
  if (got.dtype != expected.dtype || got.ordered != expected.ordered) {
    return "column '" + got.name + "' has a different type";
  }
  return got.levels == expected.levels ? "" : "column '" + got.name + "' has different levels";
}

}  // namespace

DataView RowsOf(DataPtr data, RowIds rows) {
  return {std::move(data), std::make_shared<const RowIds>(std::move(rows))};
}

RowIds RowRange(std::int64_t first, std::int64_t end) {
  RowIds rows(static_cast<std::size_t>(std::max<std::int64_t>(end - first, 0)));
  std::iota(rows.begin(), rows.end(), first);
  return rows;
}

RowIds ShuffledRows(std::int64_t n, plugin::Random random) {
  RowIds order = RowRange(0, n);
  random.Shuffle(std::span(order));
  return order;
}

RowIds SomeRows(std::int64_t n, plugin::Random random) {
  RowIds rows = ShuffledRows(n, random);
  rows.resize(rows.size() * 3 / 4);
  rows.push_back(rows.front());
  return rows;
}

std::vector<double> WeightEvery(std::int64_t n, std::int64_t step, double weight) {
  std::vector<double> weights(static_cast<std::size_t>(n), 1.0);
  for (std::size_t i = 0; i < weights.size(); i += static_cast<std::size_t>(step)) {
    weights[i] = weight;
  }
  return weights;
}

RowIds RepeatedRows(const std::vector<double>& weights) {
  RowIds rows;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    rows.insert(rows.end(), static_cast<std::size_t>(weights[i]), static_cast<std::int64_t>(i));
  }
  return rows;
}

SpecPtr SpecWith(const Spec& spec, const ParamValues& values) {
  try {
    return spec.With(values);
  } catch (const Error&) {
    return nullptr;
  }
}

Made Make(const Spec& spec, const ProbeOptions& options,
          const std::function<cf_status(const cf_call*, cf_model**)>& body) {
  char nothing = 0;  // no model is here: shows whether the call has written the handle
  cf_model* const unwritten = reinterpret_cast<cf_model*>(&nothing);
  cf_model* model = unwritten;
  Made made;
  made.reply = ProbeCall(spec, options, [&](const cf_call* call) { return body(call, &model); });
  if (made.reply.ok() && (model == unwritten || model == nullptr)) {
    made.reply.status = CF_E_INTERNAL;
    made.reply.said_why = true;
    made.reply.message = "it returned ok and gave no model";
    return made;
  }
  made.left_handle = !made.reply.ok() && model != nullptr;
  if (made.reply.ok()) made.model = Own(spec, model);
  return made;
}

Made Fit(const Spec& spec, const cf_table& train, const ProbeOptions& options) {
  const Component& c = spec.component();
  const auto fit = c.learner != nullptr ? c.learner->fit : c.transform->fit;
  return Make(spec, options, [&](const cf_call* call, cf_model** out) {
    return fit(call, spec.args().data(), spec.args().size(), &train, out);
  });
}

Made Fit(const Spec& spec, const DataView& train, const ProbeOptions& options) {
  return Fit(spec, RowTable::ForTraining(*train.data, train.rows.get()).get(), options);
}

Predicted Predicted::For(const Spec& spec, std::int64_t n_rows, std::int64_t n_classes) {
  const auto n = static_cast<std::size_t>(n_rows);
  Predicted p;
  if (n_classes == 0) {
    p.values.assign(n, std::nan(""));
    return p;
  }
  p.labels.assign(n, kUntouched);
  if (spec.component().capability<cf_cap_proba>(CF_CAP_PROBA) != nullptr) {
    p.probabilities.assign(n * static_cast<std::size_t>(n_classes), std::nan(""));
  }
  return p;
}

cf_prediction Predicted::ToC(std::int64_t n_rows, std::int64_t n_classes) {
  cf_prediction out{};
  out.struct_size = sizeof(cf_prediction);
  out.n_rows = n_rows;
  out.n_classes = n_classes;
  out.labels = labels.empty() ? nullptr : labels.data();
  out.values = values.empty() ? nullptr : values.data();
  out.probabilities = probabilities.empty() ? nullptr : probabilities.data();
  return out;
}

Predicted Predict(const Spec& spec, const cf_model* model, const cf_table& rows,
                  std::int64_t n_classes, const ProbeOptions& options) {
  const auto* proba = spec.component().capability<cf_cap_proba>(CF_CAP_PROBA);
  const auto predict =
      proba != nullptr && n_classes > 0 ? proba->predict_proba : spec.component().learner->predict;
  return CallPredict(
      spec, rows, Predicted::For(spec, rows.n_rows, n_classes), n_classes, options,
      [&](const cf_call* call, cf_prediction* out) { return predict(call, model, &rows, out); });
}

Predicted Predict(const Spec& spec, const cf_model* model, const DataView& rows,
                  const ProbeOptions& options) {
  const RowTable table = RowTable::ForPrediction(*rows.data, rows.rows.get());
  return Predict(spec, model, table.get(), rows.data->num_classes(), options);
}

Predicted PredictPlainly(const Spec& spec, const cf_model* model, const DataView& rows) {
  const RowTable table = RowTable::ForPrediction(*rows.data, rows.rows.get());
  const std::int64_t n_classes = rows.data->num_classes();
  Predicted empty = Predicted::For(spec, rows.num_rows(), n_classes);
  empty.probabilities.clear();
  return CallPredict(spec, table.get(), std::move(empty), n_classes, {},
                     [&](const cf_call* call, cf_prediction* out) {
                       return spec.component().learner->predict(call, model, &table.get(), out);
                     });
}

Predicted PredictScores(const Spec& spec, const cf_cap_scores& table, const cf_model* model,
                        const DataView& rows) {
  const RowTable features = RowTable::ForPrediction(*rows.data, rows.rows.get());
  const std::int64_t n_classes = rows.data->num_classes();
  Predicted empty = Predicted::For(spec, rows.num_rows(), n_classes);
  empty.probabilities.clear();
  empty.values.assign(empty.labels.size() * static_cast<std::size_t>(n_classes), std::nan(""));
  return CallPredict(spec, features.get(), std::move(empty), n_classes, {},
                     [&](const cf_call* call, cf_prediction* out) {
                       return table.predict_scores(call, model, &features.get(), out);
                     });
}

Predicted FitPredict(const Spec& spec, const cf_table& train, const cf_table& test,
                     std::int64_t n_classes, const ProbeOptions& options) {
  Made made = Fit(spec, train, options);
  if (made.reply.ok()) return Predict(spec, made.model.get(), test, n_classes, options);
  Predicted failed;
  failed.reply = std::move(made.reply);
  return failed;
}

Predicted FitPredict(const Spec& spec, const DataView& train, const DataView& test,
                     const ProbeOptions& options) {
  return FitPredict(spec, RowTable::ForTraining(*train.data, train.rows.get()).get(),
                    RowTable::ForPrediction(*test.data, test.rows.get()).get(),
                    test.data->num_classes(), options);
}

void CopyColumns(std::span<const cf_column> columns, std::int64_t n_rows, Applied& applied) {
  for (const cf_column& from : columns) {
    Applied::Column& to = applied.columns.emplace_back();
    to.name = from.name;
    to.dtype = from.dtype;
    to.ordered = plugin::IsOrdered(from);
    if (from.levels != nullptr) to.levels.assign(from.levels, from.levels + from.n_levels);
    for (std::int64_t i = 0; i < n_rows; ++i) to.entries.push_back(plugin::EntryAsDouble(from, i));
  }
}

Predicted Chosen(const Predicted& all, const RowIds& positions, std::int64_t n_classes) {
  Predicted chosen;
  chosen.reply = all.reply;
  for (const std::int64_t position : positions) {
    const auto i = static_cast<std::size_t>(position);
    if (!all.labels.empty()) chosen.labels.push_back(all.labels[i]);
    if (!all.values.empty()) chosen.values.push_back(all.values[i]);
    if (all.probabilities.empty()) continue;
    const auto row = all.probabilities.begin() + position * n_classes;
    chosen.probabilities.insert(chosen.probabilities.end(), row, row + n_classes);
  }
  return chosen;
}

Applied Chosen(Applied all, const RowIds& positions) {
  for (Applied::Column& column : all.columns) {
    std::vector<double> entries;
    for (const std::int64_t i : positions) {
      entries.push_back(column.entries[static_cast<std::size_t>(i)]);
    }
    column.entries = std::move(entries);
  }
  return all;
}

Applied Apply(const Spec& spec, const cf_model* model, const cf_table& rows,
              const ProbeOptions& options) {
  OwnedTable made(rows);
  Applied applied;
  applied.reply = ProbeCall(spec, options, [&](const cf_call* call) {
    return spec.component().transform->apply(call, model, &rows, made.sink());
  });
  made.Finish();
  applied.problem = made.problem();
  CopyColumns(made.columns(), made.num_rows(), applied);
  return applied;
}

Applied Apply(const Spec& spec, const cf_model* model, const DataView& rows,
              const ProbeOptions& options) {
  return Apply(spec, model, RowTable::ForPrediction(*rows.data, rows.rows.get()).get(), options);
}

Saved Save(const Spec& spec, const cf_model* model, std::size_t portion) {
  const auto* table = spec.component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE);
  Stream stream{{}, portion};
  const cf_writer writer{&stream, &Stream::Write};
  Saved saved;
  saved.reply =
      ProbeCall(spec, {}, [&](const cf_call* call) { return table->save(call, model, &writer); });
  saved.bytes = std::move(stream.bytes);
  return saved;
}

Made Load(const Spec& spec, const Bytes& bytes, std::size_t portion) {
  const auto* table = spec.component().capability<cf_cap_serialize>(CF_CAP_SERIALIZE);
  Stream stream{bytes, portion};
  const cf_reader reader{&stream, &Stream::Read};
  return Make(spec, {},
              [&](const cf_call* call, cf_model** out) { return table->load(call, &reader, out); });
}

std::string Difference(std::string_view what, const std::vector<double>& got,
                       const std::vector<double>& expected, double tolerance) {
  if (got.size() != expected.size()) {
    return std::to_string(got.size()) + " of " + std::string(what) + " instead of " +
           std::to_string(expected.size());
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (AreClose(got[i], expected[i], tolerance)) continue;
    return Instead(what, i, FormatShortest(got[i]), FormatShortest(expected[i]));
  }
  return "";
}

std::string Difference(const Predicted& got, const Predicted& expected, double tolerance) {
  if (got.reply.Describe() != expected.reply.Describe()) {
    return "the call ended with " + got.reply.Describe() + " instead of " +
           expected.reply.Describe();
  }
  if (!got.reply.ok()) return "";  // what a failed call left in the arrays means nothing
  if (got.labels.size() != expected.labels.size()) return "another number of labels";
  if (tolerance == 0 || expected.probabilities.empty()) {
    for (std::size_t i = 0; i < got.labels.size(); ++i) {
      if (got.labels[i] == expected.labels[i]) continue;
      return Instead("label", i, std::to_string(got.labels[i]), std::to_string(expected.labels[i]));
    }
  }
  std::string text = Difference("value", got.values, expected.values, tolerance);
  if (text.empty()) {
    text = Difference("probability", got.probabilities, expected.probabilities, tolerance);
  }
  return text;
}

std::string Difference(const Applied& got, const Applied& expected, double tolerance) {
  if (got.reply.Describe() != expected.reply.Describe()) {
    return "the call ended with " + got.reply.Describe() + " instead of " +
           expected.reply.Describe();
  }
  if (!got.reply.ok()) return "";
  if (got.problem != expected.problem) return got.problem + expected.problem;
  if (got.columns.size() != expected.columns.size()) {
    return std::to_string(got.columns.size()) + " columns instead of " +
           std::to_string(expected.columns.size());
  }
  for (std::size_t j = 0; j < got.columns.size(); ++j) {
    std::string text = DifferenceOfDeclarations(got.columns[j], expected.columns[j], j);
    if (text.empty()) {
      text = Difference("entry of '" + expected.columns[j].name + "'", got.columns[j].entries,
                        expected.columns[j].entries, tolerance);
    }
    if (!text.empty()) return text;
  }
  return "";
}

namespace {

// Whether the labels of row i are the same, or equivalent because their classes are equally
// probable.
bool IsTie(const Predicted& got, const Predicted& expected, std::size_t i) {
  const std::int32_t label = got.labels[i];
  if (label == expected.labels[i]) return true;
  const std::size_t k = expected.probabilities.size() / expected.labels.size();
  if (k == 0 || label < 0 || static_cast<std::size_t>(label) >= k) return false;
  const double* row = expected.probabilities.data() + i * k;
  return AreClose(row[label], row[expected.labels[i]], 1e-9);
}

}  // namespace

std::string FindLargeDifference(const Predicted& got, const Predicted& expected) {
  constexpr double kShare = 1.0 / 3, kPart = 0.1;
  const std::size_t n = expected.labels.size() + expected.values.size();
  if (!got.reply.ok() || got.labels.size() + got.values.size() != n) {
    return Difference(got, expected);
  }
  if (expected.values.empty()) {
    std::size_t others = 0;
    for (std::size_t i = 0; i < n; ++i) others += IsTie(got, expected, i) ? 0 : 1;
    if (static_cast<double>(others) <= kShare * static_cast<double>(n)) return "";
    return std::to_string(others) + " of " + std::to_string(n) + " labels are others";
  }
  double mean = 0, variance = 0, difference = 0;
  for (const double value : expected.values) mean += value / static_cast<double>(n);
  for (std::size_t i = 0; i < n; ++i) {
    variance += (expected.values[i] - mean) * (expected.values[i] - mean);
    difference += (got.values[i] - expected.values[i]) * (got.values[i] - expected.values[i]);
  }
  if (difference <= kPart * variance) return "";
  const std::string first = Difference(got, expected, kPart);
  return first.empty() ? Difference(got, expected) : first;
}

std::string FindUnusable(const Predicted& prediction, std::int64_t n_classes) {
  for (std::size_t i = 0; i < prediction.labels.size(); ++i) {
    const std::int32_t label = prediction.labels[i];
    if (label == kUntouched) return "label " + std::to_string(i) + " was not written";
    if (label < 0 || label >= n_classes) {
      return "label " + std::to_string(i) + " is " + std::to_string(label) + ", there are " +
             std::to_string(n_classes) + " classes";
    }
  }
  for (std::size_t i = 0; i < prediction.values.size(); ++i) {
    if (std::isfinite(prediction.values[i])) continue;
    return "value " + std::to_string(i) + " is " + FormatShortest(prediction.values[i]);
  }
  const auto k = static_cast<std::size_t>(n_classes);
  for (std::size_t i = 0; k > 0 && i < prediction.probabilities.size(); i += k) {
    double sum = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const double p = prediction.probabilities[i + c];
      if (!(p >= 0 && p <= 1)) {
        return "the probability of class " + std::to_string(c) + " in row " +
               std::to_string(i / k) + " is " + FormatShortest(p);
      }
      sum += p;
    }
    if (std::abs(sum - 1) > CF_PROBABILITY_TOLERANCE) {
      return "the probabilities of row " + std::to_string(i / k) + " sum to " + FormatShortest(sum);
    }
  }
  return "";
}

}  // namespace crossfold::check
