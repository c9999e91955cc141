// The file of a key that is kept apart from its lockbox: a line that says what it is, a line of 64
// hexadecimal digits, and the hash of the rows that it was made for.
#pragma once

#include <filesystem>
#include <string>

#include "crossfold/lockbox.h"

namespace crossfold {

// Makes the file of a new key, which only its owner may read, and returns the key; the file is on
// the disk then. A file that was made for the same rows has the key: sealing was interrupted after
// it. Throws Error(kIo) if there is another one.
// REQUIRES: there is no lockbox of this key.
LockboxKey MakeKeyFile(const std::filesystem::path& path, const std::string& sealed_hash);
// Throws Error "<attempt><finding>".
LockboxKey ReadKeyFile(const std::filesystem::path& path, const std::string& attempt);

}  // namespace crossfold
