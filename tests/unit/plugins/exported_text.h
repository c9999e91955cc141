// What crossfold.export/1 makes of a fitted model.
#pragma once

#include <string>
#include <string_view>

#include "unit/plugins/component_calls.h"

namespace crossfold {

// The first format: "text".
inline std::string ExportedText(std::string_view learner, const ParamValues& params,
                                const DataView& train) {
  const auto spec = laws::LearnerSpec(learner, params);
  const auto* table = laws::Required<cf_cap_export>(*spec, CF_CAP_EXPORT);
  const laws::ModelPtr model = laws::Fit(*spec, train);
  if (table == nullptr || model == nullptr) return "";
  EXPECT_EQ(std::string_view(table->formats[0]), "text");
  plugin::ByteSink sink;
  const cf_writer writer = sink.writer();
  const CallResult result = CallPlugin(spec->component(), {}, [&](const cf_call* call) {
    return table->export_model(call, model.get(), 0, &writer);
  });
  EXPECT_EQ(result.message, "");
  return {sink.bytes.begin(), sink.bytes.end()};
}

}  // namespace crossfold
