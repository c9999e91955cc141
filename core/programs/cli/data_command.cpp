#include <string>

#include "crossfold/write_data.h"
#include "programs/cli/command.h"
#include "programs/cli/commands.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {

void DeclareData(Command& data, DataOptions& options) {
  Command& describe =
      data.AddCommand("describe", "Show types, missing entries, classes and likely mistakes");
  DeclareDataFile(describe, options.file);
  describe
      .AddOption("--folds", options.report.folds,
                 "Number of folds that you plan to use; smaller classes are reported; default 10")
      .Range(2, 1'000'000);
  describe
      .AddOption("--most-frequent", options.report.most_frequent,
                 "Number of values listed for a categorical column; default 3")
      .Range(1, 1'000'000);
  describe.AddFlag("--json", options.json, "As JSON");
  Command& convert =
      data.AddCommand("convert", "Convert data to another format, with roles and types");
  DeclareDataFile(convert, options.file);
  convert
      .AddOption("output", options.output,
                 "New file; its extension determines the format, as in iris.arrow")
      .Required();
  convert.AddOption("--to", options.output_format,
                    "Format of the new file, whatever its extension");
}

int DescribeDataFile(const DataOptions& options, const PluginHost& plugins) {
  const auto data = ReadDataFile(options.file, plugins);
  const DataReport report = DescribeData({data, nullptr}, options.report);
  Print(options.json ? ToJson(report) : ToText(report));
  return kOk;
}

int ConvertDataFile(const DataOptions& options, const PluginHost& plugins) {
  const auto data = ReadDataFile(options.file, plugins);
  WriteData(plugins, data, options.output, {.format = options.output_format});
  Print("wrote '" + options.output + "': " + std::to_string(data->num_rows()) + " rows, " +
        std::to_string(data->columns().size()) + " columns\n");
  return kOk;
}

}  // namespace crossfold::cli
