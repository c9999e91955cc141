// Serves plugins that are folders with a program in any language (docs/languages.md).
#include <cstring>
#include <exception>
#include <memory>

#include "crossfold_plugin.h"
#include "crossfold_plugin/folder.h"
#include "served_folder.h"

namespace {

using crossfold::exec::ParseDescription;
using crossfold::exec::ServedFolder;

const cf_plugin* CF_CALL OpenFolder(const cf_host* host, const char* path, const char* manifest) {
  try {
    // It is never deleted: its tables must stay for the life of the process.
    return &(new ServedFolder(path, ParseDescription(manifest)))->plugin();
  } catch (const std::exception& e) {
    host->log(host, CF_LOG_ERROR, e.what());
  }
  return nullptr;
}

constexpr cf_folders kFolders{sizeof(cf_folders), 0, &OpenFolder};

const void* CF_CALL GetFactory(const cf_plugin*, const char* kind) {
  return std::strcmp(kind, CF_FACTORY_FOLDERS) == 0 ? &kFolders : nullptr;
}

cf_plugin MakePlugin() {
  cf_plugin plugin{};
  plugin.magic = CF_ABI_MAGIC;
  plugin.struct_size = sizeof(cf_plugin);
  plugin.abi_major = CF_ABI_MAJOR;
  plugin.abi_minor = CF_ABI_MINOR;
  plugin.id = "crossfold.exec";
  plugin.version = "1.0.0";
  plugin.vendor = "The Crossfold Authors";
  plugin.license = "MIT";
  plugin.get_factory = &GetFactory;
  return plugin;
}

}  // namespace

CF_MANIFEST(
    "{\"crossfold\":1,\"abi_minor\":0,\"id\":\"crossfold.exec\",\"version\":\"1.0.0\","
    "\"factories\":[\"crossfold.folders/1\"]}");

const cf_plugin* CF_CALL crossfold_plugin_v1(std::uint32_t, const cf_host*) {
  static const cf_plugin plugin = MakePlugin();
  return &plugin;
}
