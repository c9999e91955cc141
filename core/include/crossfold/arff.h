// Reading ARFF files, the format of Weka and OpenML:
//   https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/csv.h"
#include "crossfold/dataset.h"

namespace crossfold {

struct ArffOptions {
  Roles roles = {};
  // As in CsvOptions: overrides of the declared types, columns as other data has them, and rows to
  // leave out.
  ColumnTypes types = {};
  std::vector<ColumnDeclaration> like = {};
  std::vector<std::string> drop_missing = {};
  TextEncoding encoding = TextEncoding::kUtf8;
  std::int64_t most_bytes = std::int64_t{4} << 30;  // of a text that was compressed
  int threads = 0;         // 0 = one a core; the dataset is the same for any number
  bool memory_map = true;  // as in CsvOptions
  ReadingLimits limits = {};
};

// A list of values is a categorical column with its levels in the order of the list; numeric and
// integer are i64 if all values are, else f64; real is f64; string is categorical with sorted
// levels. Dates and relations must be ignored by their type. An unquoted ? is missing. Sparse lines
// ({index value, ...}, from 0) hold 0, or the first value of a list, where they say nothing.
// Throws Error (kIo, kBadData, kInvalidArgument) naming file, line, attribute and finding.
std::shared_ptr<const Dataset> ReadArff(const std::filesystem::path& path,
                                        const ArffOptions& options);

// The same for text in memory; `name` stands for the file in messages and names the dataset.
std::shared_ptr<const Dataset> ParseArff(std::string_view text, const std::string& name,
                                         const ArffOptions& options);

}  // namespace crossfold
