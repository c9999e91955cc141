// The status of a source as the kind of an Error.
#pragma once

#include "crossfold/error.h"
#include "crossfold_plugin/status.h"

namespace crossfold {

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
