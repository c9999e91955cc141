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

// Boost.DLL passes bits that it does not know on to dlopen.
dll::load_mode::type LoadMode() {
  return dll::load_mode::rtld_now | dll::load_mode::rtld_local |
         static_cast<dll::load_mode::type>(RTLD_NODELETE);
}

constexpr const char* kDescriptors = "/proc/self/fd/";

// Some containers have no /proc.
bool HasDescriptors() { return ::access(kDescriptors, X_OK) == 0; }

// Spells a number by what the kernel does not care about in a path: "//" and "/./".
void Spell(std::uint64_t number, int bits, std::string& path) {
  for (int i = 0; i < bits; ++i) path += ((number >> i) & 1) != 0 ? "./" : "/";
}

// A path of the open file that was never used before in this process. The dynamic loader takes a
// path that it knows for the library that it had there, and the numbers of descriptors are used
// again; so the path has a counter in it, and the counter's address, for there may be another copy
// of this code in the process.
std::string DescriptorPath(int descriptor) {
  static std::atomic<std::uint64_t> last{0};
  const std::uint64_t count = ++last;
  std::string path = kDescriptors;
  Spell(reinterpret_cast<std::uintptr_t>(&last), 64, path);
  Spell(count, std::bit_width(count), path);
  return path + std::to_string(descriptor);
}

// Names stay until the process ends, because others may be reading one while it is replaced.
char* KeptName(const std::string& name) {
  static std::mutex mutex;
  static auto& names = *new std::set<std::string>();
  const std::lock_guard lock(mutex);
  return const_cast<char*>(names.insert(name).first->c_str());
}

// In the list of the loader.
void SetName(link_map& map, const std::string& name) { map.l_name = KeptName(name); }

// Its entry in that list.
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

// Whether the loaded library is the open file: the loader finds what it has by device and inode.
bool IsLoadedFrom(const dll::shared_library& library, const PluginFile& file,
                  const fs::path& path) {
  if (!HasDescriptors()) return IdOfFile(path) == file.id();  // as good as it gets
  void* same = ::dlopen(DescriptorPath(file.descriptor()).c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (same == nullptr) {
    ::dlerror();  // clears the error
    return false;
  }
  const bool is_same = same == library.native();
  ::dlclose(same);  // gives back the reference; nothing is unloaded
  return is_same;
}

// Opens it through the descriptor. `path`: where the file was found.
OpenedLibrary OpenSealed(const PluginFile& file, const fs::path& path) {
  OpenedLibrary opened;
  const std::string name = DescriptorPath(file.descriptor());
  std::error_code failure;
  opened.library.load(name, failure, LoadMode());
  if (!opened.library.is_loaded()) opened.problem = LoadProblem(failure, name, path);
  return opened;
}

// Whether a library of that name is loaded already, which the loader then uses for all.
bool IsLoaded(const std::string& name) {
  void* library = ::dlopen(name.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) {
    ::dlerror();  // clears the error
    return false;
  }
  ::dlclose(library);
  return true;
}

// Libraries that are open under the names by which others need them, so that the loader finds them
// with or without a name of their own (DT_SONAME).
class NamedNeighbours {
 public:
  NamedNeighbours() = default;
  NamedNeighbours(const NamedNeighbours&) = delete;
  NamedNeighbours& operator=(const NamedNeighbours&) = delete;
  // So that dladdr, backtraces and debuggers show the real paths.
  ~NamedNeighbours() {
    for (const auto& [map, path] : opened_) SetName(*map, path);
  }

  // "" or the first problem.
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
