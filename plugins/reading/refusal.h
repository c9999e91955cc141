// Why something cannot be read. The host puts "cannot read 'a.csv': " before the finding.
#pragma once

#include <string>
#include <string_view>

#include "crossfold_plugin/error.hpp"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

// Refuses the content of the file.
[[noreturn]] inline void RefuseContent(const std::string& finding) {
  throw cf::Error(CF_E_UNSUPPORTED_DATA, finding);
}
// Refuses the request.
[[noreturn]] inline void RefuseOption(const std::string& finding) {
  throw cf::Error(CF_E_INVALID_PARAM, finding);
}
// Refuses the file itself, whatever its content.
[[noreturn]] inline void RefuseFile(const std::string& finding) {
  throw cf::Error(CF_E_IO, finding);
}

// A cell or name as messages show it: UTF-8 without control characters, cut if it is long. A byte
// that is not UTF-8 is a question mark.
std::string Shown(std::string_view text);
// The same for a whole sentence of another program, which is not cut.
std::string ShownWhole(std::string_view text);

// Returns work(). If that runs out of memory, throws an Error with the way out, as in "choose
// rows,".
template <class Work>
auto ReportingShortage(const std::string& way_out, const Work& work) {
  const auto refuse = [&] {
    throw cf::Error(CF_E_OUT_OF_MEMORY, "there is not enough memory; " + way_out +
                                            " or give the process more (ulimit -v)");
  };
  try {
    return work();
  } catch (const std::bad_alloc&) {
    refuse();
  } catch (const std::length_error&) {  // a size larger than any memory
    refuse();
  }
  __builtin_unreachable();
}

}  // namespace crossfold::reading
