// The file of a key that is kept apart from its lockbox: a line of 64 hexadecimal digits after a
// line that says what it is.
#pragma once

#include <filesystem>
#include <string>

#include "crossfold/lockbox.h"

namespace crossfold {

// Makes the file, which only its owner may read. Throws Error(kIo) if there is one.
void WriteKeyFile(const std::filesystem::path& path, const LockboxKey& key);
// Throws Error "<attempt><finding>".
LockboxKey ReadKeyFile(const std::filesystem::path& path, const std::string& attempt);

}  // namespace crossfold
