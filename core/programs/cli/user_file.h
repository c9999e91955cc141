// The folders of the user's files.
#pragma once

#include <filesystem>

namespace crossfold::cli {

// "$XDG_STATE_HOME/crossfold/NAME" for the variable XDG_STATE_HOME, else the same in `below_home`
// of the home folder, as in ".local/state"; empty if neither is set or this process has more rights
// than its user.
std::filesystem::path UserFile(const char* variable, const char* below_home, const char* name);

}  // namespace crossfold::cli
