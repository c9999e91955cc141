// Streams of the Arrow C stream interface, which become columns.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/arrow_abi.h"
#include "crossfold/dataset.h"
#include "crossfold/error.h"
#include "crossfold/reading_limits.h"
#include "crossfold_plugin/status.h"

namespace crossfold {

struct ArrowReading {
  std::string attempt;  // "cannot import 'sales': "
  // Columns that are left out, whatever their type.
  std::set<std::string, std::less<>> unused = {};
  ReadingLimits limits = {};
  // Gets the names of all columns and the roles in their metadata, before the first array. It may
  // throw Error and may be empty.
  std::function<void(std::span<const std::string>, const Roles&)> check = {};
};

// A function of the stream failed.
class StreamFailure : public Error {
 public:
  StreamFailure(const std::string& attempt, int code, std::string reason)
      : Error(ErrorKind::kBadData, attempt + reason), code_(code), reason_(std::move(reason)) {}
  // What the call of a plugin that gave the stream ends with.
  cf_status status() const;
  // What get_last_error() returned, or the code.
  const std::string& reason() const { return reason_; }

 private:
  int code_;  // of errno.h
  std::string reason_;
};

struct ArrowColumns {
  std::vector<Column> columns;
  Roles roles;  // from the metadata of the columns
};

// Reads the stream and releases it once in any case. A single array stays in its place, as
// ImportArrow() says; several are copied as they arrive, so that only the result and one array are
// in memory. Throws Error(kBadData), StreamFailure or Error(kCancelled).
ArrowColumns ReadArrowStream(ArrowArrayStream* stream, const ArrowReading& reading);

}  // namespace crossfold
