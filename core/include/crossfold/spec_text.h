// Components with their parameters as people write them: "f1{average=macro}", which is what
// Spec::ToString gives.
#pragma once

#include <memory>
#include <string_view>

#include "crossfold/plugin_host.h"
#include "crossfold/spec.h"

namespace crossfold {

// "ID" or "ID{NAME=VALUE,...}": numbers, true, false, none, choices, lists of numbers as "{1, 2}",
// texts between single quotes if they have a comma or brace; \' and \\ inside them. Throws Error
// for another form, and as PluginHost::Find and Spec::Make do.
std::shared_ptr<const Spec> ParseSpec(Kind kind, std::string_view text, const PluginHost& plugins);

}  // namespace crossfold
