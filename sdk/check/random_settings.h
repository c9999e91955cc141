// Valid settings of a component: drawn at random, or at the bounds that it declares. For the
// learner crossfold.debug, which crashes and hangs on request, there are only the defaults.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/component_calls.h"
#include "crossfold/component.h"
#include "crossfold_plugin/random.hpp"
#include "engine/plugin/param_check.h"

namespace crossfold::check {

// Whether this is the learner for tests of hosts, which crashes and hangs on request.
bool MisbehavesOnRequest(const Component& component);

// Some parameters at random values, the others at their defaults. Whole numbers stay within 12 of
// the minimum, so that rounds, trees and epochs are few; strings and lists keep their defaults.
SpecPtr DrawSpec(const std::shared_ptr<const Component>& component, plugin::Random& random);

// The same with every parameter flagged CF_PF_PREPARE as `defaults` has it: what was prepared under
// `defaults` also serves it.
SpecPtr DrawSharing(const Spec& defaults, plugin::Random& random);

// The defaults, and then one parameter after the other at each of its bounds, at each choice and at
// none. Bounds far above the least one (more than 100) are left out: they may be much work.
std::vector<SpecPtr> SpecsAtBounds(const std::shared_ptr<const Component>& component);

// The bounds of one parameter, or a number just inside of open ones; both truth values, every
// choice, none. There are none for strings and lists.
std::vector<Value> ValuesAtBounds(const ParamSpec& param);

// Sets `value` for one parameter, and for others what makes it active; nothing if there is no such
// setting.
std::optional<ParamValues> SettingWith(const Component& component, const ParamSpec& param,
                                       const Value& value);

}  // namespace crossfold::check
