// Transforms for what is written in Lua: fitted without a learner, and `columns` and `except` of
// those that are written in Lua, which mean what Spec::columns means.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bindings/lua/native.h"
#include "crossfold/column_choice.h"
#include "crossfold/error.h"
#include "crossfold/spec.h"
#include "engine/data/role_names.h"
#include "models/transform_model.h"

namespace crossfold::lua {
namespace {

struct TransformModelHandle {
  static constexpr char kName[] = "crossfold.TransformModel";
  std::shared_ptr<const TransformModel> model;
};

// native.fit_transform(transform, data, seed): the fitted transform, and `data` transformed by it.
std::tuple<TransformModelHandle, DataHandle> FitTransformOnly(const SpecHandle& step,
                                                              const DataView& train,
                                                              std::uint64_t seed,
                                                              Session& session) {
  DataHandle made;
  TransformModelHandle fitted{
      TransformModel::Fit(step.spec, train, seed, session.run_options(), made.view)};
  return {std::move(fitted), std::move(made)};
}

// model:apply(data): the same rows with other features.
DataHandle Apply(const TransformModelHandle& handle, const DataHandle& data, Session& session) {
  return {handle.model->Apply(data.view, session.run_options()), data.target_hidden};
}

// native.chosen_features(data, transform): names, in the order of the data; nil if the transform
// gets all features.
int ChosenFeatures(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  const ColumnChoice* choice = CheckSpec(L, 2).spec->columns();
  if (choice == nullptr) {
    lua_pushnil(L);
    return 1;
  }
  return RunAndPush(L, [&] {
    const auto features = data.view.data->features();
    const std::string unknown = choice->FindUnknown(features);
    if (!unknown.empty()) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot fit a transform on dataset '" + data.view.data->name() + "': " + unknown);
    }
    std::vector<std::string> names;
    for (const cf_column& feature : features) {
      if (choice->Has(feature)) names.emplace_back(feature.name);
    }
    return names;
  });
}

// Features of `made`, and of `data` those that are not `chosen`, in the order of PlacesOf.
std::shared_ptr<const Dataset> PutBackOf(const Dataset& data,
                                         const std::vector<std::string>& chosen,
                                         const Dataset& made) {
  const auto features = data.features();
  const std::unordered_set<std::string_view> is_chosen(chosen.begin(), chosen.end());
  std::vector<bool> flags;
  for (const cf_column& feature : features) flags.push_back(is_chosen.contains(feature.name));
  std::vector<std::string_view> names;
  for (const cf_column& feature : made.features()) names.emplace_back(feature.name);
  const std::vector<std::size_t> places = PlacesOf(names, features, flags);
  std::vector<std::pair<std::size_t, const Column*>> placed;
  for (std::size_t j = 0; j < names.size(); ++j) {
    placed.emplace_back(places[j], &made.column(names[j]));
  }
  for (std::size_t j = 0; j < features.size(); ++j) {
    if (!flags[j]) placed.emplace_back(j, &data.column(features[j].name));
  }
  std::ranges::stable_sort(placed, {}, &std::pair<std::size_t, const Column*>::first);
  std::vector<Column> columns;
  for (const auto& [place, column] : placed) columns.push_back(*column);
  for (const Column& column : data.columns()) {
    if (IsRole(data.roles(), column.name)) columns.push_back(column);
  }
  return Dataset::Rebuild(data, std::move(columns), data.roles());
}

// native.put_back(data, chosen features, made): the columns that a transform made of the chosen
// features of `data`, in their places among the others. The rows are those of `data`.
DataHandle PutBack(const DataHandle& data, Strings<"the chosen features"> chosen,
                   const DataHandle& made) {
  return {{PutBackOf(*data.view.data, *chosen, *made.view.data), data.view.rows},
          data.target_hidden};
}

}  // namespace

void OpenTransforms(lua_State* L) {
  RegisterType<TransformModelHandle>(L, {{"apply", Native<Apply>}});
  AddFunctions(L, {{"fit_transform", Native<FitTransformOnly>},
                   {"chosen_features", ChosenFeatures},
                   {"put_back", Native<PutBack>}});
}

}  // namespace crossfold::lua
