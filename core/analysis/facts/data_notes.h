// What should be known of data as they come in, whatever is done with them then.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/log_sink.h"

namespace crossfold {

// Returns the data with notes: `known` (of the reader), then those on features and a target whose
// type was guessed (`is_asked` is false), such as numbers that are categories because of a few
// cells. Each is also a warning in the log, with the name of the data.
std::shared_ptr<const Dataset> WithDataNotes(std::shared_ptr<const Dataset> data,
                                             std::vector<std::string> known,
                                             const std::function<bool(const Column&)>& is_asked,
                                             const LogSink& log);

}  // namespace crossfold
