// What a component declares beside its parameters: names for programs, words for people.
#pragma once

#include <string>
#include <vector>

#include "crossfold/component.h"

namespace crossfold {

struct Fact {
  std::string name;   // stable: "multiclass", "crossfold.proba/1"
  std::string words;  // "classification with more than two classes"
};

// For which targets it is made. None for splitters.
std::vector<Fact> TasksOf(const Component& component);
// Which features and rows a learner or transform takes.
std::vector<Fact> AcceptsOf(const Component& component);
// What a metric or splitter cannot do without.
std::vector<Fact> NeedsOf(const Component& component);
// Capability tables that it offers and this host knows.
std::vector<Fact> CapabilitiesOf(const Component& component);
// Which calls may run at the same time.
Fact ThreadingOf(const Component& component);
// What it promises about the same bytes again; empty = nothing.
std::vector<Fact> DeterminismOf(const Component& component);
// What it does to the process; empty = nothing.
std::vector<Fact> ProcessFlagsOf(const Component& component);
// Of a metric: "higher", "lower" or "neither" is better. "" for other kinds.
std::string DirectionOf(const Component& component);

// "real", "integer", "boolean", "choice", "text", "integer_list", "real_list".
std::string TypeNameOf(const ParamSpec& param);
std::vector<Fact> FlagsOf(const ParamSpec& param);

}  // namespace crossfold
