#include "discovery/program_search.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "crossfold/error.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

// Returns the usual places, seen from a program in bin, one in libexec/crossfold, a module in
// lib/lua/5.4 and one in lib/<machine>/lua/5.4, in the build tree and in the installed one.
std::vector<fs::path> UsualPlaces(const std::string& name) {
  std::vector<fs::path> places;
  if (const fs::path own = OwnFolder(); !own.empty()) {
    for (const char* folder : {".", "../bin", "../libexec/crossfold", "../../bin", "../../../bin",
                               "../../../libexec/crossfold", "../../../../libexec/crossfold"}) {
      places.push_back((own / folder / name).lexically_normal());
    }
  }
  places.push_back(fs::path(CROSSFOLD_INSTALLED_PROGRAMS) / name);
  return places;
}

bool IsProgram(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0; }

}  // namespace

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

OwnProgram WorkerProgram() {
  return {"crossfold-worker", "CROSSFOLD_WORKER", "start a worker process"};
}

OwnProgram CheckerProgram() { return {"crossfold-checker", "CROSSFOLD_CHECKER", "check a plugin"}; }

OwnProgram PluginProgram(const std::string& purpose) { return {"crossfold-plugin", "", purpose}; }

fs::path FindProgram(const OwnProgram& program, const fs::path& wanted) {
  std::vector<fs::path> places;
  const char* variable = ::secure_getenv(program.variable.c_str());
  if (!wanted.empty()) {
    places = {wanted};
  } else if (variable != nullptr && *variable != '\0') {
    places = {variable};
  } else {
    places = UsualPlaces(program.name);
  }
  std::string looked;
  for (const fs::path& place : places) {
    std::error_code failure;
    if (fs::is_regular_file(place, failure) && IsProgram(place)) return fs::absolute(place);
    looked += " " + place.string();
  }
  const std::string way_out =
      program.variable.empty()
          ? "; ./build.sh build makes all programs, and cmake --install puts them there"
          : "; set " + program.variable + " to its path";
  throw Error(ErrorKind::kIo, "cannot " + program.purpose + ": there is no program " +
                                  program.name + "; searched:" + looked + way_out);
}

}  // namespace crossfold
