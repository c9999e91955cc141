#include "svmlight_source.h"

#include "svmlight_reader.h"

namespace crossfold::reading {

int Svmlight::Sniff(const cf::SourceInput& input) { return SniffByName(input, kEndings); }

cf::Columns Svmlight::Open(const Params& params, const cf::SourceInput& input,
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

}  // namespace crossfold::reading
