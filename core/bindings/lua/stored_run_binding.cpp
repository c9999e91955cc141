// Functions for scripts to read runs of a store: the findings of experiments, and their cells.
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/run_settings.h"
#include "bindings/lua/session.h"
#include "bindings/lua/stored_cells_binding.h"
#include "crossfold/json_value.h"
#include "crossfold/store_findings.h"
#include "crossfold/store_ledger.h"

namespace crossfold::lua {
namespace {

constexpr char kLedgerName[] = "crossfold.Ledger";

struct LedgerHandle {
  std::unique_ptr<Ledger> ledger;  // null = closed
  std::int64_t run = 0;
};

using FoundEntries = std::vector<LedgerEntry>;

LedgerHandle& CheckLedger(lua_State* L) {
  auto& handle = CheckOwned<LedgerHandle>(L, 1, kLedgerName);
  luaL_argcheck(L, handle.ledger != nullptr, 1, "it is closed");
  return handle;
}

void ReadFindings(lua_State* L, int index, std::vector<Finding>& out) {
  luaL_checktype(L, index, LUA_TTABLE);
  const lua_Integer n = luaL_len(L, index);
  Try(L, [&] { out.resize(static_cast<std::size_t>(n)); });
  for (lua_Integer i = 1; i <= n; ++i) {
    Finding& finding = out[static_cast<std::size_t>(i - 1)];
    lua_geti(L, index, i);
    const int one = lua_gettop(L);
    luaL_checktype(L, one, LUA_TTABLE);
    ReadStringField(L, one, "kind", finding.kind);
    ReadStringField(L, one, "name", finding.name);
    ReadStringField(L, one, "body", finding.body);
    if (lua_getfield(L, one, "splits") != LUA_TNIL) {
      finding.splits = CheckSplits(L, lua_gettop(L)).plan;
    }
    lua_settop(L, one - 1);
  }
}

// native.record_findings(how, experiment, { { kind =, name =, body =, splits = }, ... }): records
// what an experiment found in the store of `how`; experiment 0 begins the next one. Returns its
// number; nil if nothing is kept.
int NoteFindings(lua_State* L) {
  lua_settop(L, 3);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 1, session, *settings);
  if (settings->store.empty()) return 0;
  std::int64_t number = luaL_checkinteger(L, 2);
  auto* findings = NewOwned<std::vector<Finding>>(L);
  ReadFindings(L, 3, *findings);
  bool kept = false;
  Try(L, [&] {
    const std::shared_ptr<CellStore> store = session.engine().StoreFor(*settings);
    kept = store != nullptr;
    if (kept) number = RecordFindings(*store, number, *findings);
  });
  if (!kept) return 0;
  lua_pushinteger(L, number);
  return 1;
}

// The largest number of an opening of the lockbox in a store; 0 = it has none.
std::int64_t LastOpening(const std::string& store, const std::string& lockbox) {
  if (!std::filesystem::exists(store)) return 0;
  const Ledger ledger(store);
  std::int64_t last = 0;
  std::vector<std::string> damaged;
  for (const StoredRun& run : ledger.runs()) {
    for (const Finding& finding : ledger.Findings(run.number, damaged)) {
      if (finding.kind != kLockboxFinding || !finding.name.starts_with(lockbox + " ")) continue;
      const char* digits = finding.name.data() + lockbox.size() + 1;
      std::int64_t number = 0;
      std::from_chars(digits, finding.name.data() + finding.name.size(), number);
      last = std::max(last, number);
    }
  }
  return last;
}

// native.stored_openings(how, id of a lockbox): the number of its last opening in the store of
// `how`, and the store; 0 = there is none.
int LastStoredOpening(lua_State* L) {
  lua_settop(L, 2);
  std::size_t size = 0;
  const char* id = luaL_checklstring(L, 2, &size);
  Session& session = GetSession(L);
  auto* settings = NewOwned<RunSettings>(L);
  ReadRunSettings(L, 1, session, *settings);
  std::int64_t last = 0;
  Try(L, [&] {
    if (settings->store.empty()) return;
    session.files.CheckRead(settings->store);
    session.engines.Flush();
    last = LastOpening(settings->store, std::string(id, size));
  });
  lua_pushinteger(L, last);
  PushText(L, settings->store);
  return 2;
}

void PushRunRecord(lua_State* L, const StoredRun& run) {
  lua_createtable(L, 0, 8);
  SetInteger(L, "run", run.number);
  SetText(L, "started", run.started);
  SetText(L, "crossfold", run.crossfold);
  SetText(L, "script", run.script);
  SetText(L, "script_text", run.script_text);
  PushTexts(L, run.arguments);
  lua_setfield(L, -2, "arguments");
  SetInteger(L, "seed", static_cast<std::int64_t>(run.seed));
  SetFlag(L, "finished", run.finished);
}

// native.open_ledger(path, run): the store for reading, and its record of the run; 0 = the last one
// with results.
int OpenLedger(lua_State* L) {
  std::size_t size = 0;
  const char* path = luaL_checklstring(L, 1, &size);
  const lua_Integer run = luaL_checkinteger(L, 2);
  Session& session = GetSession(L);
  auto* record = NewOwned<StoredRun>(L);
  auto* handle = NewOwned<LedgerHandle>(L);
  Try(L, [&] {
    session.files.CheckRead(std::string(path, size));
    session.engines.Flush();
    handle->ledger = std::make_unique<Ledger>(std::string(path, size));
    *record = handle->ledger->Choose(run == 0 ? handle->ledger->LastWithResults() : run);
    handle->run = record->number;
  });
  PushRunRecord(L, *record);
  return 2;
}

int CloseLedger(lua_State* L) {
  auto& handle = CheckOwned<LedgerHandle>(L, 1, kLedgerName);
  handle.ledger.reset();
  return 0;
}

void PushJsonValue(lua_State* L, const JsonValue& json);

void PushList(lua_State* L, const JsonList& list) {
  lua_createtable(L, static_cast<int>(list.size()), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    PushJsonValue(L, list[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

void PushObject(lua_State* L, const JsonObject& object) {
  lua_createtable(L, 0, static_cast<int>(object.size()));
  for (const JsonMember& member : object) {
    PushText(L, member.name);
    PushJsonValue(L, member.value);
    lua_rawset(L, -3);
  }
}

// The maximum depth of ReadJson.
void PushJsonValue(lua_State* L, const JsonValue& json) {
  luaL_checkstack(L, 4, "a finding is nested too deeply");
  const auto& value = json.value;
  if (const auto* flag = std::get_if<bool>(&value)) {
    lua_pushboolean(L, *flag ? 1 : 0);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    lua_pushinteger(L, *integer);
  } else if (const auto* large = std::get_if<std::uint64_t>(&value)) {
    lua_pushnumber(L, static_cast<lua_Number>(*large));
  } else if (const auto* number = std::get_if<double>(&value)) {
    lua_pushnumber(L, *number);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    PushText(L, *text);
  } else if (const auto* list = std::get_if<JsonList>(&value)) {
    PushList(L, *list);
  } else if (const auto* object = std::get_if<JsonObject>(&value)) {
    PushObject(L, *object);
  } else {
    PushNull(L);
  }
}

void SetSplits(lua_State* L, const std::shared_ptr<const SplitPlan>& splits) {
  if (splits == nullptr) return;
  NewOwned<SplitsHandle>(L)->plan = splits;
  lua_setfield(L, -2, "splits");
}

void SetData(lua_State* L, const std::shared_ptr<const Dataset>& data) {
  if (data == nullptr) return;
  NewOwned<DataHandle>(L)->view.data = data;
  lua_setfield(L, -2, "data");
}

// ledger:findings(): { { experiment =, kind =, name =, body = its JSON as values, splits =, data =
// }, ... }, and the names of what is damaged. cf.null means null.
int Findings(lua_State* L) {
  const LedgerHandle& handle = CheckLedger(L);
  auto* findings = NewOwned<std::vector<Finding>>(L);
  auto* bodies = NewOwned<std::vector<JsonValue>>(L);
  auto* damaged = NewOwned<std::vector<std::string>>(L);
  Try(L, [&] {
    for (Finding& finding : handle.ledger->Findings(handle.run, *damaged)) {
      try {
        bodies->push_back(ReadJson(finding.body));
        finding.body.clear();
        findings->push_back(std::move(finding));
      } catch (const Error& e) {
        if (e.kind() != ErrorKind::kBadData) throw;
        damaged->push_back("what experiment " + std::to_string(finding.experiment) + " noted (" +
                           finding.kind + "): " + e.what());
      }
    }
  });
  lua_createtable(L, static_cast<int>(findings->size()), 0);
  for (std::size_t i = 0; i < findings->size(); ++i) {
    const Finding& finding = (*findings)[i];
    lua_createtable(L, 0, 6);
    SetInteger(L, "experiment", finding.experiment);
    SetText(L, "kind", finding.kind);
    SetText(L, "name", finding.name);
    PushJsonValue(L, (*bodies)[i]);
    lua_setfield(L, -2, "body");
    SetSplits(L, finding.splits);
    if (finding.splits) {
      NewOwned<DataHandle>(L)->view = finding.splits->view();
      lua_setfield(L, -2, "data");
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  PushTexts(L, *damaged);
  return 2;
}

void PushScores(lua_State* L, const LedgerEntry& entry) {
  lua_createtable(L, 0, static_cast<int>(entry.scores.size()));  // values
  lua_newtable(L);                                               // reasons
  for (const auto& [text, score] : entry.scores) {
    PushText(L, text);
    if (score.defined) {
      lua_pushnumber(L, score.value);
      lua_rawset(L, -4);
    } else {
      PushText(L, score.undefined);
      lua_rawset(L, -3);
    }
  }
  lua_setfield(L, -3, "reasons");
  lua_setfield(L, -2, "scores");
  lua_createtable(L, static_cast<int>(entry.scores.size()), 0);
  for (std::size_t m = 0; m < entry.scores.size(); ++m) {
    PushText(L, entry.scores[m].first);
    lua_rawseti(L, -2, static_cast<lua_Integer>(m + 1));
  }
  lua_setfield(L, -2, "metric_names");
}

// The prediction goes to Lua.
void SetPrediction(lua_State* L, LedgerEntry& entry) {
  if (!entry.has_prediction) return;
  auto* handle = NewOwned<PredictionHandle>(L);
  Try(L, [&] {
    handle->prediction = std::make_shared<const Prediction>(std::move(entry.outcome.prediction));
    handle->data = handle->truth = entry.data;
  });
  lua_setfield(L, -2, "prediction");
}

// Sets the fields finished, ok, failure, n_train, n_test, fit_s, predict_s, warnings, scores = {
// metric = value }, reasons = { metric = text } by the text of each metric, metric_names,
// damaged_scores = count and prediction.
void SetOutcome(lua_State* L, LedgerEntry& entry) {
  const Outcome& outcome = entry.outcome;
  SetFlag(L, "finished", entry.finished);
  if (!entry.finished) return;
  SetFlag(L, "ok", outcome.status == OutcomeStatus::kOk);
  if (outcome.status != OutcomeStatus::kOk) {
    PushFailure(L, outcome.failure);
    lua_setfield(L, -2, "failure");
  }
  SetInteger(L, "n_train", outcome.n_train);
  SetInteger(L, "n_test", outcome.n_test);
  SetNumber(L, "fit_s", outcome.fit_s);
  SetNumber(L, "predict_s", outcome.predict_s);
  PushTexts(L, outcome.warnings);
  lua_setfield(L, -2, "warnings");
  PushScores(L, entry);
  SetInteger(L, "damaged_scores", entry.damaged_scores);
  SetPrediction(L, entry);
}

// Pushes { learner =, dataset =, candidate =, occurrence =, repeat_ =, fold =, data =, splits = }
// with the fields of SetOutcome.
void PushLedgerEntry(lua_State* L, LedgerEntry& entry) {
  lua_createtable(L, 0, 20);
  SetText(L, "learner", entry.learner);
  SetText(L, "dataset", entry.dataset);
  SetText(L, "candidate", entry.candidate);
  SetInteger(L, "occurrence", entry.occurrence + 1);
  SetInteger(L, "repeat_", entry.repeat + 1);
  SetInteger(L, "fold", entry.fold + 1);
  SetData(L, entry.data);
  SetSplits(L, entry.splits);
  SetOutcome(L, entry);
}

Keep ReadLedgerKeep(lua_State* L, int index) {
  std::string* name = NewOwned<std::string>(L);
  ReadStringField(L, index, "keep", *name);
  const Keep keep = *name == "none"            ? Keep::kNothing
                    : *name == "probabilities" ? Keep::kProbabilities
                                               : Keep::kLabels;
  lua_pop(L, 1);
  return keep;
}

void ReadIntegerList(lua_State* L, int index, const char* name, std::vector<std::int64_t>& out) {
  lua_getfield(L, index, name);
  ReadIntegers(L, lua_gettop(L), name, out);
  lua_pop(L, 1);
}

// Fields repeats and folds: those of each split, from 1.
void ReadPlaces(lua_State* L, int index, LedgerQuery& query) {
  auto* repeats = NewOwned<std::vector<std::int64_t>>(L);
  auto* folds = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegerList(L, index, "repeats", *repeats);
  ReadIntegerList(L, index, "folds", *folds);
  lua_getfield(L, index, "keys");
  ReadStrings(L, lua_gettop(L), "keys", query.learner_keys);
  if (folds->size() != repeats->size() || query.learner_keys.size() != repeats->size()) {
    Raise(L, "repeats, folds and keys must be lists of one length");
  }
  if (query.splits && static_cast<std::size_t>(query.splits->size()) < repeats->size()) {
    Raise(L, "there are more folds than splits");
  }
  Try(L, [&] {
    for (std::size_t i = 0; i < repeats->size(); ++i) {
      query.places.emplace_back((*repeats)[i] - 1, (*folds)[i] - 1);
    }
  });
  lua_pop(L, 3);
}

// ledger:cells{ learner =, dataset =, splits =, seed =, probabilities =, keep =, repeats =, folds
// =, keys = }: what the store has of each split, by its number (see stored_cells_binding.h), and
// the names of what is damaged. keys[s] is the learner_key of what ran on split s; "" = look for
// nothing.
int Cells(lua_State* L) {
  const LedgerHandle& handle = CheckLedger(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  auto* query = NewOwned<LedgerQuery>(L);
  query->run = handle.run;
  ReadStringField(L, 2, "learner", query->learner);
  ReadStringField(L, 2, "dataset", query->dataset);
  lua_getfield(L, 2, "seed");
  query->seed = static_cast<std::uint64_t>(luaL_checkinteger(L, -1));
  lua_getfield(L, 2, "probabilities");
  query->probabilities = lua_toboolean(L, -1) != 0;
  if (lua_getfield(L, 2, "splits") != LUA_TNIL) {
    query->splits = CheckSplits(L, lua_gettop(L)).plan;
  }
  ReadPlaces(L, 2, *query);
  const Keep keep = ReadLedgerKeep(L, 2);
  auto* damaged = NewOwned<std::vector<std::string>>(L);
  auto* cells = NewOwned<StoredCellsHandle>(L);
  cells->keep = keep;
  Try(L, [&] {
    cells->cells = std::make_unique<StoredCells>(handle.ledger->Cells(*query, *damaged));
  });
  PushTexts(L, *damaged);
  return 2;
}

int PushEntries(lua_State* L, FoundEntries& found, const std::vector<std::string>& damaged) {
  lua_createtable(L, static_cast<int>(found.size()), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    PushLedgerEntry(L, found[i]);
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
  PushTexts(L, damaged);
  return 2;
}

// ledger:composed(learner, dataset): the folds that the script combined, and what is damaged.
int Composed(lua_State* L) {
  const LedgerHandle& handle = CheckLedger(L);
  std::size_t n_learner = 0, n_dataset = 0;
  const char* learner = luaL_checklstring(L, 2, &n_learner);
  const char* dataset = luaL_checklstring(L, 3, &n_dataset);
  auto* found = NewOwned<FoundEntries>(L);
  auto* damaged = NewOwned<std::vector<std::string>>(L);
  Try(L, [&] {
    *damaged = handle.ledger->VisitComposed(
        handle.run, std::string(learner, n_learner), std::string(dataset, n_dataset),
        [&](const LedgerEntry& entry) { found->push_back(entry); });
  });
  return PushEntries(L, *found, *damaged);
}

// ledger:entries(): all outer cells of the run, and what is damaged.
int Entries(lua_State* L) {
  const LedgerHandle& handle = CheckLedger(L);
  auto* found = NewOwned<FoundEntries>(L);
  auto* damaged = NewOwned<std::vector<std::string>>(L);
  Try(L, [&] {
    *damaged = handle.ledger->Visit(handle.run, LedgerPart::kOuter,
                                    [&](const LedgerEntry& entry) { found->push_back(entry); });
  });
  return PushEntries(L, *found, *damaged);
}

std::shared_ptr<const SplitPlan> JoinPlans(
    const std::vector<std::shared_ptr<const SplitPlan>>& parts) {
  const SplitPlan& first = *parts.front();
  std::vector<Partition> partitions;
  std::vector<SplitRows> rows;
  for (const auto& part : parts) {
    partitions.insert(partitions.end(), part->partitions().begin(), part->partitions().end());
    for (std::int64_t s = 0; part->partitions().empty() && s < part->size(); ++s) {
      rows.push_back(part->Rows(s));
    }
  }
  if (rows.empty()) return SplitPlan::FromPartitions(first.view(), std::move(partitions));
  return SplitPlan::FromRows(first.view().data, std::move(rows));
}

// native.join_splits{ splits, ... }: splits of single repeats, or single lists, of the same rows as
// one value.
int JoinSplits(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const lua_Integer n = luaL_len(L, 1);
  luaL_argcheck(L, n > 0, 1, "there are no splits");
  auto* parts = NewOwned<std::vector<std::shared_ptr<const SplitPlan>>>(L);
  for (lua_Integer i = 1; i <= n; ++i) {
    lua_geti(L, 1, i);
    const SplitsHandle& part = CheckSplits(L, lua_gettop(L));
    Try(L, [&] { parts->push_back(part.plan); });
    lua_pop(L, 1);
  }
  auto* handle = NewOwned<SplitsHandle>(L);
  Try(L, [&] { handle->plan = JoinPlans(*parts); });
  return 1;
}

// native.learner_key(learner): its key in stores.
int LearnerKeyOf(lua_State* L) {
  const PipelineHandle& learner = CheckPipeline(L, 1);
  auto* key = NewOwned<std::string>(L);
  Try(L, [&] { *key = StoredLearnerKey(*learner.pipeline); });
  PushText(L, *key);
  return 1;
}

// native.metric_key(metric)
int MetricKeyOf(lua_State* L) {
  const SpecHandle& metric = CheckSpec(L, 1);
  auto* key = NewOwned<std::string>(L);
  Try(L, [&] { *key = StoredMetricKey(*metric.spec); });
  PushText(L, *key);
  return 1;
}

}  // namespace

void OpenStoredRuns(lua_State* L) {
  static constexpr luaL_Reg kMethods[] = {{"cells", Cells},       {"close", CloseLedger},
                                          {"composed", Composed}, {"entries", Entries},
                                          {"findings", Findings}, {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {{"__close", CloseLedger}, {nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {{"join_splits", JoinSplits},
                                            {"learner_key", LearnerKeyOf},
                                            {"metric_key", MetricKeyOf},
                                            {"open_ledger", OpenLedger},
                                            {"record_findings", NoteFindings},
                                            {"stored_openings", LastStoredOpening},
                                            {"stored_openings", LastStoredOpening},
                                            {nullptr, nullptr}};
  RegisterType<LedgerHandle>(L, kLedgerName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
