// The one exception of Crossfold: a mistake of the user (file, parameter, plugin, script), told as
//   cannot <attempt> '<subject>': <finding>; <way out>
// A fold that fails inside a run is not an Error but data: see outcome.h.
#pragma once

#include <stdexcept>
#include <string>

namespace crossfold {

enum class ErrorKind {
  kInvalidArgument,  // an option, a parameter, a name
  kBadData,          // the content of a file or a table
  kBadPlugin,        // a plugin that cannot be loaded or breaks its contract
  kIo,               // a file that cannot be read or written
  kCancelled,        // the host asked to stop
  kFailed            // a fit or prediction that was asked for by itself and failed
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace crossfold
