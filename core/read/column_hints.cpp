#include "read/column_hints.h"

#include <algorithm>

#include "engine/data/column_types.h"
#include "engine/data/role_names.h"

namespace crossfold {
ColumnHints::ColumnHints(const ReadRequest& request) {
  AddTypes(request);
  AddRoles(request);
  for (const auto& [name, hint] : hints_) pointers_.push_back(&hint);
}

const cf_column_hint* ColumnHints::Find(std::string_view column) const {
  const auto found = hints_.find(column);
  return found == hints_.end() ? nullptr : &found->second;
}

std::set<std::string, std::less<>> ColumnHints::unused() const {
  std::set<std::string, std::less<>> names;
  for (const auto& [name, hint] : hints_) {
    if ((hint.flags & CF_HINT_UNUSED) != 0) names.insert(name);
  }
  return names;
}

cf_column_hint& ColumnHints::HintOf(const std::string& column) {
  const auto [place, is_new] = hints_.try_emplace(column);
  cf_column_hint& hint = place->second;
  if (is_new) {
    hint.struct_size = sizeof hint;
    hint.name = place->first.c_str();
  }
  return hint;
}

void ColumnHints::WantLevels(cf_column_hint& hint, const std::vector<std::string>& levels) {
  auto& pointers = levels_.emplace_back();
  for (const std::string& level : levels) pointers.push_back(texts_.emplace_back(level).c_str());
  hint.n_levels = static_cast<std::int32_t>(pointers.size());
  hint.levels = pointers.data();
}

void ColumnHints::AddTypes(const ReadRequest& request) {
  for (const ColumnDeclaration& known : request.like) {
    if (request.types.contains(known.name)) continue;
    cf_column_hint& hint = HintOf(known.name);
    hint.dtype = known.dtype;
    hint.flags |= CF_HINT_FIRM | (known.ordered ? CF_HINT_ORDERED : 0);
    if (known.dtype == CF_CAT32) WantLevels(hint, known.levels);
  }
  for (const auto& [column, wanted] : request.types) {
    cf_column_hint& hint = HintOf(column);
    if (wanted.type == ColumnType::kIgnore) hint.flags |= CF_HINT_UNUSED;
    if (wanted.type == ColumnType::kIgnore || wanted.type == ColumnType::kInfer) continue;
    hint.dtype = DtypeOf(wanted.type);
    hint.flags |= CF_HINT_FIRM;
    if (!wanted.ordered) continue;
    hint.flags |= CF_HINT_ORDERED | CF_HINT_CLOSED;
    WantLevels(hint, wanted.levels);
  }
}

void ColumnHints::AddRoles(const ReadRequest& request) {
  const std::vector<RoleName> named = NamedRoles(request.roles);
  for (const auto& [role, column] : named) {
    cf_column_hint& hint = HintOf(std::string(column));
    hint.flags |= CF_HINT_COMPLETE;
    if (hint.role == nullptr) hint.role = role.data();  // the name of a field, so it ends in a NUL
  }
  for (const std::string& name : request.drop_missing) {
    bool is_role = false;
    for (const RoleName& role : named) {
      if (role.role != name) continue;
      HintOf(std::string(role.column)).flags |= CF_HINT_DROP_MISSING;
      is_role = true;
    }
    if (!is_role) HintOf(name).flags |= CF_HINT_DROP_MISSING;
  }
}

}  // namespace crossfold
