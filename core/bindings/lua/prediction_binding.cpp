// Predictions: reading, pooling and scoring them, and making them for learners written in Lua.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/row_scores.h"
#include "crossfold/score.h"
#include "crossfold_plugin/data.h"

namespace crossfold::lua {
namespace {

std::size_t PredictionNumRows(const PredictionHandle& p) { return p.prediction->rows.size(); }

// "prediction of 150 rows: labels, probabilities", by the methods that have something.
std::string PredictionToString(const PredictionHandle& handle) {
  const Prediction& p = *handle.prediction;
  std::string text =
      "prediction of " + std::to_string(p.rows.size()) + (p.rows.size() == 1 ? " row" : " rows");
  const char* separator = ": ";
  const auto add = [&](bool has, const char* name) {
    if (!has) return;
    text += separator;
    text += name;
    separator = ", ";
  };
  add(!p.labels.empty(), "labels");
  add(!p.values.empty(), p.labels.empty() ? "values" : "scores");
  add(!p.probabilities.empty(), "probabilities");
  const auto& regions = handle.regions;
  add(regions != nullptr && !regions->low.empty(), "intervals");
  add(regions != nullptr && !regions->in_set.empty(), "sets");
  if (regions != nullptr) text += "\n" + regions->guarantee;
  return text;
}

// prediction:row_ids(): from 1.
int PredictionRowIds(lua_State* L) {
  PushRowIds(L, CheckPrediction(L, 1).prediction->rows);
  return 1;
}

// prediction:labels(): class names; prediction:values(): numbers; nil if there are none.
int Labels(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.prediction->labels.empty()) return 0;
  const auto names = p.class_names();
  PushList(L, p.prediction->labels,
           [&](std::int32_t code) { PushText(L, names[static_cast<std::size_t>(code)]); });
  return 1;
}

int Values(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.prediction->values.empty() || !p.prediction->labels.empty()) return 0;
  PushNumbers(L, p.prediction->values);
  return 1;
}

// prediction:probabilities(): a list of lists in class order; nil if there are none.
int Probabilities(lua_State* L) {
  const Prediction& p = *CheckPrediction(L, 1).prediction;
  if (p.probabilities.empty()) return 0;
  PushMatrix(L, std::span<const double>(p.probabilities), static_cast<std::size_t>(p.n_classes));
  return 1;
}

// prediction:scores(): a list of lists in class order, of a learner that has them instead of
// probabilities; nil if there are none.
int Scores(lua_State* L) {
  const Prediction& p = *CheckPrediction(L, 1).prediction;
  if (p.values.empty() || p.labels.empty()) return 0;
  PushMatrix(L, std::span<const double>(p.values), static_cast<std::size_t>(p.n_classes));
  return 1;
}

// The dataset that the rows of `p` come from; raises if its target is hidden or there is none.
const Dataset& CheckTruth(lua_State* L, const PredictionHandle& p) {
  if (p.truth == nullptr) {
    Raise(L,
          "cannot read the truth of a prediction: the target of its rows is hidden; predict rows "
          "that show it");
  }
  if (p.truth->task() == Task::kNone) {
    Raise(L, lua_pushfstring(L,
                             "cannot read the truth of a prediction: dataset '%s' has no target; "
                             "read it with target = \"<column>\"",
                             p.truth->name().c_str()));
  }
  return *p.truth;
}

}  // namespace

const Dataset& CheckComparable(lua_State* L, const PredictionHandle& p) {
  const Dataset& truth = CheckTruth(L, p);
  const auto expected = p.class_names();
  const auto actual = truth.class_names();
  if (truth.task() != p.task() ||
      !std::equal(expected.begin(), expected.end(), actual.begin(), actual.end())) {
    Raise(L, lua_pushfstring(L,
                             "cannot score a prediction for '%s': its target is not that of '%s', "
                             "which was trained on; declare the same levels",
                             truth.name().c_str(), p.dataset_name().c_str()));
  }
  return truth;
}

namespace {

// prediction:truth(): the target of the same rows.
int Truth(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  const Dataset& data = CheckTruth(L, p);
  PushList(L, p.prediction->rows, [&](std::int64_t row) { PushTarget(L, data, row); });
  return 1;
}

// prediction:classes()
std::span<const std::string> PredictionClasses(const PredictionHandle& p) {
  return p.class_names();
}

// native.score(metric, prediction): the value, or nil and the reason why there is none.
int ScoreOne(lua_State* L) {
  const SpecHandle& metric = CheckSpec(L, 1);
  luaL_argcheck(L, metric.spec->component().metric != nullptr, 1, "a metric is expected");
  const PredictionHandle& p = CheckPrediction(L, 2);
  const Dataset& data = CheckComparable(L, p);
  return RunAndPush(L, [&]() -> NumberOrReason {
    CheckMetric(*metric.spec, data);
    const Score score =
        ScorePrediction(*metric.spec, data, *p.prediction, GetSession(L).plugins().log());
    if (score.defined) return {score.value, std::nullopt};
    return {std::nullopt, score.undefined};
  });
}

// native.row_scores(metric, prediction): the score of each row alone and their weights (nil if all
// are 1); or nil, the reason why there are none, and whether it is that the metric is not a mean
// over rows.
int RowScoresOf(lua_State* L) {
  const SpecHandle& metric = CheckSpec(L, 1);
  luaL_argcheck(L, metric.spec->component().metric != nullptr, 1, "a metric is expected");
  const PredictionHandle& p = CheckPrediction(L, 2);
  const Dataset& data = CheckComparable(L, p);
  auto* rows = NewOwned<RowScores>(L);
  Try(L, [&] {
    *rows = ScoreEachRow(*metric.spec, data, *p.prediction, GetSession(L).plugins().log());
  });
  if (!rows->defined()) {
    lua_pushnil(L);
    PushText(L, rows->undefined);
    lua_pushboolean(L, rows->is_composed);
    return 3;
  }
  PushNumbers(L, rows->values);
  if (rows->weights.empty()) return 1;
  PushNumbers(L, rows->weights);
  return 2;
}

// How many rows of a prediction a clip of probabilities reaches: that of the true class, and that
// of any class. Rows of weight 0 do not count.
struct ClippedRows {
  std::int64_t rows = 0, clipped = 0, exposed = 0;
};

ClippedRows CountClipped(const Prediction& p, const Dataset& data, double clip) {
  const auto k = static_cast<std::size_t>(p.n_classes);
  ClippedRows found;
  for (std::size_t i = 0; i < p.rows.size(); ++i) {
    const auto row = static_cast<std::size_t>(p.rows[i]);
    if (!data.weights().empty() && data.weights()[row] == 0) continue;
    const auto given = std::span(p.probabilities).subspan(i * k, k);
    ++found.rows;
    found.clipped += given[static_cast<std::size_t>(data.labels()[row])] <= clip ? 1 : 0;
    found.exposed += *std::ranges::min_element(given) <= clip ? 1 : 0;
  }
  return found;
}

// native.clipped_rows(prediction, clip): { rows, clipped, exposed }; nil without probabilities.
int ClippedRowsOf(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  const double clip = luaL_checknumber(L, 2);
  const Dataset& data = CheckComparable(L, p);
  if (p.prediction->probabilities.empty()) return 0;
  ClippedRows found;
  Try(L, [&] { found = CountClipped(*p.prediction, data, clip); });
  PushTable(L, Field("rows", found.rows), Field("clipped", found.clipped),
            Field("exposed", found.exposed));
  return 1;
}

template <class T>
void AppendAll(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The result has probabilities only if every part has them. Parts that are not there are made one
// after the other.
Prediction Pool(const std::vector<PredictionHandle>& parts) {
  Prediction pooled;
  bool probabilities = true;
  for (const PredictionHandle& part : parts) {
    const std::shared_ptr<const Prediction> made = part.prediction ? part.prediction : part.make();
    const Prediction& p = *made;
    const PredictionHandle& first = parts.front();
    if (part.model != first.model || part.data != first.data || part.truth != first.truth) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot pool predictions for '" + first.dataset_name() + "' and '" +
                      part.dataset_name() + "': they are different datasets");
    }
    AppendAll(pooled.rows, p.rows);
    AppendAll(pooled.labels, p.labels);
    AppendAll(pooled.values, p.values);
    AppendAll(pooled.probabilities, p.probabilities);
    pooled.n_classes = p.n_classes;
    probabilities = probabilities && !p.probabilities.empty();
  }
  if (!probabilities) pooled.probabilities.clear();
  return pooled;
}

// native.pool{prediction, ...}: one prediction with the rows of all, in the order given.
int PoolAll(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  auto* parts = NewOwned<std::vector<PredictionHandle>>(L);
  const lua_Integer n = luaL_len(L, 1);
  luaL_argcheck(L, n > 0, 1, "there is no prediction to pool");
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    const auto* part = ToOwned<PredictionHandle>(L, -1);
    if (part == nullptr) {
      Raise(L, lua_pushfstring(L, "cannot pool: element %d is a %s, not a prediction",
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    Try(L, [&] { parts->push_back(*part); });
    lua_pop(L, 1);
  }
  return RunAndPush(L, [&] {
    PredictionHandle pooled;
    pooled.prediction = std::make_shared<const Prediction>(Pool(*parts));
    pooled.model = parts->front().model;
    pooled.data = parts->front().data;
    pooled.truth = parts->front().truth;
    return pooled;
  });
}

// native.confusion(prediction): counts, rows = truth, columns = predicted, in class order; nil for
// regression.
int Confusion(lua_State* L) {
  const PredictionHandle& p = CheckPrediction(L, 1);
  if (p.task() != Task::kClassification || p.prediction->labels.empty()) return 0;
  const Dataset& data = CheckComparable(L, p);
  const auto k = static_cast<std::size_t>(data.num_classes());
  auto* counts = NewOwned<std::vector<std::int64_t>>(L);
  Try(L, [&] {
    counts->assign(k * k, 0);
    for (std::size_t i = 0; i < p.prediction->rows.size(); ++i) {
      const auto row = static_cast<std::size_t>(p.prediction->rows[i]);
      const auto truth = static_cast<std::size_t>(data.labels()[row]);
      ++(*counts)[truth * k + static_cast<std::size_t>(p.prediction->labels[i])];
    }
  });
  PushMatrix(L, std::span<const std::int64_t>(*counts), k);
  return 1;
}

// native.add_prediction_method(name, f): prediction:name(...) is f(prediction, ...).
int AddPredictionMethod(lua_State* L) {
  const char* name = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  PushMetatable<PredictionHandle>(L);
  lua_getfield(L, -1, "__index");
  lua_pushvalue(L, 2);
  lua_setfield(L, -2, name);
  return 0;
}

// native.predicted_data(prediction): the dataset that its rows are of, or nil if their target is
// hidden.
std::optional<DataHandle> PredictedData(const PredictionHandle& p) {
  if (p.truth == nullptr) return std::nullopt;
  return DataHandle{{p.truth, nullptr}};
}

// native.perfect(data): the truth of these rows as a prediction of them, sure of each class.
PredictionHandle Perfect(const DataView& view) {
  const Dataset& data = *view.data;
  Prediction p;
  p.n_classes = data.num_classes();
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    p.rows.push_back(view.row_id(i));
    const auto row = static_cast<std::size_t>(p.rows.back());
    if (data.task() == Task::kRegression) p.values.push_back(data.values()[row]);
    if (data.task() != Task::kClassification) continue;
    p.labels.push_back(data.labels()[row]);
    for (std::int32_t c = 0; c < p.n_classes; ++c) {
      p.probabilities.push_back(c == p.labels.back() ? 1 : 0);
    }
  }
  PredictionHandle made;
  made.prediction = std::make_shared<const Prediction>(std::move(p));
  made.data = made.truth = view.data;
  return made;
}

// What a Lua learner returned, read but not yet checked.
struct Answer {
  std::vector<std::string> labels;
  std::vector<std::int32_t> codes;  // instead of labels: places in names
  std::span<const std::string> names;
  std::vector<double> values;
  std::vector<double> probabilities;  // row-major
};

void ReadDoubles(lua_State* L, const char* what, std::vector<double>& out) {
  const lua_Integer n = luaL_len(L, -1);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, -1, i);
    int is_number = 0;
    const double number = lua_tonumberx(L, -1, &is_number);
    if (is_number == 0) {
      Raise(L, lua_pushfstring(L, "%s must be numbers; element %d is a %s", what,
                               static_cast<int>(i), luaL_typename(L, -1)));
    }
    Try(L, [&] { out.push_back(number); });
    lua_pop(L, 1);
  }
}

void ReadAnswer(lua_State* L, Answer& answer) {
  if (lua_getfield(L, 2, "labels") == LUA_TTABLE) {
    ReadStrings(L, -1, "the labels", answer.labels);
  }
  lua_pop(L, 1);
  if (lua_getfield(L, 2, "values") == LUA_TTABLE) ReadDoubles(L, "the values", answer.values);
  lua_pop(L, 1);
  if (lua_getfield(L, 2, "probabilities") == LUA_TTABLE) {
    const lua_Integer n = luaL_len(L, -1);
    std::size_t width = 0;
    for (lua_Integer i = 1; i <= n; ++i) {
      if (lua_geti(L, -1, i) != LUA_TTABLE) Raise(L, "probabilities must be a list of lists");
      const std::size_t before = answer.probabilities.size();
      ReadDoubles(L, "the probabilities", answer.probabilities);
      if (i == 1) width = answer.probabilities.size();
      if (answer.probabilities.size() - before != width) {
        Raise(L,
              lua_pushfstring(L,
                              "the learner's prediction is unusable: row %I has a different number "
                              "of probabilities than row 1",
                              i));
      }
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

// The same of a prediction.
void CopyAnswer(const PredictionHandle& from, Answer& answer) {
  answer.codes = from.prediction->labels;
  answer.names = from.class_names();
  answer.values = from.prediction->values;
  answer.probabilities = from.prediction->probabilities;
}

[[noreturn]] void RefuseAnswer(const std::string& finding) {
  throw Error(ErrorKind::kFailed, "the learner's prediction is unusable: " + finding);
}

void CheckProbabilities(const Answer& answer, std::size_t n_rows, std::size_t k) {
  if (answer.probabilities.size() != n_rows * k) {
    RefuseAnswer(std::to_string(answer.probabilities.size()) + " probabilities for " +
                 std::to_string(n_rows) + " rows and " + std::to_string(k) + " classes");
  }
  for (std::size_t i = 0; i < n_rows; ++i) {
    double sum = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const double p = answer.probabilities[i * k + c];
      if (!(p >= 0 && p <= 1))
        RefuseAnswer("a probability of row " + std::to_string(i + 1) + " lies outside 0 .. 1");
      sum += p;
    }
    if (std::abs(sum - 1) > CF_PROBABILITY_TOLERANCE) {
      RefuseAnswer("the probabilities of row " + std::to_string(i + 1) + " do not sum to 1");
    }
  }
}

std::int32_t ClassOf(const std::string& name, const ClassPlaces& places) {
  const auto found = places.find(name);
  if (found == places.end()) RefuseAnswer("'" + name + "' is not a class of the dataset");
  return found->second;
}

std::vector<std::int32_t> LabelsOf(const Answer& answer, const Dataset& data, std::size_t n_rows) {
  std::vector<std::int32_t> labels(n_rows);
  const auto k = static_cast<std::size_t>(data.num_classes());
  if (answer.labels.empty() &&
      answer.codes.empty()) {  // the most probable class, ties to the lower index
    for (std::size_t i = 0; i < n_rows; ++i) {
      const auto row = answer.probabilities.begin() + static_cast<std::ptrdiff_t>(i * k);
      labels[i] = static_cast<std::int32_t>(
          std::max_element(row, row + static_cast<std::ptrdiff_t>(k)) - row);
    }
    return labels;
  }
  const std::size_t n_labels = std::max(answer.labels.size(), answer.codes.size());
  if (n_labels != n_rows) {
    RefuseAnswer(std::to_string(n_labels) + " labels for " + std::to_string(n_rows) + " rows");
  }
  const ClassPlaces places = PlacesOfClasses(data);
  std::vector<std::int32_t> class_of(answer.names.size(), -1);  // known once it is needed
  for (std::size_t i = 0; i < n_rows; ++i) {
    if (answer.codes.empty()) {
      labels[i] = ClassOf(answer.labels[i], places);
      continue;
    }
    const auto code = static_cast<std::size_t>(answer.codes[i]);
    if (class_of[code] < 0) class_of[code] = ClassOf(answer.names[code], places);
    labels[i] = class_of[code];
  }
  return labels;
}

// For the rows of `view`, with the task and the classes of `trained`.
Prediction Checked(Answer answer, const DataView& view, const Dataset& trained) {
  if (trained.task() == Task::kNone) RefuseAnswer("the dataset has no target");
  const auto n = static_cast<std::size_t>(view.num_rows());
  Prediction p;
  for (std::int64_t i = 0; i < view.num_rows(); ++i) p.rows.push_back(view.row_id(i));
  if (trained.task() == Task::kRegression) {
    if (answer.values.size() != n) {
      RefuseAnswer(std::to_string(answer.values.size()) + " values for " + std::to_string(n) +
                   " rows");
    }
    if (!std::all_of(answer.values.begin(), answer.values.end(),
                     [](double v) { return std::isfinite(v); })) {
      RefuseAnswer("a value is not finite");
    }
    p.values = std::move(answer.values);
    return p;
  }
  p.n_classes = trained.num_classes();
  if (!answer.probabilities.empty() || (answer.labels.empty() && answer.codes.empty())) {
    CheckProbabilities(answer, n, static_cast<std::size_t>(p.n_classes));
  }
  p.labels = LabelsOf(answer, trained, n);
  p.probabilities = std::move(answer.probabilities);
  return p;
}

// native.prediction(data, {labels =} or {values =} or {probabilities =} or prediction [, trained]):
// a checked prediction for the rows of `data`. `trained` is the dataset whose classes are meant.
// The new one gets the intervals or sets of a prediction.
int MakePrediction(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  const PredictionHandle* const like = ToPrediction(L, 2);
  if (like == nullptr) luaL_checktype(L, 2, LUA_TTABLE);
  const DataHandle& trained = lua_isnoneornil(L, 3) ? data : CheckData(L, 3);
  auto* answer = NewOwned<Answer>(L);
  if (like == nullptr) ReadAnswer(L, *answer);
  return RunAndPush(L, [&] {
    if (like != nullptr) CopyAnswer(*like, *answer);
    PredictionHandle made;
    made.prediction = std::make_shared<const Prediction>(
        Checked(std::move(*answer), data.view, *trained.view.data));
    made.data = trained.view.data;
    if (!data.target_hidden) made.truth = data.view.data;
    if (like != nullptr) made.regions = like->regions;
    return made;
  });
}

}  // namespace

void OpenPredictions(lua_State* L) {
  RegisterType<PredictionHandle>(L, {{"row_ids", PredictionRowIds},
                                     {"labels", Labels},
                                     {"values", Values},
                                     {"probabilities", Probabilities},
                                     {"scores", Scores},
                                     {"truth", Truth},
                                     {"classes", Native<PredictionClasses>},
                                     {"intervals", PredictionIntervals},
                                     {"sets", PredictionSets},
                                     {"guarantee", PredictionGuarantee},
                                     {"__len", Native<PredictionNumRows>},
                                     {"__tostring", Native<PredictionToString>}});
  AddFunctions(L, {{"score", ScoreOne},
                   {"row_scores", RowScoresOf},
                   {"clipped_rows", ClippedRowsOf},
                   {"perfect", Native<Perfect>},
                   {"pool", PoolAll},
                   {"confusion", Confusion},
                   {"add_prediction_method", AddPredictionMethod},
                   {"predicted_data", Native<PredictedData>},
                   {"prediction", MakePrediction}});
  lua_pushnumber(L, CF_PROBABILITY_TOLERANCE);
  lua_setfield(L, -2, "probability_tolerance");
}

}  // namespace crossfold::lua
