// The place that is read, and choosing the source that reads it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold_plugin/source.h"
#include "crossfold_plugin/status.h"

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

// `attempt` is "cannot read 'a.csv'". Throws Error.
std::shared_ptr<const Component> ChooseSource(const PluginHost& host, const SourceLocation& place,
                                              const ReadRequest& request,
                                              const std::string& attempt);

// Returns the source with that id, short id or ending; null if there is none. Throws Error if it
// cannot be loaded.
std::shared_ptr<const Component> NamedSource(const PluginHost& host, const std::string& format);

// Returns the sources that can be loaded, the bundled ones first, then by id.
std::vector<std::shared_ptr<const Component>> LoadedSources(const PluginHost& host);

// Returns the file name endings of a source, without the dot.
std::vector<std::string> EndingsOf(const Component& source);

inline ErrorKind KindOfStatus(cf_status status) {
  switch (status) {
    case CF_E_INVALID_ARGUMENT:
    case CF_E_INVALID_PARAM:
      return ErrorKind::kInvalidArgument;
    case CF_E_IO:
      return ErrorKind::kIo;
    case CF_E_OUT_OF_MEMORY:
      return ErrorKind::kOutOfMemory;
    case CF_E_CANCELLED:
      return ErrorKind::kCancelled;
    case CF_E_INTERNAL:
      return ErrorKind::kBadPlugin;
    default:
      return ErrorKind::kBadData;
  }
}

}  // namespace crossfold
