// `columns` and `except` of transforms written in Lua, which mean what Spec::columns means.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "bindings/lua/arguments.h"
#include "bindings/lua/box.h"
#include "bindings/lua/handles.h"
#include "bindings/lua/protect.h"
#include "crossfold/column_choice.h"
#include "crossfold/error.h"
#include "crossfold/spec.h"
#include "engine/data/role_names.h"

namespace crossfold::lua {
namespace {

// native.chosen_features(data, transform): names, in the order of the data; nil if the transform
// gets all features.
int ChosenFeatures(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  const ColumnChoice* choice = CheckSpec(L, 2).spec->columns();
  if (choice == nullptr) {
    lua_pushnil(L);
    return 1;
  }
  auto* names = NewOwned<std::vector<std::string>>(L);
  Try(L, [&] {
    const auto features = data.view.data->features();
    const std::string unknown = choice->FindUnknown(features);
    if (!unknown.empty()) {
      throw Error(ErrorKind::kInvalidArgument,
                  "cannot fit a transform on dataset '" + data.view.data->name() + "': " + unknown);
    }
    for (const cf_column& feature : features) {
      if (choice->Has(feature)) names->emplace_back(feature.name);
    }
  });
  PushTexts(L, *names);
  return 1;
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
int PutBack(lua_State* L) {
  const DataHandle& data = CheckData(L, 1);
  auto* chosen = NewOwned<std::vector<std::string>>(L);
  ReadStrings(L, 2, "the chosen features", *chosen);
  const DataHandle& made = CheckData(L, 3);
  auto* handle = NewOwned<DataHandle>(L);
  Try(L, [&] {
    handle->view.data = PutBackOf(*data.view.data, *chosen, *made.view.data);
    handle->view.rows = data.view.rows;
  });
  handle->target_hidden = data.target_hidden;
  return 1;
}

}  // namespace

void OpenColumns(lua_State* L) {
  static constexpr luaL_Reg kFunctions[] = {
      {"chosen_features", ChosenFeatures}, {"put_back", PutBack}, {nullptr, nullptr}};
  luaL_setfuncs(L, kFunctions, 0);
}

}  // namespace crossfold::lua
