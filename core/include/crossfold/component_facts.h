// Declarations of a component other than its parameters, as names for programs and words for
// people.
#pragma once

#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

struct Fact {
  std::string name;   // stable: "multiclass", "crossfold.proba/1"
  std::string words;  // "classification with more than two classes"
};

// The targets that it is made for. Splitters have none.
std::vector<Fact> TasksOf(const Component& component);
// The features and rows that a learner or transform accepts.
std::vector<Fact> AcceptsOf(const Component& component);
// The inputs that a metric or splitter needs.
std::vector<Fact> NeedsOf(const Component& component);
// The capability tables that it offers and this host knows.
std::vector<Fact> CapabilitiesOf(const Component& component);
// The calls that may run at the same time.
Fact ThreadingOf(const Component& component);
// The promises about repeatable results; empty = none.
std::vector<Fact> DeterminismOf(const Component& component);
// The effects on the process; empty = none.
std::vector<Fact> ProcessFlagsOf(const Component& component);
// Which values of a metric are better: "higher", "lower" or "neither". It is "" for other kinds.
std::string DirectionOf(const Component& component);

// Returns "real", "integer", "boolean", "choice", "string", "integer_list", "string_list" or
// "real_list".
std::string TypeNameOf(const ParamSpec& param);
std::vector<Fact> FlagsOf(const ParamSpec& param);

}  // namespace crossfold
