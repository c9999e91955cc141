#include "cli/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace crossfold::cli {

std::vector<const CLI::App*> VisibleCommands(const CLI::App& app) {
  std::vector<const CLI::App*> commands = app.get_subcommands(
      [](const CLI::App* one) { return !one->get_name().empty() && !one->get_group().empty(); });
  std::sort(commands.begin(), commands.end(),
            [](const CLI::App* a, const CLI::App* b) { return a->get_name() < b->get_name(); });
  return commands;
}

std::vector<const CLI::Option*> VisibleOptions(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* one) { return one->nonpositional() && !one->get_group().empty(); });
}

std::vector<const CLI::Option*> Positionals(const CLI::App& app) {
  return app.get_options([](const CLI::Option* one) { return one->get_positional(); });
}

std::vector<std::string> NamesOf(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool TakesValue(const CLI::Option& option) { return option.get_items_expected_min() > 0; }

bool TakesValue(const CLI::App& app, const std::string& name) {
  if (!name.starts_with('-')) return false;  // a positional of that name is meant for its place
  const CLI::Option* option = app.get_option_no_throw(name);
  return option != nullptr && TakesValue(*option);
}

std::vector<std::string> ChoicesOf(const CLI::Option& option) {
  // CLI11 keeps them in the name of the type: "TEXT:{none,worker,fresh}".
  const std::string type = option.get_type_name();
  const std::size_t open = type.rfind(":{"), close = type.rfind('}');
  if (open == std::string::npos || close == std::string::npos || close < open) return {};
  std::vector<std::string> choices;
  std::string choice;
  for (std::size_t i = open + 2; i <= close; ++i) {
    if (type[i] == ',' || i == close) {
      choices.push_back(std::move(choice));
      choice.clear();
    } else {
      choice += type[i];
    }
  }
  return choices;
}

}  // namespace crossfold::cli
