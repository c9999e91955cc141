// What libsvm.h promises, with the size of the chunks.
#pragma once

#include <memory>
#include <string>

#include "crossfold/libsvm.h"
#include "data/csv_records.h"
#include "data/text_chunks.h"

namespace crossfold {

std::shared_ptr<const Dataset> ReadLibsvmText(const CsvSource& source,
                                              const std::string& dataset_name,
                                              const LibsvmOptions& options,
                                              const ChunkedReading& reading);

}  // namespace crossfold
