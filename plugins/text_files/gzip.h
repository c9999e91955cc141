// Compressed files, as gzip writes them (RFC 1952).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crossfold::reading {

// Whether the bytes begin as a gzip file does.
bool IsGzip(std::string_view bytes);

// Unpacks the members of a gzip file, one after the other. Zeros after the last member are padding,
// as tape programs write it. Throws Error if the bytes are cut short or damaged, or if they hold
// more than `most_bytes`: memory is taken as bytes come out, never by a size that the file claims.
// REQUIRES: IsGzip(bytes).
std::string Gunzip(std::string_view bytes, std::int64_t most_bytes);

}  // namespace crossfold::reading
