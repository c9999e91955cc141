// The roles of a dataset's columns by name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/error.h"

namespace crossfold {

struct RoleName {
  std::string_view role;    // the name of the field of Roles
  std::string_view column;  // lives as long as the Roles
};

// Returns the roles that some column has, in a fixed order.
std::vector<RoleName> NamedRoles(const Roles& roles);

// Whether a column of that name has a role, and so is not a feature.
bool IsRole(const Roles& roles, std::string_view name);

// Checks that the columns with a role exist. Throws Error(kind) "<attempt>: target 'clas' is not a
// column; did you mean ...".
void CheckRoleNames(const Roles& roles, std::span<const std::string> columns, ErrorKind kind,
                    const std::string& attempt);

// Returns the columns that the option drop_missing lists by name or role. Throws
// Error(kInvalidArgument) "<attempt>: drop_missing names 'tagret', which is ...".
std::vector<std::string> ColumnsMeant(const Roles& roles, std::span<const std::string> columns,
                                      std::span<const std::string> drop_missing,
                                      const std::string& attempt);

// Returns the way out if an entry of a role is missing.
std::string WayOutOfMissing(std::string_view role);

}  // namespace crossfold
