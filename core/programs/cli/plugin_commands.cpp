#include "programs/cli/plugin_commands.h"

#include <utility>

#include "programs/cli/annotate_command.h"
#include "programs/cli/command.h"
#include "programs/cli/describe_command.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/list_command.h"
#include "programs/cli/scan_command.h"
#include "programs/cli/trust_command.h"

namespace crossfold::cli {

struct PluginCommands::Impl {
  ListOptions list;
  DescribeOptions describe;
  TrustOptions trust;
  ScanCommandOptions scan;
  AnnotateOptions annotate;
  const Command &list_command, &describe_command, &trust_command, &scan_command, &annotate_command;

  explicit Impl(Command& plugin)
      : list_command(DeclareList(plugin, list)),
        describe_command(DeclareDescribe(plugin, describe)),
        trust_command(DeclareTrust(plugin, trust)),
        scan_command(DeclareScan(plugin, scan)),
        annotate_command(DeclareAnnotate(plugin, annotate)) {}
};

PluginCommands::PluginCommands(Command& plugin) : impl_(std::make_unique<Impl>(plugin)) {}

PluginCommands::~PluginCommands() = default;

bool PluginCommands::was_given() const {
  for (const Command* command :
       {&impl_->list_command, &impl_->describe_command, &impl_->trust_command, &impl_->scan_command,
        &impl_->annotate_command}) {
    if (command->was_given()) return true;
  }
  return false;
}

int PluginCommands::Run(PluginHostOptions options) const {
  if (impl_->list_command.was_given()) return ListPlugins(std::move(options), impl_->list);
  if (impl_->describe_command.was_given()) return Describe(std::move(options), impl_->describe);
  if (impl_->trust_command.was_given()) return TrustPlugins(std::move(options), impl_->trust);
  if (impl_->scan_command.was_given()) return ScanPlugins(std::move(options), impl_->scan);
  if (impl_->annotate_command.was_given()) return Annotate(std::move(options), impl_->annotate);
  return kUsage;
}

}  // namespace crossfold::cli
