// Writes the files that commands are asked for.
#pragma once

#include <string>

namespace crossfold::cli {

// A file that is there is whole: it is written beside its place and renamed. A pipe is written to.
// Throws Error(kIo).
void WriteWholeFile(const std::string& path, const std::string& text);

}  // namespace crossfold::cli
