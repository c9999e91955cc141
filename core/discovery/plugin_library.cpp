#include "discovery/plugin_library.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "discovery/load_error.h"
#include "discovery/neighbours.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
namespace dll = boost::dll;

// Boost.DLL passes unknown bits to dlopen.
dll::load_mode::type LoadMode() {
  return dll::load_mode::rtld_now | dll::load_mode::rtld_local |
         static_cast<dll::load_mode::type>(RTLD_NODELETE);
}

constexpr const char* kDescriptors = "/proc/self/fd/";

// Some containers have no /proc.
bool HasDescriptors() { return ::access(kDescriptors, X_OK) == 0; }

// Encodes a number in parts of a path that the kernel ignores, "//" and "/./".
void Spell(std::uint64_t number, int bits, std::string& path) {
  for (int i = 0; i < bits; ++i) path += ((number >> i) & 1) != 0 ? "./" : "/";
}

// Returns a path of the open file that was never used before in this process. For a path that it
// knows, the dynamic loader returns the library that it loaded from there, and the numbers of
// descriptors are reused. So the path contains a counter, and the counter's address, because there
// may be another copy of this code in the process.
std::string DescriptorPath(int descriptor) {
  static std::atomic<std::uint64_t> last{0};
  const std::uint64_t count = ++last;
  std::string path = kDescriptors;
  Spell(reinterpret_cast<std::uintptr_t>(&last), 64, path);
  Spell(count, std::bit_width(count), path);
  return path + std::to_string(descriptor);
}

// Returns a name that lives until the process ends, because other threads may read it while it is
// replaced.
char* KeptName(const std::string& name) {
  static std::mutex mutex;
  static auto& names = *new std::set<std::string>();
  const std::lock_guard lock(mutex);
  return const_cast<char*>(names.insert(name).first->c_str());
}

// Sets a library's name in the loader's list.
void SetName(link_map& map, const std::string& name) { map.l_name = KeptName(name); }

// Returns a library's entry in that list.
link_map& MapOf(const dll::shared_library& library) {
  link_map* map = nullptr;
  [[maybe_unused]] const int failed =
      ::dlinfo(library.native(), RTLD_DI_LINKMAP, static_cast<void*>(&map));
  assert(failed == 0);
  return *map;
}

std::string LoadProblem(const std::error_code& failure, const std::string& name,
                        const fs::path& path) {
  const char* complaint = ::dlerror();
  std::string text = complaint == nullptr ? failure.message() : complaint;
  if (text.starts_with(name + ": ")) text.erase(0, name.size() + 2);
  return ExplainLoadError(text, path);
}

// Whether the loaded library is the open file. The loader identifies files by device and inode.
bool IsLoadedFrom(const dll::shared_library& library, const PluginFile& file,
                  const fs::path& path) {
  if (!HasDescriptors()) return IdOfFile(path) == file.id();  // no better check is possible
  void* same = ::dlopen(DescriptorPath(file.descriptor()).c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (same == nullptr) {
    ::dlerror();  // clears the error
    return false;
  }
  const bool is_same = same == library.native();
  ::dlclose(same);  // releases the reference; nothing is unloaded
  return is_same;
}

// Opens the file through its descriptor. `path` is where the file was found.
OpenedLibrary OpenSealed(const PluginFile& file, const fs::path& path) {
  OpenedLibrary opened;
  const std::string name = DescriptorPath(file.descriptor());
  std::error_code failure;
  opened.library.load(name, failure, LoadMode());
  if (!opened.library.is_loaded()) opened.problem = LoadProblem(failure, name, path);
  return opened;
}

// Whether a library of that name is already loaded, which the loader then uses for all plugins.
bool IsLoaded(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) {
    ::dlerror();  // clears the error
    return false;
  }
  ::dlclose(library);
  return true;
}

// Libraries that are open under the names by which other libraries need them, so that the loader
// finds them with or without a name of their own (DT_SONAME).
class NamedNeighbours {
 public:
  NamedNeighbours() = default;
  NamedNeighbours(const NamedNeighbours&) = delete;
  NamedNeighbours& operator=(const NamedNeighbours&) = delete;
  // Restores the real paths, which dladdr, backtraces and debuggers show.
  ~NamedNeighbours() {
    for (const auto& [map, path] : opened_) SetName(*map, path);
  }

  // Opens the libraries. Returns the first problem; "" = none.
  std::string Open(const std::vector<Neighbour>& neighbours) {
    for (const Neighbour& neighbour : neighbours) {
      if (IsLoaded(neighbour.needed)) continue;
      const OpenedLibrary opened = OpenSealed(*neighbour.file, neighbour.path);
      if (!opened.problem.empty()) return opened.problem;
      link_map& map = MapOf(opened.library);  // never to be unloaded
      SetName(map, neighbour.needed);
      opened_.emplace_back(&map, neighbour.path);
    }
    return "";
  }

 private:
  std::vector<std::pair<link_map*, fs::path>> opened_;
};

}  // namespace

OpenedLibrary OpenLibrary(const PluginFile& file, const fs::path& path,
                          const std::vector<Neighbour>& neighbours) {
  assert(path.is_absolute());
  OpenedLibrary opened;
  if (file.bytes() == PluginFile::Bytes::kSealed) {
    if (!HasDescriptors()) {
      opened.problem =
          "plugins under a lock are loaded through /proc/self/fd, which does not exist";
      return opened;
    }
    NamedNeighbours named;
    opened.problem = named.Open(neighbours);
    if (!opened.problem.empty()) return opened;
    opened = OpenSealed(file, path);
    if (opened.library.is_loaded()) SetName(MapOf(opened.library), path);
    return opened;
  }
  std::error_code failure;
  opened.library.load(path, failure, LoadMode());
  if (!opened.library.is_loaded()) {
    opened.problem = LoadProblem(failure, path.string(), path);
  } else if (!IsLoadedFrom(opened.library, file, path)) {
    opened.problem = "it was replaced while it was being loaded; start the program again";
  } else if (!file.IsUnchanged()) {
    opened.problem = "it was written to while it was being loaded; start the program again";
  }
  return opened;
}

}  // namespace crossfold
