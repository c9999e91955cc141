// The one exception type of Crossfold. It reports a mistake of the user (file, parameter, plugin,
// script) as
//   cannot <attempt> '<subject>': <finding>; <way out>
// A fold that fails inside a run is not an Error but data: see outcome.h.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace crossfold {

// Replaces control characters by blanks, so that names from files or users do not send control
// sequences to a terminal. Line feeds and tabs stay unless `one_line`.
inline std::string Printable(std::string text, bool one_line = false) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool is_space = !one_line && (byte == '\n' || byte == '\t');
    const bool is_c1 = i > 0 && text[i - 1] == '\xC2' && byte >= 0x80 && byte < 0xA0;
    if (is_c1) text[i - 1] = ' ';
    if (is_c1 || byte == 0x7F || (byte < 0x20 && !is_space)) text[i] = ' ';
  }
  return text;
}

enum class ErrorKind {
  kInvalidArgument,  // an option, a parameter, a name
  kBadData,          // the content of a file or a table
  kBadPlugin,        // a plugin that cannot be loaded or breaks its contract
  kIo,               // a file that cannot be read or written
  kCancelled,        // the host asked to stop
  kFailed,           // a single fit or prediction that failed
  kOutOfMemory
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message)
      : std::runtime_error(Printable(message)), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace crossfold
