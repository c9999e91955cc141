// Errors that report a lack of memory.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "crossfold/error.h"

namespace crossfold {

[[noreturn]] inline void RefuseShortage(const std::string& attempt, const std::string& way_out) {
  throw Error(ErrorKind::kOutOfMemory, attempt + ": there is not enough memory; " + way_out +
                                           " or give the process more (ulimit -v)");
}

// Returns work(). If it runs out of memory, throws Error(kOutOfMemory) with `attempt`, such as
// "cannot read 'a.csv'", and another way out, such as "choose rows,".
template <class Work>
auto ReportingShortage(const std::string& attempt, const std::string& way_out, const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    RefuseShortage(attempt, way_out);
  } catch (const std::length_error&) {  // a size larger than any memory
    RefuseShortage(attempt, way_out);
  }
}

}  // namespace crossfold
