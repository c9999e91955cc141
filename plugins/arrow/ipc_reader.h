// Reads an Arrow IPC file or stream, one record batch after the other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../reading/file_text.h"
#include "crossfold_plugin/columns.hpp"
#include "crossfold_plugin/context.hpp"
#include "crossfold_plugin/source.hpp"
#include "ipc_batch.h"
#include "ipc_column.h"
#include "ipc_dictionary.h"
#include "ipc_file.h"

namespace crossfold::reading {

class IpcReader {
 public:
  // Opens the file at the location of `input`, and reads its schema. Without `may_map` the file is
  // copied. Throws Error.
  static IpcReader Open(const cf::SourceInput& input, bool may_map);
  // Reads the schema of the bytes, which are those of `file`, or outlive all columns if it is null.
  IpcReader(std::string_view bytes, std::shared_ptr<const FileText> file,
            const cf::SourceInput& input);

  // Reads the columns of the next batch; their memory is that of the file where the format allows
  // it. A file without a batch gives columns without rows. Returns false if there are no more.
  // Throws Error.
  bool Next(cf::Columns& portion, const cf::Context& context);

 private:
  void ReadDictionary(const ipc::DictionaryBatch& table, std::string_view body);
  cf::Columns ReadBatch(const ipc::RecordBatch& table, std::string_view body) const;
  cf::SourceColumn ReadColumn(const IpcColumn& column, IpcBatch& batch) const;
  // An array as a column of its type, or as codes.
  cf::SourceColumn ToColumn(const IpcColumn& column, IpcArray array) const;
  cf::SourceColumn ToCategories(const IpcColumn& column, const IpcArray& array,
                                cf::SourceColumn indices) const;
  const IpcDictionary& DictionaryOf(const IpcColumn& column) const;

  std::int64_t most_bytes_;
  std::shared_ptr<const FileText> file_;
  IpcFile messages_;
  std::vector<IpcColumn> columns_;
  std::map<std::int64_t, IpcDictionary> dictionaries_;  // by number
  bool has_given_ = false;
};

}  // namespace crossfold::reading
