// Lockboxes: sealing rows, reading what anyone may read, and the two halves of an opening.
#include "crossfold/lockbox.h"

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold_plugin/data.h"
#include "engine/data/sha256.h"

namespace crossfold::lua {
namespace {

// A sandbox only makes new files, and a lockbox is changed by each opening.
std::string LockboxPath(const Session& session, const std::string& path) {
  if (session.files.restricted()) {
    throw Error(ErrorKind::kInvalidArgument,
                "cannot use lockbox '" + path + "': scripts in a sandbox have none");
  }
  session.files.CheckWrite(path);
  return path;
}

LookRule RuleNamed(const std::string& name) { return *FindLookRule(name); }

// native.seal_rows(data, positions, path, { chosen_by =, rule =, confidence =, key = }): the other
// rows, the id of the lockbox, and whether it is new. The caller has checked the options.
int Seal(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  auto* positions = NewOwned<std::vector<std::int64_t>>(L);
  ReadIntegers(L, 2, "the rows", *positions);
  const char* path = luaL_checkstring(L, 3);
  luaL_checktype(L, 4, LUA_TTABLE);
  lua_getfield(L, 4, "confidence");
  const double confidence = luaL_checknumber(L, -1);
  struct Strings {
    std::string chosen_by, rule, key;
  };
  auto* strings = NewOwned<Strings>(L);
  ReadStringField(L, 4, "chosen_by", strings->chosen_by);
  ReadStringField(L, 4, "rule", strings->rule);
  ReadStringField(L, 4, "key", strings->key);
  auto* sealed = NewOwned<SealedRows>(L);
  auto* handle = NewOwned<DataHandle>(L);
  const int rest = lua_gettop(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    for (std::int64_t& position : *positions) --position;
    SealOptions options{strings->chosen_by, RuleNamed(strings->rule), confidence, strings->key};
    *sealed = SealRows(view, *positions, LockboxPath(session, path), options);
    handle->view.data = HoldDataset(session.budget, sealed->rest);
  });
  lua_pushvalue(L, rest);
  PushText(L, sealed->id);
  lua_pushboolean(L, sealed->is_new ? 1 : 0);
  return 3;
}

void PushAnswer(lua_State* L, const LockboxAnswer& answer) {
  PushTable(L, Field("time", answer.time), Field("problem", NotEmpty(answer.problem)));
  if (!answer.problem.empty()) return;
  SetFields(L, Field("score", answer.score), Field("rows", answer.rows),
            Field("units", answer.units));
  if (answer.method.empty()) return SetField(L, "reason", answer.reason);
  SetFields(L, Field("method", answer.method), Field("standard_error", answer.standard_error),
            Field("low", answer.low), Field("high", answer.high), Field("least", answer.least),
            Field("most", answer.most));
}

void PushOpening(lua_State* L, const LockboxOpening& opening, lua_Integer number) {
  PushTable(L, Field("number", number), Field("time", opening.time),
            Field("reason", opening.reason), Field("model", opening.model),
            Field("model_hash", opening.model_hash), Field("metric", opening.metric));
  if (!opening.answer) return;
  PushAnswer(L, *opening.answer);
  lua_setfield(L, -2, "answer");
}

// A key file is only read where the lockbox has no key itself.
LockboxKey FindKey(const Session& session, const Lockbox& lockbox, const char* key_file) {
  if (lockbox.seal().is_key_apart && *key_file != '\0') session.files.CheckRead(key_file);
  return lockbox.FindKey(key_file);
}

// native.read_lockbox(path, key file or nil): the seal with `id` and the list `openings`, after a
// check of the key. Without a key file, that of a key apart is not checked; with "" it is refused.
int ReadSealed(lua_State* L) {
  const char* path = luaL_checkstring(L, 1);
  const char* key_file = luaL_optstring(L, 2, nullptr);
  struct Box {
    std::vector<Lockbox> one;
  };
  auto* box = NewOwned<Box>(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    session.files.CheckRead(path);
    box->one.push_back(Lockbox::Read(path));
    const Lockbox& lockbox = box->one.front();
    if (key_file != nullptr || !lockbox.seal().is_key_apart) {
      FindKey(session, lockbox, key_file != nullptr ? key_file : "");
    }
  });
  const Lockbox& lockbox = box->one.front();
  const LockboxSeal& seal = lockbox.seal();
  PushTable(L, Field("id", lockbox.id()), Field("data", seal.data), Field("rows", seal.rows),
            Field("rest_rows", seal.rest_rows), Field("hash", seal.sealed_hash),
            Field("rest_hash", seal.rest_hash), Field("whole_hash", seal.whole_hash),
            Field("chosen_by", seal.chosen_by), Field("rule", LookRuleName(seal.rule)),
            Field("confidence", seal.confidence), Field("time", seal.time),
            Field("is_key_apart", seal.is_key_apart));
  lua_Integer number = 0;
  SetList(L, "openings", lockbox.openings(),
          [&](const LockboxOpening& opening) { PushOpening(L, opening, ++number); });
  return 1;
}

// native.begin_opening(path, { reason =, model =, model_hash =, metric =, key = }): its number and
// the sealed rows. The opening is in the file then, and its key in the log.
int BeginOpening(lua_State* L) {
  const char* path = luaL_checkstring(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  auto* opening = NewOwned<LockboxOpening>(L);
  ReadStringField(L, 2, "reason", opening->reason);
  ReadStringField(L, 2, "model", opening->model);
  ReadStringField(L, 2, "model_hash", opening->model_hash);
  ReadStringField(L, 2, "metric", opening->metric);
  auto* key_file = NewOwned<std::string>(L);
  ReadStringField(L, 2, "key", *key_file);
  auto* handle = NewOwned<DataHandle>(L);
  const int rows = lua_gettop(L);
  Session& session = GetSession(L);
  std::int64_t number = 0;
  Try(L, [&] {
    Lockbox lockbox = Lockbox::Read(LockboxPath(session, path));
    const LockboxKey key = FindKey(session, lockbox, key_file->c_str());
    number = lockbox.Begin(*opening, key);
    const std::string message = "lockbox '" + std::string(path) + "': opening " +
                                std::to_string(number) + " uses the key " + key.ToHex();
    if (const LogSink log = session.plugins().log()) log(CF_LOG_WARN, message);
    handle->view.data = HoldDataset(session.budget, lockbox.Unseal(key));
  });
  lua_pushinteger(L, number);
  lua_pushvalue(L, rows);
  return 2;
}

// native.end_opening(path, number, { score =, method =, ... } or { problem = }, key file or nil)
int EndOpening(lua_State* L) {
  const char* path = luaL_checkstring(L, 1);
  const lua_Integer number = luaL_checkinteger(L, 2);
  luaL_checktype(L, 3, LUA_TTABLE);
  const char* key_file = luaL_optstring(L, 4, "");
  auto* answer = NewOwned<LockboxAnswer>(L);
  ReadStringField(L, 3, "problem", answer->problem);
  ReadStringField(L, 3, "method", answer->method);
  ReadStringField(L, 3, "reason", answer->reason);
  answer->rows = static_cast<std::int64_t>(NumberField(L, 3, "rows", 0));
  answer->units = static_cast<std::int64_t>(NumberField(L, 3, "units", 0));
  answer->score = NumberField(L, 3, "score", 0);
  answer->standard_error = NumberField(L, 3, "standard_error", 0);
  answer->low = NumberField(L, 3, "low", 0);
  answer->high = NumberField(L, 3, "high", 0);
  answer->least = NumberField(L, 3, "least", answer->least);
  answer->most = NumberField(L, 3, "most", answer->most);
  const Session& session = GetSession(L);
  Try(L, [&] {
    Lockbox lockbox = Lockbox::Read(LockboxPath(session, path));
    lockbox.End(number, *answer, FindKey(session, lockbox, key_file));
  });
  return 0;
}

// native.check_lockbox_key(path, key file or nil): raises unless the record was written with it.
void CheckKey(const char* path, std::optional<const char*> key_file, const Session& session) {
  session.files.CheckRead(path);
  const Lockbox lockbox = Lockbox::Read(path);
  lockbox.Unseal(FindKey(session, lockbox, key_file.value_or("")));
}

// native.origin(data): the id of the lockbox that its rows were left out of, or nil.
std::optional<std::string_view> OriginOf(const DataHandle& data) {
  return NotEmpty(data.view.data->origin());
}

// native.sha256(bytes): 64 digits.
std::string HashOf(std::string_view bytes) { return ToHex(Sha256Of(bytes)); }

// native.training_hash(model or outline): the hash of the rows that it was fitted on.
int TrainingHash(lua_State* L) {
  const auto* outline = ToOwned<OutlineHandle>(L, 1);
  PushText(L, outline != nullptr ? outline->outline->training.content_hash
                                 : CheckModel(L, 1).model->training().content_hash);
  return 1;
}

}  // namespace

void OpenLockboxes(lua_State* L) {
  AddFunctions(L, {{"seal_rows", Seal},
                   {"read_lockbox", ReadSealed},
                   {"begin_opening", BeginOpening},
                   {"end_opening", EndOpening},
                   {"check_lockbox_key", Native<CheckKey>},
                   {"origin", Native<OriginOf>},
                   {"sha256", Native<HashOf>},
                   {"training_hash", TrainingHash}});
}

}  // namespace crossfold::lua
