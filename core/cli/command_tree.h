// The commands and options of the program as they are declared: what messages, completion and the
// manual tell about them comes from here.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace crossfold::cli {

// The commands below `app` that help texts show, by name.
std::vector<const CLI::App*> VisibleCommands(const CLI::App& app);
// Its options that help texts show, in the order in which they were declared; no positionals.
std::vector<const CLI::Option*> VisibleOptions(const CLI::App& app);
// Its positionals, in order.
std::vector<const CLI::Option*> Positionals(const CLI::App& app);

// "--json", "-o": every name of an option.
std::vector<std::string> NamesOf(const CLI::Option& option);
// Whether the option has a value behind it.
bool TakesValue(const CLI::Option& option);
// Same, of the option with this name, as in "--seed"; false if `app` has none.
bool TakesValue(const CLI::App& app, const std::string& name);
// The values that are allowed, if they are a few words; else empty.
std::vector<std::string> ChoicesOf(const CLI::Option& option);

}  // namespace crossfold::cli
