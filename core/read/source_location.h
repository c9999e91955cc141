// Information for a source about the place that it reads, and the name of the data in it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/read_data.h"
#include "crossfold_plugin/source.h"

namespace crossfold {

class SourceLocation {
 public:
  // Reads the first bytes of a regular file. Pipes, devices and other places are not opened,
  // because their bytes can be read only once.
  explicit SourceLocation(const std::string& location);

  // Returns an input without hints, which is valid as long as this object.
  cf_source_input Input(const ReadRequest& request) const;
  // Whether it has a scheme, as in "s3://bucket/key".
  static bool IsUri(const std::string& location);

 private:
  std::string location_;
  std::vector<std::uint8_t> head_;
  std::int64_t n_bytes_ = -1;
};

// Returns the name of the data in a file, which is the file name without folder, ending and ".gz".
std::string DatasetNameOf(const std::filesystem::path& path);

}  // namespace crossfold
