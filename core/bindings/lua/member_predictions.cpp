// The predictions of an ensemble's members as arrays: their votes, and the columns that a combiner
// learns from.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/error.h"

namespace crossfold::lua {
namespace {

// Sums over the members of an ensemble.
struct Votes {
  static constexpr char kName[] = "crossfold.Votes";
  DataHandle rows, trained;
  bool votes_by_label = false;
  std::vector<double> sums;  // rows x classes, or one per row in regression
  double total = 0;          // of the weights
};

// The place among the classes of `data` of each class of `p`; -1 = it is not there.
std::vector<std::int32_t> ClassesIn(const Dataset& data, const PredictionHandle& p) {
  const ClassPlaces place_of = PlacesOfClasses(data);
  std::vector<std::int32_t> places;
  for (const std::string& name : p.class_names()) {
    const auto found = place_of.find(name);
    places.push_back(found == place_of.end() ? -1 : found->second);
  }
  return places;
}

// Reports arrays that were used and can go: the collector knows nothing of arrays in C++.
void TellCollector(lua_State* L, const Prediction& p) {
  constexpr std::size_t kKilobyte = 1024, kMost = 1 << 20;
  const std::size_t bytes = p.probabilities.size() * sizeof(double) +
                            p.values.size() * sizeof(double) +
                            p.labels.size() * sizeof(std::int32_t) + p.rows.size() * 8;
  lua_gc(L, LUA_GCSTEP, static_cast<int>(std::min(bytes / kKilobyte, kMost)));
}

// native.votes(rows, data, by_label): no votes yet for `rows`, of an ensemble that was trained on
// `data`.
Votes MakeVotes(const DataHandle& rows, const DataHandle& data, bool by_label) {
  const auto n = static_cast<std::size_t>(rows.view.num_rows());
  const auto k = static_cast<std::size_t>(data.view.data->num_classes());
  return {rows, data, by_label, std::vector<double>(n * std::max<std::size_t>(k, 1))};
}

void AddLabels(const PredictionHandle& from, double weight, Votes& votes) {
  const std::vector<std::int32_t> class_of = ClassesIn(*votes.trained.view.data, from);
  const auto k = static_cast<std::size_t>(votes.trained.view.data->num_classes());
  const std::vector<std::int32_t>& labels = from.prediction->labels;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::int32_t c = class_of[static_cast<std::size_t>(labels[i])];
    if (c >= 0) votes.sums[i * k + static_cast<std::size_t>(c)] += weight;
  }
}

// votes:add(prediction, weight): false if it has no probabilities and they are wanted.
int AddVotes(lua_State* L) {
  auto& votes = CheckOwned<Votes>(L, 1);
  const PredictionHandle& from = CheckPrediction(L, 2);
  const double weight = luaL_checknumber(L, 3);
  const Prediction& p = *from.prediction;
  const auto n = static_cast<std::size_t>(votes.rows.view.num_rows());
  luaL_argcheck(L, p.rows.size() == n, 2, "a prediction for these rows is expected");
  const bool classifies = votes.trained.view.data->num_classes() > 0;
  if (classifies && votes.votes_by_label) {
    Try(L, [&] { AddLabels(from, weight, votes); });
  } else {
    const std::vector<double>& terms = classifies ? p.probabilities : p.values;
    if (terms.size() != votes.sums.size()) {
      lua_pushboolean(L, 0);
      return 1;
    }
    for (std::size_t i = 0; i < terms.size(); ++i) votes.sums[i] += weight * terms[i];
  }
  votes.total += weight;
  TellCollector(L, p);
  lua_pushboolean(L, 1);
  return 1;
}

// The sums over the total. Equal sums go to the lower class.
Prediction JointOf(Votes& votes) {
  Prediction p;
  const DataView& view = votes.rows.view;
  const auto n = static_cast<std::size_t>(view.num_rows());
  for (std::int64_t i = 0; i < view.num_rows(); ++i) p.rows.push_back(view.row_id(i));
  p.n_classes = votes.trained.view.data->num_classes();
  const auto k = static_cast<std::size_t>(p.n_classes);
  for (std::size_t i = 0; k > 0 && i < n; ++i) {
    const double* const row = votes.sums.data() + i * k;
    p.labels.push_back(static_cast<std::int32_t>(std::max_element(row, row + k) - row));
  }
  for (double& sum : votes.sums) sum /= votes.total;
  (k > 0 ? p.probabilities : p.values) = std::move(votes.sums);
  return p;
}

// votes:prediction(): their joint prediction. The votes are gone then.
PredictionHandle JointPrediction(Votes& votes) {
  PredictionHandle handle;
  handle.prediction = std::make_shared<const Prediction>(JointOf(votes));
  handle.data = votes.trained.view.data;
  if (!votes.rows.target_hidden) handle.truth = votes.rows.view.data;
  return handle;
}

// Where the answers for the rows of a view are: the prediction, and the place in it.
struct AnswerPlace {
  std::int32_t prediction = -1;
  std::size_t row = 0;
};

// Each row of the view is in one of the predictions.
std::vector<AnswerPlace> FindAnswers(const DataView& view,
                                     const std::vector<PredictionHandle*>& parts) {
  std::vector<AnswerPlace> by_id(static_cast<std::size_t>(view.data->num_rows())), places;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::vector<std::int64_t>& rows = parts[p]->prediction->rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      AnswerPlace& place = by_id[static_cast<std::size_t>(rows[i])];
      if (place.prediction >= 0 && place.prediction != static_cast<std::int32_t>(p)) {
        throw Error(
            ErrorKind::kInvalidArgument,
            "stacking: the splitter tests row " + std::to_string(rows[i] + 1) + " more than once");
      }
      place = {static_cast<std::int32_t>(p), i};
    }
  }
  for (std::int64_t i = 0; i < view.num_rows(); ++i) {
    places.push_back(by_id[static_cast<std::size_t>(view.row_id(i))]);
    if (places.back().prediction >= 0) continue;
    throw Error(ErrorKind::kInvalidArgument, "stacking: the splitter never tests row " +
                                                 std::to_string(view.row_id(i) + 1) +
                                                 ", so it has no out-of-fold prediction");
  }
  return places;
}

// The answers of classifiers as numbers of labels, from 1.
void ReadLabels(const std::vector<PredictionHandle*>& parts, const std::vector<AnswerPlace>& places,
                const Dataset& trained, std::vector<double>& out) {
  std::vector<std::vector<std::int32_t>> class_of;
  for (const PredictionHandle* part : parts) class_of.push_back(ClassesIn(trained, *part));
  for (const AnswerPlace& place : places) {
    const auto part = static_cast<std::size_t>(place.prediction);
    const auto label = static_cast<std::size_t>(parts[part]->prediction->labels[place.row]);
    out.push_back(class_of[part][label] + 1);
  }
}

// Column c of the answers: a value, or the probability of class c.
void AppendColumn(const std::vector<PredictionHandle*>& parts,
                  const std::vector<AnswerPlace>& places, std::size_t n_classes, std::size_t c,
                  std::vector<double>& out) {
  for (const AnswerPlace& place : places) {
    const Prediction& p = *parts[static_cast<std::size_t>(place.prediction)]->prediction;
    out.push_back(n_classes == 0 ? p.values[place.row]
                                 : p.probabilities[place.row * n_classes + c]);
  }
}

bool HasAnswers(const Prediction& p, std::size_t n_classes, bool by_label) {
  if (n_classes == 0) return p.values.size() == p.rows.size();
  if (by_label) return p.labels.size() == p.rows.size();
  return p.probabilities.size() == p.rows.size() * n_classes;
}

// native.member_answers(rows, {prediction, ...}, data, by_label, in_order): the answers for `rows`
// of one member that was trained on `data`, as a list of arrays: one per class with its
// probabilities, or a single one. nil if a prediction lacks them. `in_order`: there is one
// prediction, for `rows` as they come; otherwise each row is in one of the predictions.
int MemberAnswers(lua_State* L) {
  const DataHandle& rows = CheckData(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  const Dataset& trained = *CheckData(L, 3).view.data;
  const bool by_label = lua_toboolean(L, 4) != 0, in_order = lua_toboolean(L, 5) != 0;
  const auto k = static_cast<std::size_t>(trained.num_classes());
  auto* parts = NewOwned<std::vector<PredictionHandle*>>(L);  // the table at 2 keeps them
  for (lua_Integer i = 1; i <= luaL_len(L, 2); ++i) {
    lua_geti(L, 2, i);
    PredictionHandle& part = CheckPrediction(L, lua_gettop(L));
    lua_pop(L, 1);
    if (!HasAnswers(*part.prediction, k, by_label)) return 0;
    Try(L, [&] { parts->push_back(&part); });
  }
  auto* places = NewOwned<std::vector<AnswerPlace>>(L);
  const auto n = static_cast<std::size_t>(rows.view.num_rows());
  luaL_argcheck(L,
                !in_order || (parts->size() == 1 && parts->front()->prediction->rows.size() == n),
                2, "one prediction for these rows is expected");
  Try(L, [&] {
    if (!in_order) *places = FindAnswers(rows.view, *parts);
    for (std::size_t i = 0; in_order && i < n; ++i) places->push_back({0, i});
  });
  const std::size_t n_columns = k > 0 && !by_label ? k : 1;
  lua_createtable(L, static_cast<int>(n_columns), 0);
  for (std::size_t c = 0; c < n_columns; ++c) {
    auto* array = NewOwned<NumberArray>(L);
    Try(L, [&] {
      if (k > 0 && by_label) {
        ReadLabels(*parts, *places, trained, array->numbers);
      } else {
        AppendColumn(*parts, *places, k, c, array->numbers);
      }
    });
    lua_rawseti(L, -2, static_cast<lua_Integer>(c + 1));
  }
  return 1;
}

}  // namespace

void OpenMemberPredictions(lua_State* L) {
  RegisterType<Votes>(L, {{"add", AddVotes}, {"prediction", Native<JointPrediction>}});
  AddFunctions(L, {{"votes", Native<MakeVotes>}, {"member_answers", MemberAnswers}});
}

}  // namespace crossfold::lua
