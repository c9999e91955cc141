// Models of ensembles for the scripts that make them: what they keep of their training data, and
// their files.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/ensemble_model.h"
#include "models/ensemble_file.h"
#include "models/model_outline.h"

namespace crossfold::lua {
namespace {

// native.outline(data, seed): what a model that was fitted on these rows keeps of them.
OutlineHandle MakeOutline(const DataView& view, std::uint64_t seed) {
  RequireArgument(view.data->task() != Task::kNone, 1, "a dataset with a target is expected");
  return {std::make_shared<const ModelOutline>(OutlineOf(view, seed))};
}

// outline:classes(), outline:features(), outline:target(): as those of a model.
std::span<const std::string> OutlineClasses(const OutlineHandle& handle) {
  return handle.outline->training.class_names;
}

int OutlineFeatures(lua_State* L) {
  PushFeatureNames(L, CheckOwned<OutlineHandle>(L, 1).outline->features);
  return 1;
}

std::string_view OutlineTarget(const OutlineHandle& handle) {
  return handle.outline->training.target.name;
}

// outline:check(data, name): raises unless `data` has every feature; `name` is the model's.
void Check(const OutlineHandle& handle, const DataHandle& data, const char* name) {
  const Dataset& rows = *data.view.data;
  CheckFeatureNames(
      *handle.outline, rows,
      "cannot predict with '" + std::string(name) + "' on dataset '" + rows.name() + "': ");
}

// Reads { name =, bytes =, features = } at the top of the stack.
void ReadMember(lua_State* L, EnsembleMember& member) {
  const int table = lua_gettop(L);
  ReadStringField(L, table, "name", member.name);
  ReadStringField(L, table, "bytes", member.bytes);
  if (lua_getfield(L, table, "features") == LUA_TTABLE) {
    Try(L, [&] { member.features.emplace(); });
    ReadStrings(L, -1, "the features of a member", *member.features);
  }
  lua_pop(L, 1);
}

// native.ensemble_bytes{ kind =, name =, outline =, options = {}, members = {...} }: the bytes of
// its file.
int EnsembleBytes(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  // A SavedEnsemble's constructor may throw, so it is made under Try and owned through a holder.
  auto* holder = NewOwned<std::unique_ptr<SavedEnsemble>>(L);
  Try(L, [&] { *holder = std::make_unique<SavedEnsemble>(); });
  SavedEnsemble& ensemble = **holder;
  ReadStringField(L, 1, "kind", ensemble.kind);
  ReadStringField(L, 1, "name", ensemble.name);
  lua_getfield(L, 1, "outline");
  const OutlineHandle& outline = CheckOwned<OutlineHandle>(L, lua_gettop(L));
  Try(L, [&] { ensemble.outline = *outline.outline; });
  lua_getfield(L, 1, "options");
  ReadParams(L, lua_gettop(L), ensemble.options);
  luaL_argcheck(L, lua_getfield(L, 1, "members") == LUA_TTABLE, 1, "members are expected");
  const int members = lua_gettop(L);
  const lua_Integer n = luaL_len(L, members);
  for (lua_Integer i = 1; i <= n; ++i) {
    luaL_argcheck(L, lua_geti(L, members, i) == LUA_TTABLE, 1, "a member is a table");
    Try(L, [&] { ensemble.members.emplace_back(); });
    ReadMember(L, ensemble.members.back());
    lua_pop(L, 1);
  }
  return RunAndPush(L, [&] { return WriteEnsemble(ensemble); });
}

void PushMembers(lua_State* L, const std::vector<EnsembleMember>& members) {
  PushList(L, members, [L](const EnsembleMember& member) {
    PushTable(L, Field("name", member.name), Field("bytes", member.bytes),
              Field("features", member.features));
  });
}

// What native.ensemble_bytes got, and `data`: a dataset without rows that looks like the training
// data.
int PushEnsemble(lua_State* L, std::string_view bytes, const std::string& name) {
  auto* holder = NewOwned<std::unique_ptr<SavedEnsemble>>(L);
  auto* outline = NewOwned<OutlineHandle>(L);
  auto* data = NewOwned<DataHandle>(L);
  const int outline_index = lua_gettop(L) - 1;
  Try(L, [&] {
    *holder =
        std::make_unique<SavedEnsemble>(ReadEnsemble(bytes, "cannot load model '" + name + "': "));
    outline->outline = std::make_shared<const ModelOutline>((*holder)->outline);
    data->view.data = EmptyData(*outline->outline);
  });
  const SavedEnsemble& ensemble = **holder;
  PushTable(L, Field("kind", ensemble.kind), Field("name", ensemble.name));
  lua_pushvalue(L, outline_index);
  lua_setfield(L, -2, "outline");
  lua_pushvalue(L, outline_index + 1);
  lua_setfield(L, -2, "data");
  lua_createtable(L, 0, static_cast<int>(ensemble.options.size()));
  for (const auto& [option, value] : ensemble.options) {
    PushText(L, option);
    PushValue(L, value);
    lua_rawset(L, -3);
  }
  lua_setfield(L, -2, "options");
  PushMembers(L, ensemble.members);
  lua_setfield(L, -2, "members");
  return 1;
}

int PushLoaded(lua_State* L, std::string_view bytes, const std::string& name) {
  if (IsEnsembleModel(bytes)) return PushEnsemble(L, bytes, name);
  Session& session = GetSession(L);
  return RunAndPush(L, [&] {
    return ModelHandle{FittedModel::FromBytes(bytes, name, session.plugins()), nullptr};
  });
}

// native.load_model(path): a native model, or the content of an ensemble's file.
int LoadModel(lua_State* L) {
  const std::string_view path = CheckText(L, 1);
  auto* name = NewOwned<std::string>(L);
  auto* bytes = NewOwned<std::string>(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    *name = path;
    session.files.CheckRead(*name);
    *bytes = ReadModelFile(*name);
  });
  return PushLoaded(L, *bytes, *name);
}

// native.model_from_bytes(bytes, name): the same; messages use `name` as the file's name.
int FromBytes(lua_State* L) {
  const std::string_view bytes = CheckText(L, 1), given = CheckText(L, 2);
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { *name = given; });
  return PushLoaded(L, bytes, *name);
}

// native.write_model(path, bytes)
void WriteModelBytes(std::string_view path, std::string_view model, const Session& session) {
  const std::string file(path);
  if (session.files.restricted()) return session.files.Make(file, model);
  session.files.CheckWrite(file);
  WriteModelFile(file, model);
}

}  // namespace

void OpenEnsembles(lua_State* L) {
  RegisterType<OutlineHandle>(L, {{"classes", Native<OutlineClasses>},
                                  {"features", OutlineFeatures},
                                  {"target", Native<OutlineTarget>},
                                  {"check", Native<Check>}});
  AddFunctions(L, {{"outline", Native<MakeOutline>},
                   {"ensemble_bytes", EnsembleBytes},
                   {"load_model", LoadModel},
                   {"model_from_bytes", FromBytes},
                   {"write_model", Native<WriteModelBytes>}});
}

}  // namespace crossfold::lua
