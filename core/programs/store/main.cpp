// crossfold-store: the commands of crossfold that change or check a whole store.
#include "crossfold/plugin_host.h"
#include "programs/cli/beside_program.h"
#include "programs/cli/command.h"
#include "programs/store/keep_store.h"

int main(int argc, char** argv) {
  using namespace crossfold;
  cli::StoreCommandOptions stores;
  return cli::RunBeside(
      argc, argv, [&](cli::Command& app) { cli::DeclareStores(app, stores); },
      [&](const cli::Command& given, const cli::CommonOptions& options, const std::string& line) {
        const PluginHost plugins(cli::MakeHostOptions(options.plugins, options.quiet));
        return cli::KeepStore(given.name(), stores, plugins, line);
      });
}
