#include "crossfold/enter_plugin.h"

#include <exception>
#include <string>
#include <utility>

#include "crossfold/error.h"
#include "engine/plugin/call_state.h"
#include "engine/plugin/defect.h"
#include "engine/plugin/foreign_text.h"
#include "engine/plugin/plugin_entry.h"
#include "engine/plugin/process_state.h"

namespace crossfold {
namespace {

EnteredPlugin Enter(cf_plugin_fn entry, const LogSink& log) {
  const cf_plugin& plugin = CallEntry(entry, log);
  const ManifestReading own = ManifestOf(plugin);
  if (!own.problem.empty()) throw Defect{own.problem};
  DescriptorReading reading = ReadDescriptor(plugin, own.manifest);
  if (!reading.problem.empty()) throw Defect{reading.problem};
  const std::shared_ptr<const LoadedPlugin> loaded =
      MakeLoadedPlugin(plugin, own.manifest, reading);
  return {loaded, TakeComponents(reading, loaded), std::move(reading.refused)};
}

}  // namespace

const cf_plugin& CallForTables(const std::function<const cf_plugin*(const cf_host&)>& make,
                               const LogSink& log, const std::string& declines) {
  std::string last;
  const LogSink sink = [&](std::int32_t level, const std::string& line) {
    last = line;
    if (log) log(level, line);
  };
  const cf_host host = MakeHostTable(&sink);
  const cf_plugin* plugin = nullptr;
  try {
    plugin = make(host);
  } catch (const std::exception& e) {
    throw Defect{"a C++ exception crossed the plugin boundary: " + CleanText(e.what())};
  } catch (...) {
    throw Defect{"a C++ exception crossed the plugin boundary: of an unknown type"};
  }
  if (plugin == nullptr) throw Defect{declines + (last.empty() ? "it gave no reason" : last)};
  return *plugin;
}

const cf_plugin& CallEntry(cf_plugin_fn entry, const LogSink& log) {
  return CallForTables([entry](const cf_host& host) { return entry(CF_ABI_MINOR, &host); }, log,
                       "declines: ");
}

std::shared_ptr<LoadedPlugin> MakeLoadedPlugin(const cf_plugin& descriptor,
                                               const Manifest& manifest,
                                               const DescriptorReading& reading) {
  auto plugin = std::make_shared<LoadedPlugin>();
  plugin->descriptor = &descriptor;
  plugin->id = manifest.id;
  plugin->version = manifest.version;
  plugin->vendor = reading.vendor;
  plugin->license = reading.license;
  plugin->build_info = reading.build_info;
  return plugin;
}

std::vector<std::shared_ptr<const Component>> TakeComponents(
    DescriptorReading& reading, const std::shared_ptr<const LoadedPlugin>& plugin) {
  std::vector<std::shared_ptr<const Component>> components;
  for (Component& component : reading.components) {
    component.plugin = plugin;
    components.push_back(std::make_shared<const Component>(std::move(component)));
  }
  reading.components.clear();
  return components;
}

EnteredPlugin EnterPlugin(cf_plugin_fn entry, const LogSink& log) {
  std::string problem;
  try {
    ProcessStateGuard guard;
    EnteredPlugin entered = Enter(entry, log);
    for (const std::string& change : guard.Restore()) {
      if (!log) continue;
      log(CF_LOG_WARN, "plugin '" + entered.plugin->id + "' " + change +
                           " while it was entered; the change was undone");
    }
    return entered;
  } catch (const Defect& defect) {
    problem = defect.text;
  }
  throw Error(ErrorKind::kBadPlugin, "cannot enter a plugin: " + problem);
}

}  // namespace crossfold
