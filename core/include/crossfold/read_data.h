// Reading a file, a database or whatever else a source plugin knows: the core itself knows no
// format.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "crossfold/column_types.h"
#include "crossfold/component.h"
#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"
#include "crossfold/reading_limits.h"
#include "crossfold/value.h"

namespace crossfold {

struct ReadRequest {
  // The id of a source ("crossfold.csv"), its short id, or an ending of names that it reads. Empty
  // = the source that is surest of the name and the first bytes.
  std::string format = {};
  ParamValues options = {};  // of the source, as its parameters declare them
  Roles roles = {};
  ColumnTypes types = {};
  // Columns as other data has them, such as FittedModel::columns(): the type of a column of that
  // name that `types` does not mention; the levels come first, in this order, whether an entry has
  // them or not. Levels that have an order keep it unless there are others. Columns that the data
  // lacks do not matter.
  std::vector<ColumnDeclaration> like = {};
  // Rows without an entry in one of these columns, or roles as "target", are left out. Types and
  // levels are those of all rows.
  std::vector<std::string> drop_missing = {};
  int threads = 0;  // 0 = one a core; the dataset is the same for any number
  ReadingLimits limits = {};
  // What asks is not trusted: only paths are read, by sources that promise to read nothing but this
  // file, and which get CF_INPUT_NOT_TRUSTED.
  bool sandboxed = false;
};

// The dataset is named after the file. A column has the role that the source names unless `roles`
// name another one. Throws Error (kIo, kBadData, kInvalidArgument, kBadPlugin, kCancelled,
// kOutOfMemory), such as
//   cannot read 'a.csv': line 3 has 4 fields, the header has 5
//   cannot read 'a.csv': there is no format 'cvs'; did you mean 'csv'? ...
//   cannot read 'a.pq' through source 'org.example.parquet': column 'tags' is of type list (+l);
//   ...
std::shared_ptr<const Dataset> ReadData(const PluginHost& host, const std::string& location,
                                        const ReadRequest& request);

// The source that ReadData takes. Throws Error as ReadData does.
std::shared_ptr<const Component> FindSource(const PluginHost& host, const std::string& location,
                                            const ReadRequest& request);

// What `format` may be: short ids of the sources and endings of names, sorted.
std::vector<std::string> FormatNames(const PluginHost& host);

}  // namespace crossfold
