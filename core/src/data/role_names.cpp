#include "data/role_names.h"

#include <algorithm>

#include "crossfold/nearest_name.h"

namespace crossfold {

std::vector<RoleName> NamedRoles(const Roles& roles) {
  std::vector<RoleName> named = {{"target", roles.target}, {"weights", roles.weights},
                                 {"groups", roles.groups}, {"time", roles.time},
                                 {"folds", roles.folds},   {"strata", roles.strata}};
  for (const auto& [name, column] : roles.row_costs) named.push_back({"row_costs", column});
  std::erase_if(named, [](const RoleName& role) { return role.column.empty(); });
  return named;
}

bool IsRole(const Roles& roles, std::string_view name) {
  const std::vector<RoleName> named = NamedRoles(roles);
  return std::any_of(named.begin(), named.end(),
                     [&](const RoleName& role) { return role.column == name; });
}

void CheckRoleNames(const Roles& roles, std::span<const std::string> columns, ErrorKind kind,
                    const std::string& attempt) {
  for (const auto& [role, column] : NamedRoles(roles)) {
    if (std::find(columns.begin(), columns.end(), column) != columns.end()) continue;
    throw Error(kind, attempt + ": " + std::string(role) + " '" + std::string(column) +
                          "' is no column; " + KnownNames(column, columns));
  }
}

}  // namespace crossfold
