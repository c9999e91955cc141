// Whether a text is read as the same, whatever the chunks and threads.
#pragma once

#include <string>

#include "fuzz/law.h"
#include "unit/sources/readings.h"

namespace crossfold::fuzz {

// read(how) is a dataset, or throws an Error.
template <class Read>
void DemandSameReading(const Read& read, const sources::ChunkedReading& whole,
                       const sources::ChunkedReading& parts) {
  // The hash of the content, or the message.
  const auto outcome = [&](const sources::ChunkedReading& how) -> std::string {
    try {
      return read(how)->content_hash();
    } catch (const Error& error) {
      DemandMessage(error);
      return error.what();
    }
  };
  Demand(outcome(whole) == outcome(parts), "chunks and threads do not matter");
}

}  // namespace crossfold::fuzz
