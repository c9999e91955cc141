#include "plugin/plugin_loader.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <boost/dll/shared_library.hpp>
#include <cassert>
#include <exception>
#include <map>
#include <mutex>
#include <optional>

#include "crossfold/error.h"
#include "data/sha256.h"
#include "plugin/call_state.h"
#include "plugin/descriptor.h"
#include "plugin/foreign_text.h"
#include "plugin/process_state.h"

namespace crossfold {
namespace {

namespace dll = boost::dll;

constexpr const char* kEntry = "crossfold_plugin_v1";
constexpr const char* kChanged =
    "the file has changed since this process loaded it; start the program again";

// What the dynamic loader has mapped belongs to the process and stays, so this record does too. No
// destructor runs on it at exit, when a plugin's own objects may be gone.
struct LoadedLibraries {
  using FileId = std::pair<dev_t, ino_t>;

  std::mutex mutex;
  std::vector<dll::shared_library> libraries;  // all, also those that were refused afterwards
  std::map<std::filesystem::path, FileId> files;
  std::map<FileId, std::vector<std::shared_ptr<const Component>>> components;
};

LoadedLibraries& Loaded() {
  static LoadedLibraries& loaded = *new LoadedLibraries;
  return loaded;
}

// Why the plugin cannot be used. Thrown and caught in this file only.
struct Defect {
  std::string text;
};

std::optional<LoadedLibraries::FileId> IdOfFile(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return LoadedLibraries::FileId{status.st_dev, status.st_ino};
}

dll::shared_library OpenLibrary(const std::filesystem::path& path) {
  // Boost.DLL passes bits that it does not know on to dlopen.
  const auto mode = dll::load_mode::rtld_now | dll::load_mode::rtld_local |
                    static_cast<dll::load_mode::type>(RTLD_NODELETE);
  dll::shared_library library;
  std::error_code failure;
  library.load(path, failure, mode);
  if (!library.is_loaded()) {
    const char* complaint = ::dlerror();
    throw Defect{ExplainLoadError(complaint == nullptr ? failure.message() : complaint, path)};
  }
  return library;
}

cf_plugin_fn EntryOf(const dll::shared_library& library) {
  if (library.has(kEntry))
    return &library.get<const cf_plugin*(std::uint32_t, const cf_host*)>(kEntry);
  for (const char* major : {"0", "2", "3"}) {
    const std::string other = std::string("crossfold_plugin_v") + major;
    if (library.has(other)) {
      throw Defect{"built for plugin ABI " + std::string(major) + " (it exports " + other +
                   "), this host speaks " + std::to_string(CF_ABI_MAJOR)};
    }
  }
  throw Defect{std::string("does not export ") + kEntry};
}

const cf_plugin& Enter(cf_plugin_fn entry, LoadResult& result) {
  const LogSink sink = [&result](std::int32_t level, const std::string& line) {
    result.log.emplace_back(level, line);
  };
  const cf_host host = MakeHostTable(&sink);
  const cf_plugin* plugin = nullptr;
  try {
    plugin = entry(CF_ABI_MINOR, &host);
  } catch (const std::exception& e) {
    throw Defect{"a C++ exception crossed the plugin boundary: " + CleanText(e.what())};
  } catch (...) {
    throw Defect{"a C++ exception crossed the plugin boundary: of an unknown type"};
  }
  if (plugin == nullptr) {
    throw Defect{"declines: " +
                 (result.log.empty() ? "it gave no reason" : result.log.back().second)};
  }
  return *plugin;
}

std::vector<std::shared_ptr<const Component>> Register(const std::filesystem::path& path,
                                                       const Manifest& manifest,
                                                       const std::string& sha256,
                                                       DescriptorReading reading) {
  const auto plugin = std::make_shared<LoadedPlugin>();
  plugin->path = path;
  plugin->id = manifest.id;
  plugin->version = manifest.version;
  plugin->vendor = std::move(reading.vendor);
  plugin->license = std::move(reading.license);
  plugin->build_info = std::move(reading.build_info);
  plugin->sha256 = sha256;
  std::vector<std::shared_ptr<const Component>> components;
  for (Component& component : reading.components) {
    component.plugin = plugin;
    components.push_back(std::make_shared<const Component>(std::move(component)));
  }
  return components;
}

// REQUIRES: loaded.mutex is held.
std::vector<std::shared_ptr<const Component>> Load(const std::filesystem::path& path,
                                                   const Manifest& manifest,
                                                   LoadedLibraries& loaded, LoadResult& result) {
  const std::optional<LoadedLibraries::FileId> id = IdOfFile(path);
  if (!id) throw Defect{"the file is gone"};
  const std::string sha256 = Sha256OfFile(path);
  if (const auto it = loaded.components.find(*id); it != loaded.components.end()) {
    if (it->second.front()->plugin->sha256 != sha256) throw Defect{kChanged};
    return it->second;
  }
  // For a path that it knows, the dynamic loader would give the old library.
  const auto known = loaded.files.find(path);
  if (known != loaded.files.end() && known->second != *id) throw Defect{kChanged};
  loaded.libraries.push_back(OpenLibrary(path));
  loaded.files.emplace(path, *id);
  const cf_plugin& plugin = Enter(EntryOf(loaded.libraries.back()), result);
  DescriptorReading reading = ReadDescriptor(plugin, manifest);
  if (!reading.problem.empty()) throw Defect{reading.problem};
  auto components = Register(path, manifest, sha256, std::move(reading));
  loaded.components.emplace(*id, components);
  return components;
}

std::string_view WithoutPrefix(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

}  // namespace

LoadResult LoadPlugin(const std::filesystem::path& path, const Manifest& manifest) {
  assert(path.is_absolute());
  LoadResult result;
  LoadedLibraries& loaded = Loaded();
  const std::lock_guard lock(loaded.mutex);
  ProcessStateGuard guard;  // constructors of the library run before any check
  try {
    result.components = Load(path, manifest, loaded, result);
  } catch (const Defect& defect) {
    result.problem = defect.text;
  } catch (const Error& error) {
    result.problem = error.what();
  }
  for (const std::string& change : guard.Restore()) {
    result.log.emplace_back(CF_LOG_WARN, "plugin '" + path.string() + "' " + change +
                                             " while it was loaded; that was undone");
  }
  return result;
}

std::string ExplainLoadError(std::string_view complaint, const std::filesystem::path& path) {
  constexpr std::string_view kNotFound =
      ": cannot open shared object file: No such file or directory";
  constexpr std::string_view kUndefined = "undefined symbol: ";
  constexpr std::string_view kVersion = ": version `";
  constexpr std::string_view kVersionEnd = "' not found";
  const std::string_view text = WithoutPrefix(complaint, path.string() + ": ");
  if (text.ends_with(kNotFound)) {
    const std::string_view library = text.substr(0, text.size() - kNotFound.size());
    return "needs " + CleanText(std::string(library).c_str()) + ", which is not found";
  }
  if (text.starts_with(kUndefined)) {
    const std::string_view rest = text.substr(kUndefined.size());
    const std::string symbol(rest.substr(0, rest.find_first_of(" \t,")));
    return "needs the function or variable " + CleanText(symbol.c_str()) +
           ", which no library that it names has";
  }
  const std::size_t version = text.find(kVersion);
  const std::size_t end = text.find(kVersionEnd);
  if (version != std::string_view::npos && end != std::string_view::npos && end > version) {
    const std::size_t start = version + kVersion.size();
    return "needs " + CleanText(std::string(text.substr(start, end - start)).c_str()) + ", which " +
           CleanText(std::string(text.substr(0, version)).c_str()) +
           " lacks; was it built on a newer system?";
  }
  return CleanText(std::string(text).c_str());
}

}  // namespace crossfold
