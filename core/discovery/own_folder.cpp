#include "discovery/own_folder.h"

#include <dlfcn.h>
#include <link.h>

#include <system_error>

namespace crossfold {

namespace fs = std::filesystem;

fs::path OwnFolder() {
  Dl_info info{};
  void* extra = nullptr;
  const auto* here = reinterpret_cast<const void*>(&OwnFolder);
  if (::dladdr1(here, &info, &extra, RTLD_DL_LINKMAP) == 0 || extra == nullptr) return {};
  const auto* map = static_cast<const link_map*>(extra);
  std::error_code failure;
  // The program itself has no name in this list, and its argv[0] may be anything.
  const bool is_program = map->l_name == nullptr || map->l_name[0] == '\0';
  const fs::path file = fs::canonical(is_program ? "/proc/self/exe" : map->l_name, failure);
  return failure ? fs::path() : file.parent_path();
}

}  // namespace crossfold
