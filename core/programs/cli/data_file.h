// Data named on the command line, with the options for reading it. A source plugin reads them; its
// parameters are options.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "crossfold/dataset.h"
#include "crossfold/plugin_host.h"

namespace crossfold::cli {

class Command;

struct DataFileOptions {
  std::string path, format;  // an empty format is found by the name or the first bytes
  Roles roles;
  std::vector<std::string> types;  // "column=type"
  std::vector<std::string> drop_missing;
  std::string infinite;
  // Parameters of the source that have an option of their own, by its name ("--skip-lines"); an
  // empty text is an option that was not given.
  std::map<std::string, std::string> texts;
  bool no_header = false;
  std::vector<std::string> parameters;  // "name=value", of any source
};

// Declares FILE and the options of all sources.
void DeclareDataFile(Command& command, DataFileOptions& options);
// Declares the options alone.
void DeclareDataOptions(Command& command, DataFileOptions& options);

// Throws Error; an option that the source does not have is refused.
std::shared_ptr<const Dataset> ReadDataFile(const DataFileOptions& options,
                                            const PluginHost& plugins);
// The options of that call, as in `{ target = "class" }`; "" = none. Throws Error as ReadDataFile,
// but does not read the file.
std::string ReadOptionsText(const DataFileOptions& options, const PluginHost& plugins);
// The call of cf.read, as Lua source, that reads the same. Throws Error as ReadDataFile, but does
// not read the file.
std::string ReadCallText(const DataFileOptions& options, const PluginHost& plugins);

}  // namespace crossfold::cli
