// What csv.h promises, with the size of the chunks.
#pragma once

#include <memory>
#include <string>

#include "crossfold/csv.h"
#include "data/csv_records.h"
#include "data/text_chunks.h"

namespace crossfold {

// Chunks of any size, read by any number of threads, give the same dataset or the same message.
std::shared_ptr<const Dataset> ReadCsvText(const CsvSource& source, const std::string& dataset_name,
                                           const CsvOptions& options,
                                           const ChunkedReading& reading);

}  // namespace crossfold
