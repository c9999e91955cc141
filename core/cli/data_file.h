// A data file named on the command line, with the options that say how it is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"

namespace crossfold::cli {

class Command;

struct DataFileOptions {
  std::string path, format;  // an empty format: as the ending says
  Roles roles;
  std::vector<std::string> types;  // "column=type"
  std::vector<std::string> missing, names, drop_missing;
  std::string separator, quote, decimal, thousands, encoding, comment;
  std::string query, table;
  std::int64_t skip_lines = 0;
  std::uint64_t most_bytes = 0;  // 0 = the reader's own limit
  std::string task;              // of a LIBSVM file
  bool no_header = false;
};

// Declares FILE and the options of all formats.
void DeclareDataFile(Command& command, DataFileOptions& options);
// Declares the options alone.
void DeclareDataOptions(Command& command, DataFileOptions& options);

// As --format, the ending or the bytes of the file say.
std::string FormatOf(const DataFileOptions& options);
// Reads it by its format. Throws Error; an option that the format does not have is refused.
std::shared_ptr<const Dataset> ReadDataFile(const DataFileOptions& options);
// The call of cf.read, as Lua text, that reads the same. Throws Error as ReadDataFile, but does not
// open the file to read it.
std::string ReadCallText(const DataFileOptions& options);

}  // namespace crossfold::cli
