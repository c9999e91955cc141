// What a component declares in addition to its parameters: names for programs, words for people.
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
// What it promises about repeatable results; empty = nothing.
std::vector<Fact> DeterminismOf(const Component& component);
// What it does to the process; empty = nothing.
std::vector<Fact> ProcessFlagsOf(const Component& component);
// Which values of a metric are better: "higher", "lower" or "neither". It is "" for other kinds.
std::string DirectionOf(const Component& component);

// "real", "integer", "boolean", "choice", "text", "integer_list", "real_list".
std::string TypeNameOf(const ParamSpec& param);
std::vector<Fact> FlagsOf(const ParamSpec& param);

}  // namespace crossfold
