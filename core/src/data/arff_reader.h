// What arff.h promises, with the size of the chunks.
#pragma once

#include <memory>
#include <string>

#include "crossfold/arff.h"
#include "data/csv_records.h"
#include "data/text_chunks.h"

namespace crossfold {

std::shared_ptr<const Dataset> ReadArffText(const CsvSource& source,
                                            const std::string& dataset_name,
                                            const ArffOptions& options,
                                            const ChunkedReading& reading);

}  // namespace crossfold
