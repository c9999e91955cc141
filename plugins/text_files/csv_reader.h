// Reads comma-separated text (RFC 4180): quoted fields, doubled quotes, newlines in quotes, LF or
// CRLF, an optional UTF-8 byte order mark.
#pragma once

#include "crossfold_plugin/source.hpp"
#include "csv_options.h"
#include "text_chunks.h"
#include "text_source.h"

namespace crossfold::reading {

namespace cf = crossfold::plugin;

// Levels of a categorical column are sorted: by value if all are numbers, else by bytes. Throws
// Error with line, column and finding, such as
//   line 3 has 4 fields, the header has 5
//   line 7, column 'age': 'x12' is not a number (type i64 was requested)
// Chunks of any size, read by any number of threads, give the same columns or the same message.
cf::Columns ReadCsvText(const TextSource& source, const cf::SourceInput& input,
                        const CsvOptions& options, const ChunkedReading& reading);

}  // namespace crossfold::reading
