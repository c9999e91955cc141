// Options for a number of bytes, as in 512M.
#pragma once

namespace CLI {
class Option;
}

namespace crossfold::cli {

// Takes a number with or without a unit: K, M, G, ... are powers of 1024. Refuses negative ones,
// which CLI11 would wrap around.
void TakeByteSize(CLI::Option& option);

}  // namespace crossfold::cli
