#include "plugin/worker_search.h"

#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "plugin/own_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "CROSSFOLD_WORKER";

// Of a program in bin, a module in lib/lua/5.4 and one in lib/<machine>/lua/5.4, in the build tree
// and in the installed one.
std::vector<fs::path> UsualPlaces() {
  std::vector<fs::path> places;
  if (const fs::path own = OwnFolder(); !own.empty()) {
    for (const char* relative :
         {"crossfold-worker", "../bin/crossfold-worker", "../libexec/crossfold/crossfold-worker",
          "../../../bin/crossfold-worker", "../../../libexec/crossfold/crossfold-worker",
          "../../../../libexec/crossfold/crossfold-worker"}) {
      places.push_back((own / relative).lexically_normal());
    }
  }
  places.emplace_back(CROSSFOLD_INSTALLED_WORKER);
  return places;
}

bool IsProgram(const fs::path& path) { return ::access(path.c_str(), X_OK) == 0; }

}  // namespace

fs::path FindWorkerProgram(const fs::path& wanted) {
  std::vector<fs::path> places;
  const char* variable = ::secure_getenv(kVariable);
  if (!wanted.empty()) {
    places = {wanted};
  } else if (variable != nullptr && *variable != '\0') {
    places = {variable};
  } else {
    places = UsualPlaces();
  }
  std::string looked;
  for (const fs::path& place : places) {
    std::error_code failure;
    if (fs::is_regular_file(place, failure) && IsProgram(place)) return fs::absolute(place);
    looked += " " + place.string();
  }
  throw Error(ErrorKind::kIo,
              "cannot start a worker process: there is no program crossfold-worker; searched:" +
                  looked + "; set " + kVariable + " to its path");
}

}  // namespace crossfold
