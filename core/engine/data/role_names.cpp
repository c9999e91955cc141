#include "engine/data/role_names.h"

#include <algorithm>

#include "crossfold/nearest_name.h"

namespace crossfold {

std::vector<RoleName> NamedRoles(const Roles& roles) {
  std::vector<RoleName> named = {{"target", roles.target}, {"weights", roles.weights},
                                 {"groups", roles.groups}, {"time", roles.time},
                                 {"folds", roles.folds},   {"strata", roles.strata}};
  for (const std::string& column : roles.coordinates) named.push_back({"coordinates", column});
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
                          "' is not a column; " + KnownNames(column, columns));
  }
}

std::vector<std::string> ColumnsMeant(const Roles& roles, std::span<const std::string> columns,
                                      std::span<const std::string> drop_missing,
                                      const std::string& attempt) {
  const std::vector<RoleName> named = NamedRoles(roles);
  std::vector<std::string> meant;
  for (const std::string& name : drop_missing) {
    const std::size_t before = meant.size();
    for (const RoleName& role : named) {
      if (role.role == name) meant.emplace_back(role.column);
    }
    if (meant.size() > before) continue;
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) {
      std::vector<std::string> known(columns.begin(), columns.end());
      for (const RoleName& role : named) known.emplace_back(role.role);
      throw Error(ErrorKind::kInvalidArgument,
                  attempt + ": drop_missing names '" + name +
                      "', which is neither a role that was given nor a column; " +
                      KnownNames(name, known));
    }
    meant.push_back(name);
  }
  return meant;
}

std::string WayOutOfMissing(std::string_view role) {
  return "; read the data with drop_missing = { \"" + std::string(role) +
         "\" } to leave such rows out";
}

}  // namespace crossfold
