// crossfold-plugin: the commands of crossfold that make, check and install plugins, and keep
// registries of them.
#include "programs/cli/command.h"
#include "programs/cli/common_options.h"
#include "programs/plugin/commands.h"

int main(int argc, char** argv) {
  using namespace crossfold::cli;
  CheckCommandOptions check;
  NewCommandOptions project;
  InstallCommandOptions install;
  RegistryCommandOptions registry;
  return RunBeside(
      argc, argv,
      [&](Command& app) {
        Command& plugin = app.AddCommand("plugin", "Check, make and install plugins");
        plugin.RequireCommand();
        DeclareCheck(plugin, check);
        DeclareNew(plugin, project);
        DeclareInstall(plugin, install);
        DeclareRegistryCommands(app, registry);
      },
      [&](const Command& given, const CommonOptions&, const std::string&) {
        if (given.path() == "plugin check") return CheckPlugins(check);
        if (given.path() == "plugin new") return MakePluginProject(project);
        if (given.path().starts_with("registry ")) return RunRegistry(given.name(), registry);
        return RunInstall(given.name(), install);
      });
}
