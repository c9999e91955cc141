// What a learner predicts for a row, as a host of either version asks it.
#pragma once

#include <cstdint>

#include "crossfold/component.h"
#include "engine/plugin/plugin_call.h"
#include "gtest/gtest.h"

namespace crossfold {

inline std::int32_t FirstLabel(const Component& learner) {
  const double entry = 1;
  const std::int32_t label = 0;
  const char* const classes[] = {"a", "b"};
  cf_column feature{}, target{};
  feature.data = &entry;
  feature.name = "x";
  feature.dtype = CF_F64;
  target.data = &label;
  target.name = "y";
  target.dtype = CF_CAT32;
  target.levels = classes;
  target.n_levels = 2;
  cf_table rows{};
  rows.struct_size = sizeof(rows);
  rows.n_rows_total = rows.n_rows = rows.n_features = 1;
  rows.features = &feature;
  rows.target = &target;
  cf_model* model = nullptr;
  std::int32_t predicted = -1;
  cf_prediction out{};
  out.struct_size = sizeof(out);
  out.n_rows = 1;
  out.n_classes = 2;
  out.labels = &predicted;
  EXPECT_EQ(CallPlugin(learner, {},
                       [&](const cf_call* call) {
                         const cf_status status =
                             learner.learner->fit(call, nullptr, 0, &rows, &model);
                         if (status != CF_OK) return status;
                         rows.target = nullptr;
                         return learner.learner->predict(call, model, &rows, &out);
                       })
                .message,
            "");
  DestroyModel(learner, model);
  return predicted;
}

}  // namespace crossfold
