#include "programs/cli/data_checks.h"

#include <cstdint>
#include <string>

#include "programs/cli/command.h"
#include "programs/cli/data_file.h"
#include "programs/cli/lua_text.h"
#include "programs/cli/made_script.h"
#include "programs/cli/script_command.h"

namespace crossfold::cli {
namespace {

constexpr const char* kFooter =
    "It makes a Lua script, runs it as crossfold run does, and shows it.";

}  // namespace

struct DataChecks::Impl {
  const Command* labels = nullptr;
  const Command* compare = nullptr;
  DataFileOptions labelled, old_rows;
  std::string new_path;
  std::string learner;  // an id with parameters; "" = the default of the function
  std::string report, script;

  // A call of `function` with these options of its own, which prints its answer.
  std::string ScriptText(const char* function, const std::string& data, std::uint64_t seed,
                         const PluginHost& plugins) const {
    std::string fields = data;
    if (!learner.empty()) {
      fields += "  learner = " + SpecText(Kind::kLearner, learner, plugins) + ",\n";
    }
    // Integers of Lua have a sign.
    fields += "  seed = " + std::to_string(static_cast<std::int64_t>(seed)) + ",\n";
    std::string text = std::string("local cf = require \"crossfold\"\n\nlocal found = cf.") +
                       function + " {\n" + fields + "}\n";
    if (!report.empty()) text += "found:report { file = " + LuaString(report) + " }\n";
    return text + "return found\n";
  }
};

DataChecks::DataChecks(Command& data, const std::function<void(Command&)>& declare_run)
    : impl_(std::make_unique<Impl>()) {
  Command& labels =
      data.AddCommand("labels", "List rows whose label looks wrong; fits a learner in each fold");
  impl_->labels = &labels;
  DeclareDataFile(labels, impl_->labelled);
  Command& compare = data.AddCommand(
      "compare", "Ask whether new rows look like old ones; fits a classifier of old and new");
  impl_->compare = &compare;
  compare.AddOption("old", impl_->old_rows.path, "Data file, as crossfold data describe reads it")
      .Required();
  compare.AddOption("new", impl_->new_path, "Data file with the new rows, read in the same way")
      .Required();
  DeclareDataOptions(compare, impl_->old_rows);
  for (Command* command : {&labels, &compare}) {
    command->AddOption("--learner", impl_->learner,
                       "Learner with probabilities: ID or ID{NAME=VALUE,...}; default "
                       "random_forest");
    DeclareMadeScript(*command, impl_->report, impl_->script);
    declare_run(*command);
    command->SetFooter(kFooter);
  }
}

DataChecks::~DataChecks() = default;

bool DataChecks::was_given() const {
  return impl_->labels->was_given() || impl_->compare->was_given();
}

void DataChecks::Make(const PluginHost& plugins, ScriptOptions& run) const {
  const bool compares = impl_->compare->was_given();
  std::string data;
  if (compares) {
    DataFileOptions new_rows = impl_->old_rows;
    new_rows.path = impl_->new_path;
    data = "  old = " + ReadCallText(impl_->old_rows, plugins) +
           ",\n  new = " + ReadCallText(new_rows, plugins) + ",\n";
  } else {
    data = "  data = " + ReadCallText(impl_->labelled, plugins) + ",\n";
  }
  const char* function = compares ? "adversarial_validation" : "label_issues";
  run.made_by = compares ? "data compare" : "data labels";
  KeepScript(impl_->ScriptText(function, data, run.seed, plugins), impl_->script, run);
}

}  // namespace crossfold::cli
