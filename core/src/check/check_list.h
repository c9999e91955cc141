// All checks, in the order in which they are run.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "check/check.h"

namespace crossfold::check {

// The families: each is a file of the same name.
std::span<const Check> LoadChecks();
std::span<const Check> FitChecks();
std::span<const Check> ErrorChecks();
std::span<const Check> InterruptChecks();
std::span<const Check> ResourceChecks();
std::span<const Check> ThreadChecks();
std::span<const Check> CapabilityChecks();
std::span<const Check> SharingChecks();
std::span<const Check> CrossPredictChecks();
std::span<const Check> SerializeChecks();
std::span<const Check> ReportChecks();

// Every one of them. A check stands behind the one that it needs.
std::vector<Check> AllChecks();

// The one of that name and scope, or null.
const Check* FindCheck(std::span<const Check> checks, std::string_view name, CheckScope scope);

}  // namespace crossfold::check
