// Reading a file, a database or anything else that a source plugin knows. The core itself knows no
// format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/column_types.h"
#include "crossfold/component.h"
#include "crossfold/dataset.h"
#include "crossfold/infinite_entries.h"
#include "crossfold/plugin_host.h"
#include "crossfold/reading_limits.h"
#include "crossfold/value.h"

namespace crossfold {

struct ReadRequest {
  // The id of a source ("crossfold.csv"), its short id, or a file name ending that it reads. Empty
  // = the source that is most certain, from the name and the first bytes.
  std::string format = {};
  ParamValues options = {};  // of the source, as its parameters declare them
  Roles roles = {};
  ColumnTypes types = {};
  // Columns as other data has them, such as FittedModel::columns(). They give types to columns of
  // the same names that `types` does not mention. Their levels come first, in this order, whether
  // an entry has them or not. Ordered levels keep their order unless there are other levels.
  // Columns that the data lacks do not matter.
  std::vector<ColumnDeclaration> like = {};
  // Rows without an entry in one of these columns (or roles, such as "target") are left out. Types
  // and levels are still those of all rows.
  std::vector<std::string> drop_missing = {};
  InfiniteEntries infinite = InfiniteEntries::kRefuse;
  int threads = 0;  // 0 = one per core; the dataset is the same for any number
  ReadingLimits limits = {};
  // The code that asks is not trusted: only paths are read, by sources that promise to read only
  // this file and that get CF_INPUT_NOT_TRUSTED.
  bool sandboxed = false;
};

// Reads a dataset and names it after the file. What a user should know of it, such as a column of
// numbers that a few cells make a category, is in Dataset::notes() and in the log. A column has the
// role that the source gives it unless `roles` name another column. Throws Error (kIo, kBadData,
// kInvalidArgument, kBadPlugin, kCancelled, kOutOfMemory), such as
//   cannot read 'a.csv': line 3 has 4 fields, the header has 5
//   cannot read 'a.csv': there is no format 'cvs'; did you mean 'csv'? ...
//   cannot read 'a.pq' through source 'org.example.parquet': column 'tags' is of type list (+l);
//   ...
std::shared_ptr<const Dataset> ReadData(const PluginHost& host, const std::string& location,
                                        const ReadRequest& request);

// Returns the source that ReadData uses. Throws Error as ReadData does.
std::shared_ptr<const Component> FindSource(const PluginHost& host, const std::string& location,
                                            const ReadRequest& request);

// Returns the possible values of `format`, sorted: short ids of the sources and file name endings.
std::vector<std::string> FormatNames(const PluginHost& host);

}  // namespace crossfold
