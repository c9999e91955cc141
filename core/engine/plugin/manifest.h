// The manifest of a plugin, with its id, its version and what it offers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

// A check of the conformance kit that the plugin's author expects to fail, and why.
struct ExpectedFailure {
  std::string check;
  std::string component;  // its id; "" = the file
  std::string reason;

  bool operator==(const ExpectedFailure&) const = default;
};

struct Manifest {
  std::uint32_t abi_minor = 0;
  std::string id, version;
  ComponentIds ids;
  std::vector<std::string> factories;  // kinds of its own that cf_plugin.get_factory knows
  std::vector<ExpectedFailure> expected_failures;

  bool operator==(const Manifest&) const = default;
};

struct ManifestReading {
  Manifest manifest;        // only if there is no problem
  std::string problem;      // "it is not an ELF shared library (a text file?)"; empty = read
  bool is_missing = false;  // a shared library for this machine that has no manifest
};

// Whether a plugin or component may have this id: [a-z0-9_.-]+.
bool IsWellFormedId(std::string_view id);

}  // namespace crossfold
