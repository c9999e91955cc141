// The source crossfold.svmlight.
#pragma once

#include <array>
#include <cstdint>

#include "svmlight_reader.h"
#include "text_params.h"

namespace crossfold::reading {

struct Svmlight {
  static constexpr std::array<const char*, 3> kEndings = {"svm", "libsvm", "svmlight"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.svmlight",
                    .title = "The format of SVMlight and LIBSVM",
                    .doc = "Reads text files of a label and index:value pairs a line. Features are "
                           "f1, f2, ... of type f64, 0 where a line does not name them; the label "
                           "is the column target.",
                    .source = "https://www.csie.ntu.edu.tw/~cjlin/libsvm/"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  enum class Task { kClassification, kRegression };
  static constexpr std::array<const char*, 2> kTasks = {"classification", "regression"};
  struct Params : FileParams {
    Task task = Task::kClassification;
    std::int64_t n_features = 0;
  };
  static constexpr auto kSchema = cf::Schema(
      cf::Choice("task", &Params::task, kTasks, "Whether labels are class names or numbers."),
      cf::Integer("n_features", &Params::n_features, {.low = 0},
                  "Minimum number of features; 0 = the largest index in the file."),
      MemoryMapParam<Params>(),
      cf::Integer("most_bytes", &Params::most_bytes, {.low = 1},
                  "Maximum size of all features as dense columns, and of the text of a file that "
                  "is compressed or read from a pipe.",
                  {.flags = CF_PF_NO_EFFECT_ON_RESULT, .unit = "bytes"}));

  static int Sniff(const cf::SourceInput& input) { return SniffByName(input, kEndings); }
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context) {
    return ReadTextFile(params, TextEncoding::kUtf8, input, context,
                        [&](const TextSource& source, const ChunkedReading& reading) {
                          return ReadSvmlightText(source, input,
                                                  {.regression = params.task == Task::kRegression,
                                                   .n_features = params.n_features,
                                                   .most_bytes = params.most_bytes},
                                                  reading);
                        });
  }
};

}  // namespace crossfold::reading
