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

#include "bindings/lua/native.h"
#include "bindings/lua/run_settings.h"
#include "bindings/lua/stored_cells_binding.h"
#include "crossfold/json_value.h"
#include "crossfold/score.h"
#include "crossfold/store_findings.h"
#include "crossfold/store_ledger.h"

namespace crossfold::lua {
namespace {

struct LedgerHandle {
  static constexpr char kName[] = "crossfold.Ledger";
  std::unique_ptr<Ledger> ledger;  // null = closed
  std::int64_t run = 0;
};

void RequireOpen(const LedgerHandle& handle) {
  RequireArgument(handle.ledger != nullptr, 1, "it is closed");
}

LedgerHandle& CheckOpen(lua_State* L) {
  auto& handle = CheckOwned<LedgerHandle>(L, 1);
  Try(L, [&] { RequireOpen(handle); });
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
  int at = 1;
  const Settings how = Argument<Settings>::Read(L, at);
  if (how->store.empty()) return 0;
  std::int64_t number = luaL_checkinteger(L, 2);
  auto* findings = NewOwned<std::vector<Finding>>(L);
  ReadFindings(L, 3, *findings);
  return RunAndPush(L, [&]() -> std::optional<std::int64_t> {
    const std::shared_ptr<CellStore> store = session.engine().StoreFor(*how);
    if (store == nullptr) return std::nullopt;
    return RecordFindings(*store, number, *findings);
  });
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
std::tuple<std::int64_t, std::string> LastStoredOpening(Settings how, std::string_view id,
                                                        Session& session) {
  if (how->store.empty()) return {0, ""};
  session.files.CheckRead(how->store);
  session.engines.Flush();
  return {LastOpening(how->store, std::string(id)), how->store};
}

void PushRunRecord(lua_State* L, const StoredRun& run) {
  PushTable(L, Field("run", run.number), Field("started", run.started),
            Field("crossfold", run.crossfold), Field("script", run.script),
            Field("script_text", run.script_text), Field("arguments", run.arguments),
            Field("seed", static_cast<std::int64_t>(run.seed)), Field("finished", run.finished));
}

// native.open_ledger(path, run): the store for reading, and its record of the run; 0 = the last one
// with results.
int OpenLedger(lua_State* L) {
  const std::string_view path = CheckText(L, 1);
  const lua_Integer run = luaL_checkinteger(L, 2);
  Session& session = GetSession(L);
  auto* record = NewOwned<StoredRun>(L);
  auto* handle = NewOwned<LedgerHandle>(L);
  Try(L, [&] {
    session.files.CheckRead(std::string(path));
    session.engines.Flush();
    handle->ledger = std::make_unique<Ledger>(std::string(path));
    *record = handle->ledger->Choose(run == 0 ? handle->ledger->LastWithResults() : run);
    handle->run = record->number;
  });
  PushRunRecord(L, *record);
  return 2;
}

void CloseLedger(LedgerHandle& handle) { handle.ledger.reset(); }

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
  const LedgerHandle& handle = CheckOpen(L);
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
  auto body = bodies->begin();
  PushList(L, *findings, [&](const Finding& finding) {
    PushTable(L, Field("experiment", finding.experiment), Field("kind", finding.kind),
              Field("name", finding.name));
    PushJson(L, *body++);
    lua_setfield(L, -2, "body");
    SetSplits(L, finding.splits);
    if (finding.splits) {
      NewOwned<DataHandle>(L)->view = finding.splits->view();
      lua_setfield(L, -2, "data");
    }
  });
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
  SetList(L, "metric_names", entry.scores, [L](const auto& score) { PushText(L, score.first); });
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
  SetField(L, "finished", entry.finished);
  if (!entry.finished) return;
  const bool ok = outcome.status == OutcomeStatus::kOk;
  SetFields(L, Field("ok", ok), Field("n_train", outcome.n_train), Field("n_test", outcome.n_test),
            Field("fit_s", outcome.fit_s), Field("predict_s", outcome.predict_s),
            Field("warnings", outcome.warnings), Field("damaged_scores", entry.damaged_scores));
  if (!ok) {
    PushFailure(L, outcome.failure);
    lua_setfield(L, -2, "failure");
  }
  PushScores(L, entry);
  SetPrediction(L, entry);
}

// Pushes { learner =, dataset =, candidate =, occurrence =, repeat_ =, fold =, data =, splits = }
// with the fields of SetOutcome.
void PushLedgerEntry(lua_State* L, LedgerEntry& entry) {
  PushTable(L, Field("learner", entry.learner), Field("dataset", entry.dataset),
            Field("candidate", entry.candidate), Field("occurrence", entry.occurrence + 1),
            Field("repeat_", entry.repeat + 1), Field("fold", entry.fold + 1));
  SetData(L, entry.data);
  SetSplits(L, entry.splits);
  SetOutcome(L, entry);
}

Keep ReadLedgerKeep(lua_State* L, int index) {
  return FieldIs(L, index, "keep", "none")            ? Keep::kNothing
         : FieldIs(L, index, "keep", "probabilities") ? Keep::kProbabilities
                                                      : Keep::kLabels;
}

// Fields repeats and folds: those of each split, from 1.
void ReadPlaces(lua_State* L, int index, LedgerQuery& query) {
  auto* repeats = NewOwned<std::vector<std::int64_t>>(L);
  auto* folds = NewOwned<std::vector<std::int64_t>>(L);
  lua_getfield(L, index, "repeats");
  ReadIntegers(L, -1, "repeats", *repeats);
  lua_getfield(L, index, "folds");
  ReadIntegers(L, -1, "folds", *folds);
  lua_getfield(L, index, "keys");
  ReadStrings(L, -1, "keys", query.learner_keys);
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
  lua_pop(L, 5);
}

// ledger:cells{ learner =, dataset =, splits =, seed =, probabilities =, keep =, repeats =, folds
// =, keys = }: what the store has of each split, by its number (see stored_cells_binding.h), and
// the names of what is damaged. keys[s] is the learner_key of what ran on split s; "" = look for
// nothing.
int Cells(lua_State* L) {
  const LedgerHandle& handle = CheckOpen(L);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  auto* query = NewOwned<LedgerQuery>(L);
  query->run = handle.run;
  ReadStringField(L, 2, "learner", query->learner);
  ReadStringField(L, 2, "dataset", query->dataset);
  query->seed = static_cast<std::uint64_t>(IntegerField(L, 2, "seed"));
  query->probabilities = FlagField(L, 2, "probabilities");
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

struct FoundEntries {
  std::vector<LedgerEntry> entries;
  std::vector<std::string> damaged;
};

int PushFoundEntries(lua_State* L, FoundEntries& found) {
  PushList(L, found.entries, [L](LedgerEntry& entry) { PushLedgerEntry(L, entry); });
  PushTexts(L, found.damaged);
  return 2;
}

// ledger:composed(learner, dataset): the folds that the script combined, and what is damaged.
FoundEntries Composed(const LedgerHandle& handle, std::string_view learner,
                      std::string_view dataset) {
  RequireOpen(handle);
  FoundEntries found;
  found.damaged = handle.ledger->VisitComposed(
      handle.run, std::string(learner), std::string(dataset),
      [&](const LedgerEntry& entry) { found.entries.push_back(entry); });
  return found;
}

// ledger:entries(): all outer cells of the run, and what is damaged.
FoundEntries Entries(const LedgerHandle& handle) {
  RequireOpen(handle);
  FoundEntries found;
  found.damaged =
      handle.ledger->Visit(handle.run, LedgerPart::kOuter,
                           [&](const LedgerEntry& entry) { found.entries.push_back(entry); });
  return found;
}

// native.join_splits{ splits, ... }: splits of single repeats, or single lists, of the same rows as
// one value.
SplitsHandle JoinSplits(Handles<SplitsHandle> parts) {
  RequireArgument(!parts->empty(), 1, "there are no splits");
  const SplitPlan& first = *parts->front().plan;
  std::vector<Partition> partitions;
  std::vector<SplitRows> rows;
  for (const SplitsHandle& part : *parts) {
    const SplitPlan& plan = *part.plan;
    partitions.insert(partitions.end(), plan.partitions().begin(), plan.partitions().end());
    for (std::int64_t s = 0; plan.partitions().empty() && s < plan.size(); ++s) {
      rows.push_back(plan.Rows(s));
    }
  }
  if (rows.empty()) return {SplitPlan::FromPartitions(first.view(), std::move(partitions))};
  return {SplitPlan::FromRows(first.view().data, std::move(rows))};
}

// native.learner_key(learner): its key in stores.
std::string LearnerKeyOf(const PipelineHandle& learner) {
  return StoredLearnerKey(*learner.pipeline);
}

// native.metric_key(metric, [data]): its key in stores, or that of its scores on the data.
std::string MetricKeyOf(const SpecHandle& metric, const std::optional<DataView>& view) {
  return StoredMetricKey(view ? *MetricFor(metric.spec, *view->data) : *metric.spec);
}

}  // namespace

void OpenStoredRuns(lua_State* L) {
  RegisterType<LedgerHandle>(L, {{"cells", Cells},
                                 {"close", Native<CloseLedger>},
                                 {"composed", Native<Composed, PushFoundEntries>},
                                 {"entries", Native<Entries, PushFoundEntries>},
                                 {"findings", Findings},
                                 {"__close", Native<CloseLedger>}});
  AddFunctions(L, {{"join_splits", Native<JoinSplits>},
                   {"learner_key", Native<LearnerKeyOf>},
                   {"metric_key", Native<MetricKeyOf>},
                   {"open_ledger", OpenLedger},
                   {"record_findings", NoteFindings},
                   {"stored_openings", Native<LastStoredOpening>}});
}

}  // namespace crossfold::lua
