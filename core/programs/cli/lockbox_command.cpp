#include "programs/cli/lockbox_command.h"

#include "programs/cli/command.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/made_script.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

std::string OpenText(const LockboxOptions& options, const PluginHost& plugins) {
  std::string fields = "  reason = " + LuaString(options.reason) + ",\n";
  if (!options.metric.empty()) {
    fields += "  metric = " + SpecText(Kind::kMetric, options.metric, plugins) + ",\n";
  }
  if (!options.key.empty()) fields += "  key = " + LuaString(options.key) + ",\n";
  return "return box:open(" + LuaString(options.model) + ", {\n" + fields + "})\n";
}

std::string ShowText(const LockboxOptions& options) {
  const std::string verify =
      options.key.empty() ? "" : "box:verify { key = " + LuaString(options.key) + " }\n";
  return verify + "return box\n";
}

}  // namespace

LockboxCommands DeclareLockbox(Command& lockbox, LockboxOptions& options) {
  lockbox.RequireCommand();
  Command& open =
      lockbox.AddCommand("open", "Evaluate a saved model on the sealed rows, which is recorded");
  open.AddOption("lockbox", options.lockbox, "What cf.lockbox wrote").Required();
  open.AddOption("--model", options.model, "What model:save(path) wrote").Required().FilePath();
  open.AddOption("--reason", options.reason, "Why the lockbox is opened").Required();
  open.AddOption("--metric", options.metric,
                 "Metric, as in ID or ID{NAME=VALUE,...}; default accuracy or rmse");
  open.AddOption("--key", options.key, "File of the key, if it is kept apart").FilePath();
  Command& show = lockbox.AddCommand("show", "Check a lockbox and list its openings");
  show.AddOption("lockbox", options.lockbox, "What cf.lockbox wrote").Required();
  show.AddOption("--key", options.key, "File of the key; then the sealed rows are checked, too")
      .FilePath();
  options.open = &open;
  return {open, show};
}

void MakeLockboxScript(const LockboxOptions& options, const PluginHost& plugins,
                       ScriptOptions& run) {
  run.made_by = "lockbox";
  const bool opens = options.open->was_given();
  const std::string text = "local cf = require \"crossfold\"\n\nlocal box = cf.read_lockbox(" +
                           LuaString(options.lockbox) + ")\n" +
                           (opens ? OpenText(options, plugins) : ShowText(options));
  if (!opens) {
    run.text = text;
    return;
  }
  KeepScript(text, "", run);
}

}  // namespace crossfold::cli
