// A call into a C library that was linked with crossfold_seal_library: its random numbers and its
// messages belong to the call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crossfold_plugin.hpp"

namespace crossfold::bundled {

// While one lives, the library's rand() on this thread draws from the seed of the call, and what
// the library prints on this thread goes to the log of the call, line by line. The library's
// callbacks carry no data of the caller, so the current one is kept per thread. Not nested.
class SealedCall {
 public:
  // `library` is printed before every line. It must be a literal.
  SealedCall(const plugin::Context& context, std::string_view library);
  ~SealedCall();
  SealedCall(const SealedCall&) = delete;
  SealedCall& operator=(const SealedCall&) = delete;

  // 0 .. RAND_MAX of glibc, 2^31 - 1.
  int Draw() { return static_cast<int>(random_.Next() >> 33); }
  void Print(std::string_view text);

  // Returns the one of this thread; nullptr outside of a call.
  static SealedCall* Current();

 private:
  void LogLine();

  const plugin::Context& context_;
  std::string_view library_;
  plugin::Random random_;
  std::string line_;
};

}  // namespace crossfold::bundled
