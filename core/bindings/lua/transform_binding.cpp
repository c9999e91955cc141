// Transforms that are fitted without a learner, for what is written in Lua.
#include <cstdint>
#include <memory>

#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "bindings/lua/session.h"
#include "crossfold/spec.h"
#include "models/transform_model.h"

namespace crossfold::lua {
namespace {

struct TransformModelHandle {
  std::shared_ptr<const TransformModel> model;
};

constexpr char kTransformModelName[] = "crossfold.TransformModel";

// native.fit_transform(transform, data, seed): the fitted transform, and `data` transformed by it.
int FitTransformOnly(lua_State* L) {
  const SpecHandle& step = CheckSpec(L, 1);
  const DataView& train = CheckTrainingData(L, 2);
  const auto seed = static_cast<std::uint64_t>(luaL_checkinteger(L, 3));
  Session& session = GetSession(L);
  auto* handle = NewOwned<TransformModelHandle>(L);
  auto* made = NewOwned<DataHandle>(L);
  Try(L, [&] {
    handle->model = TransformModel::Fit(step.spec, train, seed, session.run_options(), made->view);
  });
  return 2;
}

// model:apply(data): the same rows with other features.
int Apply(lua_State* L) {
  const auto& model = CheckOwned<TransformModelHandle>(L, 1, kTransformModelName);
  const DataHandle& data = CheckData(L, 2);
  Session& session = GetSession(L);
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] { handle->view = model.model->Apply(data.view, session.run_options()); });
  handle->target_hidden = data.target_hidden;
  return 1;
}

}  // namespace

void OpenTransforms(lua_State* L) {
  static constexpr luaL_Reg kMethods[] = {{"apply", Apply}, {nullptr, nullptr}};
  static constexpr luaL_Reg kMetamethods[] = {{nullptr, nullptr}};
  static constexpr luaL_Reg kFunctions[] = {{"fit_transform", FitTransformOnly},
                                            {nullptr, nullptr}};
  RegisterType<TransformModelHandle>(L, kTransformModelName, kMethods, kMetamethods);
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
