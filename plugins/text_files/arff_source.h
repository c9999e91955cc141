// The source crossfold.arff.
#pragma once

#include <array>

#include "text_params.h"

namespace crossfold::reading {

struct Arff {
  static constexpr std::array<const char*, 1> kEndings = {"arff"};
  static constexpr cf::SourceInfo kInfo{
      .component = {.id = "crossfold.arff",
                    .title = "ARFF, the format of Weka and OpenML",
                    .doc = "Reads text files that declare their columns: lists of values are "
                           "categorical with their levels in that order, numeric and integer are "
                           "i64 if all values are, else f64. Sparse lines are read, too.",
                    .source = "https://waikato.github.io/weka-wiki/formats_and_processing/"
                              "arff_stable/"},
      .endings = kEndings,
      .promises = CF_SOURCE_READS_ONE_FILE};
  struct Params : FileParams {
    EncodingName encoding = EncodingName::kUtf8;
  };
  static constexpr auto kSchema =
      cf::Schema(EncodingParam<Params>(), MemoryMapParam<Params>(), MostBytesParam<Params>());

  static int Sniff(const cf::SourceInput& input);
  static cf::Columns Open(const Params& params, const cf::SourceInput& input,
                          const cf::Context& context);
};

}  // namespace crossfold::reading
