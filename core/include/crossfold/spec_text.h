// Components with their parameters as people write them, such as "f1{average=macro}".
// Spec::ToString writes this form.
#pragma once

#include <memory>
#include <string_view>

#include "crossfold/plugin_host.h"
#include "crossfold/spec.h"

namespace crossfold {

// Parses "ID" or "ID{NAME=VALUE,...}". Values are numbers, true, false, none, choices, lists of
// numbers as in "{1, 2}", strings and lists of columns as in "[age, bmi]". Strings with a comma or
// brace are in single quotes, in which \' is a quote and \\ a backslash. An object is JSON, as in
// settings={"max_depth":3}. Its entries are settings.max_depth=3, with values as above or JSON
// lists, objects and strings in double quotes. Throws Error for another form, and as
// PluginHost::Find and Spec::Make do.
//
// A metric may be named with its average if no metric has that id: "f1_macro" is f1{average=macro},
// and _micro and _weighted work in the same way.
std::shared_ptr<const Spec> ParseSpec(Kind kind, std::string_view text, const PluginHost& plugins);

// Parses the text between those braces, "NAME=VALUE,...". Throws Error for another form, and as
// Spec::Make does.
std::shared_ptr<const Spec> ParseSettings(const std::shared_ptr<const Component>& component,
                                          std::string_view settings);

// Calls Spec::Make for what PluginHost::Find returns, or for a metric that is named with its
// average.
std::shared_ptr<const Spec> MakeNamedSpec(Kind kind, std::string_view id, ParamValues values,
                                          const PluginHost& plugins);

}  // namespace crossfold
