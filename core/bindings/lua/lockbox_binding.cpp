// Lockboxes: sealing rows, reading what anyone may read, and the two halves of an opening.
#include "crossfold/lockbox.h"

#include <cstdint>
#include <string>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
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
  lua_createtable(L, 0, 12);
  SetText(L, "time", answer.time);
  if (!answer.problem.empty()) {
    SetText(L, "problem", answer.problem);
    return;
  }
  SetNumber(L, "score", answer.score);
  SetInteger(L, "rows", answer.rows);
  SetInteger(L, "units", answer.units);
  if (answer.method.empty()) {
    SetText(L, "reason", answer.reason);
    return;
  }
  SetText(L, "method", answer.method);
  SetNumber(L, "standard_error", answer.standard_error);
  SetNumber(L, "low", answer.low);
  SetNumber(L, "high", answer.high);
  SetNumber(L, "least", answer.least);
  SetNumber(L, "most", answer.most);
}

void PushOpening(lua_State* L, const LockboxOpening& opening, lua_Integer number) {
  lua_createtable(L, 0, 8);
  SetInteger(L, "number", number);
  SetText(L, "time", opening.time);
  SetText(L, "reason", opening.reason);
  SetText(L, "model", opening.model);
  SetText(L, "model_hash", opening.model_hash);
  SetText(L, "metric", opening.metric);
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
  lua_createtable(L, 0, 16);
  SetText(L, "id", lockbox.id());
  SetText(L, "data", seal.data);
  SetInteger(L, "rows", seal.rows);
  SetInteger(L, "rest_rows", seal.rest_rows);
  SetText(L, "hash", seal.sealed_hash);
  SetText(L, "rest_hash", seal.rest_hash);
  SetText(L, "whole_hash", seal.whole_hash);
  SetText(L, "chosen_by", seal.chosen_by);
  SetText(L, "rule", std::string(LookRuleName(seal.rule)));
  SetNumber(L, "confidence", seal.confidence);
  SetText(L, "time", seal.time);
  SetFlag(L, "is_key_apart", seal.is_key_apart);
  lua_createtable(L, static_cast<int>(lockbox.openings().size()), 0);
  for (std::size_t i = 0; i < lockbox.openings().size(); ++i) {
    const auto number = static_cast<lua_Integer>(i + 1);
    PushOpening(L, lockbox.openings()[i], number);
    lua_rawseti(L, -2, number);
  }
  lua_setfield(L, -2, "openings");
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

double NumberField(lua_State* L, int index, const char* name, double otherwise = 0) {
  lua_getfield(L, index, name);
  const double number = luaL_optnumber(L, -1, otherwise);
  lua_pop(L, 1);
  return number;
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
  answer->rows = static_cast<std::int64_t>(NumberField(L, 3, "rows"));
  answer->units = static_cast<std::int64_t>(NumberField(L, 3, "units"));
  answer->score = NumberField(L, 3, "score");
  answer->standard_error = NumberField(L, 3, "standard_error");
  answer->low = NumberField(L, 3, "low");
  answer->high = NumberField(L, 3, "high");
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
int CheckKey(lua_State* L) {
  const char* path = luaL_checkstring(L, 1);
  const char* key_file = luaL_optstring(L, 2, "");
  const Session& session = GetSession(L);
  Try(L, [&] {
    session.files.CheckRead(path);
    const Lockbox lockbox = Lockbox::Read(path);
    lockbox.Unseal(FindKey(session, lockbox, key_file));
  });
  return 0;
}

// native.origin(data): the id of the lockbox that its rows were left out of, or nil.
int OriginOf(lua_State* L) {
  const std::string& origin = CheckData(L, 1).view.data->origin();
  if (origin.empty()) return 0;
  PushText(L, origin);
  return 1;
}

// native.sha256(bytes): 64 digits.
int HashOf(lua_State* L) {
  std::size_t size = 0;
  const char* bytes = luaL_checklstring(L, 1, &size);
  auto* hash = NewOwned<std::string>(L);
  Try(L, [&] { *hash = ToHex(Sha256Of({bytes, size})); });
  PushText(L, *hash);
  return 1;
}

// native.training_hash(model or outline): the hash of the rows that it was fitted on.
int TrainingHash(lua_State* L) {
  const auto* outline = ToOwned<OutlineHandle>(L, 1);
  PushText(L, outline != nullptr ? outline->outline->training.content_hash
                                 : CheckModel(L, 1).model->training().content_hash);
  return 1;
}

}  // namespace

void OpenLockboxes(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"seal_rows", Seal},         {"read_lockbox", ReadSealed},    {"begin_opening", BeginOpening},
      {"end_opening", EndOpening}, {"check_lockbox_key", CheckKey}, {"origin", OriginOf},
      {"sha256", HashOf},          {"training_hash", TrainingHash}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
