// A learner that is fitted and exported as text.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "unit/plugins/component_calls.h"
#include "unit/sdk/byte_stream.h"

namespace crossfold {

// In the format of that name; "" (and the test fails) if there is no such format.
inline std::string ExportedText(std::string_view learner, const ParamValues& params,
                                const DataView& train, std::string_view format = "text") {
  const auto spec = laws::LearnerSpec(learner, params);
  const auto* table = laws::Required<cf_cap_export>(*spec, CF_CAP_EXPORT);
  if (table == nullptr) return "";
  std::size_t place = 0;
  while (place < table->n_formats && format != table->formats[place]) ++place;
  const auto model = laws::Fit(*spec, train);
  plugin::ByteSink sink;
  const cf_writer writer = sink.writer();
  const CallResult result = CallPlugin(spec->component(), {}, [&](const cf_call* call) {
    return table->export_model(call, model.get(), place, &writer);
  });
  EXPECT_EQ(result.message, "");
  return std::string(sink.bytes.begin(), sink.bytes.end());
}

}  // namespace crossfold
