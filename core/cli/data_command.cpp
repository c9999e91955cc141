#include "cli/data_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>

#include "cli/data_file.h"
#include "cli/exit_code.h"
#include "crossfold/data_report.h"

namespace crossfold::cli {

struct DataCommand::Impl {
  CLI::App* data = nullptr;
  DataFileOptions file;
  DataReportOptions report;
  bool json = false;
};

DataCommand::DataCommand(CLI::App& app) : impl_(std::make_unique<Impl>()) {
  impl_->data = app.add_subcommand("data", "Look at data");
  impl_->data->require_subcommand(1);
  CLI::App* describe = impl_->data->add_subcommand(
      "describe", "Types, missing entries, classes, and what looks like a mistake");
  DeclareDataFile(*describe, impl_->file);
  describe
      ->add_option("--folds", impl_->report.folds,
                   "Folds that you mean to use: smaller classes are told; default 10")
      ->check(CLI::Range(2, 1'000'000));
  describe
      ->add_option("--most-frequent", impl_->report.most_frequent,
                   "Values listed for a column of categories; default 3")
      ->check(CLI::Range(1, 1'000'000));
  describe->add_flag("--json", impl_->json, "As JSON");
}

DataCommand::~DataCommand() = default;

bool DataCommand::was_given() const { return impl_->data->parsed(); }

int DataCommand::Run() const {
  const auto data = ReadDataFile(impl_->file);
  const DataReport report = DescribeData({data, nullptr}, impl_->report);
  const std::string text = impl_->json ? ToJson(report) : ToText(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  return kOk;
}

}  // namespace crossfold::cli
