#include "programs/cli/onnx_verification.h"

#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <utility>

#include "crossfold/error.h"
#include "crossfold/json_value.h"
#include "crossfold_plugin/view.hpp"
#include "programs/cli/onnx_script.h"

namespace crossfold::cli {
namespace {

JsonValue EntryOf(const cf_column& column, std::int64_t row) {
  const double entry = plugin::EntryAsDouble(column, row);
  if (std::isnan(entry)) return Null{};
  if (column.dtype != CF_CAT32) return entry;
  return column.levels[static_cast<std::size_t>(entry)];
}

JsonList EntriesOf(const cf_column& column, const DataView& rows) {
  JsonList entries;
  for (std::int64_t i = 0; i < rows.num_rows(); ++i) {
    entries.push_back(EntryOf(column, rows.row_id(i)));
  }
  return entries;
}

// The rows and what the model predicts for them, as the script reads them.
JsonValue RowsAndPredictions(SavedModel& model, const DataView& rows) {
  const ModelOutline outline = model.outline();
  const std::vector<std::string>& classes = outline.training.class_names;
  const Prediction predicted = model.Predict(rows);
  JsonObject columns;
  for (const ColumnDeclaration& wanted : outline.features) {
    const auto features = rows.data->features();
    const auto found = std::ranges::find_if(
        features, [&](const cf_column& column) { return column.name == wanted.name; });
    columns.push_back({wanted.name, EntriesOf(*found, rows)});
  }
  JsonList labels, probabilities;
  for (const std::int32_t label : predicted.labels) {
    labels.emplace_back(classes[static_cast<std::size_t>(label)]);
  }
  for (auto at = predicted.probabilities.begin(); at != predicted.probabilities.end();) {
    const auto end = at + static_cast<std::ptrdiff_t>(classes.size());
    probabilities.emplace_back(std::vector<double>(std::exchange(at, end), end));
  }
  return JsonObject{{"columns", std::move(columns)},
                    {"labels", std::move(labels)},
                    {"probabilities", std::move(probabilities)},
                    {"values", predicted.values}};
}

// As one word of a shell.
std::string Word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

// Runs a line of the shell with this input; returns its exit code.
int RunWithInput(const std::string& line, std::string_view input) {
  std::fflush(stdout);
  // The program may end before it has read its input.
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  std::FILE* const pipe = ::popen(line.c_str(), "w");
  int status = -1;
  if (pipe != nullptr) {
    std::fwrite(input.data(), 1, input.size(), pipe);
    status = ::pclose(pipe);
  }
  std::signal(SIGPIPE, before);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void VerifyOnnx(SavedModel& model, const DataView& rows, const std::string& file,
                const std::string& python) {
  constexpr int kNoProgram = 127;
  const std::string input = JsonText(RowsAndPredictions(model, rows));
  const int code = RunWithInput(
      "exec " + Word(python) + " -c " + Word(OnnxScript()) + " " + Word(file) + " -", input);
  if (code == 0) return;
  const std::string attempt = "cannot verify '" + file + "': ";
  if (code == kNoProgram) {
    throw Error(ErrorKind::kFailed, attempt + "there is no program '" + python +
                                          "'; name a Python that has numpy and onnx with --python");
  }
  throw Error(ErrorKind::kFailed, attempt + "'" + python + "' ended with " + std::to_string(code) +
                                      "; its lines above say why");
}

}  // namespace crossfold::cli
