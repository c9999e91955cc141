#include "programs/cli/data_command.h"

#include <string>

#include "crossfold/data_report.h"
#include "crossfold/write_data.h"
#include "programs/cli/command.h"
#include "programs/cli/data_file.h"
#include "programs/cli/exit_code.h"
#include "programs/cli/standard_output.h"

namespace crossfold::cli {

struct DataCommand::Impl {
  const Command* describe = nullptr;
  DataFileOptions file;
  DataReportOptions report;
  bool json = false;
  const Command* convert = nullptr;
  DataFileOptions source;
  std::string output, output_format;
};

DataCommand::DataCommand(Command& data) : impl_(std::make_unique<Impl>()) {
  Command& describe =
      data.AddCommand("describe", "Show types, missing entries, classes and likely mistakes");
  impl_->describe = &describe;
  DeclareDataFile(describe, impl_->file);
  describe
      .AddOption("--folds", impl_->report.folds,
                 "Number of folds that you plan to use; smaller classes are reported; default 10")
      .Range(2, 1'000'000);
  describe
      .AddOption("--most-frequent", impl_->report.most_frequent,
                 "Number of values listed for a categorical column; default 3")
      .Range(1, 1'000'000);
  describe.AddFlag("--json", impl_->json, "As JSON");
  Command& convert =
      data.AddCommand("convert", "Convert data to another format, with roles and types");
  impl_->convert = &convert;
  DeclareDataFile(convert, impl_->source);
  convert
      .AddOption("output", impl_->output,
                 "New file; its extension determines the format, as in iris.arrow")
      .Required();
  convert.AddOption("--to", impl_->output_format, "Format of the new file, whatever its extension");
}

DataCommand::~DataCommand() = default;

bool DataCommand::was_given() const {
  return impl_->describe->was_given() || impl_->convert->was_given();
}

int DataCommand::Run(const PluginHost& plugins) const {
  if (impl_->convert->was_given()) return Convert(plugins);
  const auto data = ReadDataFile(impl_->file, plugins);
  const DataReport report = DescribeData({data, nullptr}, impl_->report);
  const std::string text = impl_->json ? ToJson(report) : ToText(report);
  Print(text);
  return kOk;
}

int DataCommand::Convert(const PluginHost& plugins) const {
  const auto data = ReadDataFile(impl_->source, plugins);
  WriteData(plugins, data, impl_->output, {.format = impl_->output_format});
  Print("wrote '" + impl_->output + "': " + std::to_string(data->num_rows()) + " rows, " +
        std::to_string(data->columns().size()) + " columns\n");
  return kOk;
}

}  // namespace crossfold::cli
