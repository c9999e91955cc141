// Writing a dataset in a format that a source plugin knows and can write.
#pragma once

#include <memory>
#include <string>

#include "crossfold/cancel_token.h"
#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/value.h"

namespace crossfold {

struct WriteRequest {
  // The id of a source, its short id, or a file name ending. Empty = the ending of the path.
  std::string format = {};
  ParamValues options = {};  // of the source, as its parameters declare them
  const CancelToken* cancel = nullptr;
};

// Writes a new file, or none if it fails. Roles are written if the format can store them. Throws
// Error (kIo, kBadData, kInvalidArgument, kBadPlugin, kCancelled, kOutOfMemory), such as
//   cannot write 'a.csv': source 'crossfold.csv' does not write; choose one of arrow, feather
//   cannot write 'a.arrow': it exists already; remove it or choose another name
void WriteData(const PluginHost& host, const std::shared_ptr<const Dataset>& data,
               const std::string& path, const WriteRequest& request = {});

}  // namespace crossfold
