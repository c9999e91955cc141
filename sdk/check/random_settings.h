// Legal settings of a component: drawn at random, or at the bounds of what it declares. Of the
// learner crossfold.debug, which crashes and hangs if its settings say so, the defaults only.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/component_calls.h"
#include "crossfold/component.h"
#include "crossfold_plugin/random.hpp"
#include "engine/plugin/param_check.h"

namespace crossfold::check {

// The learner for tests of hosts, which crashes and hangs if its settings say so.
bool MisbehavesOnRequest(const Component& component);

// Some parameters at random values, the others at their defaults. Whole numbers stay within 12 of
// the minimum, so that rounds, trees and epochs are few; strings and lists keep their defaults.
SpecPtr DrawSpec(const std::shared_ptr<const Component>& component, plugin::Random& random);

// The same with every parameter flagged CF_PF_PREPARE as `defaults` has it: what was prepared under
// `defaults` serves it, too.
SpecPtr DrawSharing(const Spec& defaults, plugin::Random& random);

// The defaults, and then one parameter after the other at each of its bounds, at each choice and at
// none. Bounds far above the least one (more than 100) are left out: they may be much work.
std::vector<SpecPtr> SpecsAtBounds(const std::shared_ptr<const Component>& component);

// The bounds of one parameter, of open ones a number just inside, both truth values, every choice,
// none. There are none for strings and lists.
std::vector<Value> ValuesAtBounds(const ParamSpec& param);

// `value` for one parameter, and for others what makes that one active; nothing if there is no such
// setting.
std::optional<ParamValues> SettingWith(const Component& component, const ParamSpec& param,
                                       const Value& value);

}  // namespace crossfold::check
