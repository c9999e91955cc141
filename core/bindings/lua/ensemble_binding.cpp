// Models of ensembles for the scripts that make them: what they keep of their training data, and
// their files.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/ensemble_model.h"
#include "models/ensemble_file.h"
#include "models/model_outline.h"

namespace crossfold::lua {
namespace {

OutlineHandle& CheckOutline(lua_State* L, int arg) {
  return CheckOwned<OutlineHandle>(L, arg, kOutlineName);
}

// native.outline(data, seed): what a model that was fitted on these rows keeps of them.
int MakeOutline(lua_State* L) {
  const DataView& view = CheckTrainingData(L, 1);
  const lua_Integer seed = luaL_checkinteger(L, 2);
  luaL_argcheck(L, view.data->task() != Task::kNone, 1, "a dataset with a target is expected");
  auto* handle = NewOwned<OutlineHandle>(L);
  Try(L, [&] {
    handle->outline =
        std::make_shared<const ModelOutline>(OutlineOf(view, static_cast<std::uint64_t>(seed)));
  });
  return 1;
}

// outline:classes(), outline:features(), outline:target(): as those of a model.
int OutlineClasses(lua_State* L) {
  PushTexts(L, CheckOutline(L, 1).outline->training.class_names);
  return 1;
}

int OutlineFeatures(lua_State* L) {
  const auto& features = CheckOutline(L, 1).outline->features;
  lua_createtable(L, static_cast<int>(features.size()), 0);
  for (std::size_t j = 0; j < features.size(); ++j) {
    PushText(L, features[j].name);
    lua_rawseti(L, -2, static_cast<lua_Integer>(j + 1));
  }
  return 1;
}

int OutlineTarget(lua_State* L) {
  PushText(L, CheckOutline(L, 1).outline->training.target.name);
  return 1;
}

// outline:check(data, name): raises unless `data` has every feature; `name` is the model's.
int Check(lua_State* L) {
  const OutlineHandle& handle = CheckOutline(L, 1);
  const DataHandle& data = CheckData(L, 2);
  const char* name = luaL_checkstring(L, 3);
  Try(L, [&] {
    const Dataset& rows = *data.view.data;
    CheckFeatureNames(
        *handle.outline, rows,
        "cannot predict with '" + std::string(name) + "' on dataset '" + rows.name() + "': ");
  });
  return 0;
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
  const OutlineHandle& outline = CheckOutline(L, lua_gettop(L));
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
  auto* bytes = NewOwned<std::string>(L);
  Try(L, [&] { *bytes = WriteEnsemble(ensemble); });
  PushText(L, *bytes);
  return 1;
}

void PushMembers(lua_State* L, const std::vector<EnsembleMember>& members) {
  lua_createtable(L, static_cast<int>(members.size()), 0);
  for (std::size_t i = 0; i < members.size(); ++i) {
    lua_createtable(L, 0, 3);
    PushText(L, members[i].name);
    lua_setfield(L, -2, "name");
    PushText(L, members[i].bytes);
    lua_setfield(L, -2, "bytes");
    if (members[i].features) {
      PushTexts(L, *members[i].features);
      lua_setfield(L, -2, "features");
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
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
  lua_createtable(L, 0, 6);
  PushText(L, ensemble.kind);
  lua_setfield(L, -2, "kind");
  PushText(L, ensemble.name);
  lua_setfield(L, -2, "name");
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
  auto* handle = NewOwned<ModelHandle>(L);
  Try(L, [&] { handle->model = FittedModel::FromBytes(bytes, name, session.plugins()); });
  return 1;
}

// native.load_model(path): a native model, or the content of an ensemble's file.
int LoadModel(lua_State* L) {
  std::size_t size = 0;
  const char* path = luaL_checklstring(L, 1, &size);
  auto* name = NewOwned<std::string>(L);
  auto* bytes = NewOwned<std::string>(L);
  const Session& session = GetSession(L);
  Try(L, [&] {
    name->assign(path, size);
    session.files.CheckRead(*name);
    *bytes = ReadModelFile(*name);
  });
  return PushLoaded(L, *bytes, *name);
}

// native.model_from_bytes(bytes, name): the same; messages use `name` as the file's name.
int FromBytes(lua_State* L) {
  std::size_t size = 0, name_size = 0;
  const char* bytes = luaL_checklstring(L, 1, &size);
  const char* given = luaL_checklstring(L, 2, &name_size);
  auto* name = NewOwned<std::string>(L);
  Try(L, [&] { name->assign(given, name_size); });
  return PushLoaded(L, std::string_view(bytes, size), *name);
}

// native.write_model(path, bytes)
int WriteModelBytes(lua_State* L) {
  std::size_t path_size = 0, size = 0;
  const char* path = luaL_checklstring(L, 1, &path_size);
  const char* bytes = luaL_checklstring(L, 2, &size);
  const Session& session = GetSession(L);
  Try(L, [&] {
    const std::string file(path, path_size);
    const std::string_view model(bytes, size);
    if (session.files.restricted()) return session.files.Make(file, model);
    session.files.CheckWrite(file);
    WriteModelFile(file, model);
  });
  return 0;
}

}  // namespace

void OpenEnsembles(lua_State* L) {
  static constexpr luaL_Reg kMethods[] = {{"classes", OutlineClasses},
                                          {"features", OutlineFeatures},
                                          {"target", OutlineTarget},
                                          {"check", Check},
                                          {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {{nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {
      {"outline", MakeOutline},        {"ensemble_bytes", EnsembleBytes}, {"load_model", LoadModel},
      {"model_from_bytes", FromBytes}, {"write_model", WriteModelBytes},  {nullptr, nullptr}};
  RegisterType<OutlineHandle>(L, kOutlineName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
