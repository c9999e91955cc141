// What fuzz targets demand of the code under test.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "crossfold/error.h"

namespace crossfold::fuzz {

// Nothing catches it: it ends a libFuzzer run, and fails a replay with its text.
class BrokenLaw : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void Demand(bool holds, const char* law) {
  if (!holds) throw BrokenLaw(law);
}

// Messages are one line that begins with what was attempted.
inline void DemandMessage(const Error& error, std::string_view attempt = "cannot ") {
  const std::string_view text = error.what();
  if (text.starts_with(attempt) && text.find_first_of(std::string_view("\0\n\r", 3)) == text.npos) {
    return;
  }
  throw BrokenLaw("not one line that begins with '" + std::string(attempt) +
                  "': " + std::string(text));
}

// What `use` returns, or an empty value if it refuses with an Error whose message is as it must be.
template <class F>
auto Attempted(const F& use, std::string_view attempt = "cannot ") -> decltype(use()) {
  try {
    return use();
  } catch (const Error& error) {
    DemandMessage(error, attempt);
    return decltype(use())();
  }
}

}  // namespace crossfold::fuzz
