#include "bindings/lua/planning.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "bindings/lua/native.h"
#include "crossfold/table.h"
#include "engine/data/worker_threads.h"
#include "engine/plan/kept_predictions.h"
#include "engine/text/format_number.h"
#include "experiment/work_plan.h"

namespace crossfold::lua {
namespace {

char planned_key;  // its address is the registry key

std::uint64_t BytesOf(const Planning& planning, const Session& session) {
  const std::uint64_t structures = session.shared ? session.shared->used() : 0;
  return planning.plan.prediction_bytes + planning.plan.pass_bytes + structures;
}

std::uint64_t FitsAsked(const Planning& planning) {
  return planning.plan.fits_asked + planning.lua_fits;
}

std::int64_t ToInteger(std::uint64_t n) { return static_cast<std::int64_t>(n); }

// "2 (knn on 'iris', knn on 'wine')"; a learner and a dataset may have several.
std::string StructuresText(const WorkPlan& plan) {
  std::string text = std::to_string(plan.structures.size());
  std::set<std::string> names;
  for (const PlannedStructure& one : plan.structures) {
    names.insert(one.learner + " on '" + one.data->name() + "'");
  }
  const char* between = " (";
  for (const std::string& name : names) {
    text += between + name;
    between = ", ";
  }
  return names.empty() ? text : text + ")";
}

std::string SecondsText(double seconds) {
  if (seconds < 120) return FormatFixed(seconds, seconds < 10 ? 2 : 0) + " s";
  if (seconds < 7200) return FormatFixed(seconds / 60, 0) + " min";
  return FormatFixed(seconds / 3600, 1) + " h";
}

std::string Text(const Planning& planning, const Session& session) {
  std::string text = "plan of ";
  for (std::size_t i = 0; i < planning.calls.size(); ++i) {
    text += (i == 0 ? "" : "; ") + planning.calls[i];
  }
  text += planning.at_most.empty() ? "\n" : ", at most\n";
  const WorkPlan& plan = planning.plan;
  const int workers = planning.workers;
  Table table{{"quantity", "amount"}, {}};
  const auto add = [&](const char* name, std::string amount) {
    table.rows.push_back({std::string(name), std::move(amount)});
  };
  add("fits asked", std::to_string(FitsAsked(planning)));
  add("fits done", std::to_string(plan.fits_done + planning.lua_fits));
  add("transform fits", std::to_string(plan.transform_fits));
  add("shared passes", std::to_string(plan.passes));
  add("shared structures", StructuresText(plan));
  add("estimated time", SecondsText(planning.seconds) + " with " + std::to_string(workers) +
                            (workers == 1 ? " worker" : " workers"));
  add("estimated memory",
      FormatFixed(static_cast<double>(BytesOf(planning, session)) / 1e6, 1) + " MB");
  text += ToText(table);
  for (const std::string& why : planning.at_most) text += "at most: " + why + "\n";
  if (planning.lua_fits > 0) {
    text += "not timed: " + std::to_string(planning.lua_fits) +
            " fits of learners written in Lua, and what they ask for; no store keeps these fits\n";
  }
  for (const std::string& name : planning.probe.probed()) text += "probed: " + name + "\n";
  return text;
}

std::string Json(const Planning& planning, const Session& session) {
  const WorkPlan& plan = planning.plan;
  Table table{{"fits_asked", "fits_done", "transform_fits", "lua_fits", "passes", "structures",
               "seconds", "workers", "bytes", "at_most"},
              {}};
  table.rows.push_back({ToInteger(FitsAsked(planning)),
                        ToInteger(plan.fits_done + planning.lua_fits),
                        ToInteger(plan.transform_fits), ToInteger(planning.lua_fits),
                        ToInteger(plan.passes), static_cast<std::int64_t>(plan.structures.size()),
                        planning.seconds, std::int64_t{planning.workers},
                        ToInteger(BytesOf(planning, session)), !planning.at_most.empty()});
  return ToJson(table);
}

void PushPlan(lua_State* L, const Planning& planning, const Session& session) {
  const WorkPlan& plan = planning.plan;
  PushTable(L, Field("fits_asked", FitsAsked(planning)),
            Field("fits_done", plan.fits_done + planning.lua_fits),
            Field("transform_fits", plan.transform_fits), Field("lua_fits", planning.lua_fits),
            Field("passes", plan.passes), Field("seconds", planning.seconds),
            Field("workers", planning.workers), Field("bytes", BytesOf(planning, session)),
            Field("at_most", !planning.at_most.empty()), Field("probed", planning.probe.probed()));
  SetList(L, "structures", plan.structures, [L](const PlannedStructure& one) {
    PushTable(L, Field("learner", one.learner), Field("dataset", one.data->name()),
              Field("rows", one.data->num_rows()));
  });
}

Planning& CheckPlanning(lua_State* L) {
  Session& session = GetSession(L);
  if (session.plans.empty()) Raise(L, "nothing is being planned");
  return *session.plans.back();
}

bool IsPlanning(const Session& session) { return !session.plans.empty(); }

// native.plan_begin(): what runs from here on is only counted, in a plan of its own.
void Begin(Session& session) { session.BeginPlan(); }

// native.plan_end(): ends what plan_begin began; returns the plan as a table.
int End(lua_State* L) {
  PushPlan(L, CheckPlanning(L), GetSession(L));
  GetSession(L).EndPlan();
  return 1;
}

// native.plan_count(): grows with everything that is counted.
int Count(lua_State* L) {
  lua_pushinteger(L, static_cast<lua_Integer>(FitsAsked(CheckPlanning(L))));
  return 1;
}

// The plan is for this call of the script.
void NoteCallOf(lua_State* L, Planning& planning, const char* name) {
  PushWhere(L);
  const char* where = lua_tostring(L, -1);
  Try(L, [&] {
    std::string at = where;
    if (at.ends_with(": ")) at.resize(at.size() - 2);
    planning.calls.push_back(at.empty() ? name : name + (" at " + at));
  });
  lua_pop(L, 1);
}

// native.end_call(name): a call of the script ends; in a plan, raises native.planned.
int EndCall(lua_State* L) {
  GetSession(L).engine().EndCall(L, luaL_checkstring(L, 1));
  return 0;
}

// native.note_at_most(why): there may be less to do than was asked for.
void NoteAtMost(Session& session, const char* why) { session.engine().NoteAtMost(why); }

// native.replace_lua_fit(data): the model to take instead of fitting a learner written in Lua; nil
// if it is to be fitted.
std::optional<ModelHandle> ReplaceLuaFit(Session& session, const DataView& view) {
  return session.engine().ReplaceLuaFit(view);
}

// Gives outcomes of cells that did not run: no failure, all scores 0.
void TakePlanned(OutcomeTable& outcomes) {
  outcomes.SetPlanned();
  std::size_t i = 0;
  const SplitPlan* splits = nullptr;
  std::vector<std::int64_t> tested;
  for (const CellBlock& block : outcomes.blocks()) {
    if (block.splits.get() != splits) {
      splits = block.splits.get();
      tested = TestSizes(*splits);
    }
    for (std::int64_t s = block.first; s < block.first + block.count; ++s, ++i) {
      Outcome outcome;
      outcome.status = OutcomeStatus::kOk;
      outcome.n_test = tested[static_cast<std::size_t>(s)];
      outcome.n_train = splits->partitions().empty() ? splits->min_train_rows()
                                                     : splits->view().num_rows() - outcome.n_test;
      outcomes.Take(i, std::move(outcome));
    }
  }
}

}  // namespace

std::string Planning::Run(const RunSettings& settings, OutcomeTable& outcomes) {
  AddCells(outcomes.blocks(), session.run_options(settings.workers));
  TakePlanned(outcomes);
  return "";
}

CrossPrediction Planning::CrossPredict(const RunSettings& settings, const CellBlock& block) {
  AddCells({&block, 1}, session.run_options(settings.workers));
  return {};
}

// The models know only their training data.
std::vector<FitAnswer> Planning::Fit(std::span<const FitJob> jobs, lua_Integer /*workers*/) {
  const RunOptions options = session.run_options();
  workers = options.workers > 0 ? options.workers : DefaultWorkers();
  plan.Add(PlanFits(jobs));
  seconds += probe.Seconds(jobs, options);
  std::vector<FitAnswer> answers(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) answers[i].handle.planned = jobs[i].train.data;
  return answers;
}

ModelHandle Planning::Fit(const FitJob& job, const FittedModel* /*start*/) {
  return Fit({&job, 1}, 0).front().handle;
}

std::optional<bool> Planning::TakeTask(const std::string& dataset, const std::string& learner) {
  ++costs[{dataset, learner}].tasks;
  return std::nullopt;
}

std::optional<ModelHandle> Planning::ReplaceLuaFit(const DataView& train) {
  ++lua_fits;
  ModelHandle handle;
  handle.planned = train.data;
  return handle;
}

void Planning::NoteAtMost(const std::string& why) { at_most.insert(why); }

void Planning::EndCall(lua_State* L, const char* name) {
  NoteCallOf(L, *this, name);
  PushPlanned(L);
  lua_error(L);
}

void Planning::AddCells(std::span<const CellBlock> blocks, const RunOptions& options) {
  workers = options.workers > 0 ? options.workers : DefaultWorkers();
  plan.Add(PlanRun(blocks, options));
  seconds += probe.Seconds(blocks, options);
  if (session.options.plan_costs) AddCosts(blocks, options);
}

void Planning::AddCosts(std::span<const CellBlock> blocks, const RunOptions& options) {
  std::map<std::pair<std::string, std::string>, std::vector<CellBlock>> by_learner;
  for (const CellBlock& block : blocks) {
    if (block.purpose == nullptr) continue;
    by_learner[{block.purpose->dataset, block.purpose->learner}].push_back(block);
  }
  RunOptions one = options;
  one.workers = 1;
  for (const auto& [names, cells] : by_learner) {
    Cost& cost = costs[names];
    cost.seconds += cost.probe.Seconds(cells, one);
    for (const CellBlock& block : cells) {
      cost.cells += block.count;
      if (!block.purpose->inner) cost.outer_cells += block.count;
    }
  }
}

std::shared_ptr<const Prediction> PlannedPrediction(const DataView& rows, const Dataset& trained) {
  auto made = std::make_shared<Prediction>();
  made->n_classes = trained.num_classes();
  const auto k = static_cast<std::size_t>(made->n_classes);
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    const std::int64_t id = rows.row_id(i);
    const auto at = static_cast<std::size_t>(id);
    made->rows.push_back(id);
    if (k == 0) {
      const bool known = at < rows.data->values().size();
      made->values.push_back(known ? rows.data->values()[at] : 0);
      continue;
    }
    const std::int32_t code = at < rows.data->labels().size() ? rows.data->labels()[at] : 0;
    const std::int32_t label = std::min(code, static_cast<std::int32_t>(k) - 1);
    made->labels.push_back(label);
    for (std::size_t c = 0; c < k; ++c) {
      made->probabilities.push_back(c == static_cast<std::size_t>(label) ? 1 : 0);
    }
  }
  return made;
}

std::shared_ptr<const Prediction> PlannedPrediction(const CellBlock& block, std::int64_t split) {
  const std::shared_ptr<const Dataset>& data = block.splits->view().data;
  auto rows = std::make_shared<const std::vector<std::int64_t>>(block.splits->TestRows(split));
  return PlannedPrediction({data, std::move(rows)}, *data);
}

void PushPlanned(lua_State* L) {
  PushErrorValue(L, &planned_key, "the work was planned, not done", "crossfold.Planned");
}

void OpenPlanning(lua_State* L) {
  AddFunctions(L, {{"planning", Native<IsPlanning>},
                   {"plan_begin", Native<Begin>},
                   {"plan_end", End},
                   {"plan_count", Count},
                   {"end_call", EndCall},
                   {"note_at_most", Native<NoteAtMost>},
                   {"replace_lua_fit", Native<ReplaceLuaFit>}});
  PushPlanned(L);
  lua_setfield(L, -2, "planned");
}

}  // namespace crossfold::lua

namespace crossfold {

std::string GetLuaPlan(lua_State* L, bool json) {
  const lua::Session* session = lua::FindSession(L);
  if (session == nullptr || session->plans.empty()) return "";
  const lua::Planning& planning = *session->plans.front();
  if (lua::FitsAsked(planning) == 0) return "";
  return json ? lua::Json(planning, *session) : lua::Text(planning, *session);
}

ShardCosts GetLuaPlanCosts(lua_State* L) {
  const lua::Session* session = lua::FindSession(L);
  ShardCosts costs;
  if (session == nullptr || session->plans.empty()) return costs;
  for (const auto& [names, cost] : session->plans.front()->costs) {
    if (cost.seconds > 0) {
      costs.seconds[names] = cost.seconds / static_cast<double>(cost.parts());
    }
  }
  return costs;
}

}  // namespace crossfold
