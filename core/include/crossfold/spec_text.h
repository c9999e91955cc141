// Components with their parameters as people write them: "f1{average=macro}", which is what
// Spec::ToString gives.
#pragma once

#include <memory>
#include <string_view>

#include "crossfold/plugin_host.h"
#include "crossfold/spec.h"

namespace crossfold {

// "ID" or "ID{NAME=VALUE,...}": numbers, true, false, none, choices, lists of numbers as "{1, 2}",
// texts between single quotes if they have a comma or brace; \' and \\ inside them; lists of
// columns as "[age, bmi]". Throws Error for another form, and as PluginHost::Find and Spec::Make
// do.
//
// A metric may be named with its average, where no metric has that id: "f1_macro" is
// f1{average=macro}; likewise _micro and _weighted.
std::shared_ptr<const Spec> ParseSpec(Kind kind, std::string_view text, const PluginHost& plugins);

// What stands between those braces: "NAME=VALUE,...". Throws Error for another form, and as
// Spec::Make does.
std::shared_ptr<const Spec> ParseSettings(const std::shared_ptr<const Component>& component,
                                          std::string_view settings);

// Spec::Make of what PluginHost::Find gives, or of such a metric.
std::shared_ptr<const Spec> MakeNamedSpec(Kind kind, std::string_view id, ParamValues values,
                                          const PluginHost& plugins);

}  // namespace crossfold
