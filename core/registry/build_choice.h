// Which build of a plugin is installed, of those that open registries have.
#pragma once

#include <string>
#include <vector>

#include "registry/open_registries.h"

namespace crossfold {

// "; did you mean 'org.example.ridge'?", or "" if no id is near.
std::string Suggestion(const std::string& id, const std::vector<std::string>& ids);

// A build and its registry; null = there is none.
struct BuildChoice {
  const OpenRegistry* registry = nullptr;
  const RegistryPlugin* build = nullptr;
};

// The newest build for this machine, or with `version` that version, of the first registry that has
// one. Updates come only `from` the registry of the installed version: another may use the id for
// something else. "" = any.
BuildChoice Choose(const std::vector<OpenRegistry>& registries, const std::string& id,
                   const std::string& version, const std::string& from = "");
// Throws an Error that says why Choose() found none.
[[noreturn]] void RefuseChoice(const std::string& attempt, const std::string& id,
                               const std::string& version,
                               const std::vector<OpenRegistry>& registries);

// Throws Error if several registries have a build: a new id is taken from one that is named.
void CheckOnlyOne(const std::vector<OpenRegistry>& registries, const std::string& id,
                  const std::string& attempt);
bool IsOpen(const std::vector<OpenRegistry>& registries, const std::string& id);
// Throws Error if it is not.
void CheckIsOpen(const std::vector<OpenRegistry>& registries, const std::string& id,
                 const std::string& attempt);

}  // namespace crossfold
