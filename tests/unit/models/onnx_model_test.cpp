// Joining the graphs of a pipeline. tests/onnx runs the models of the bundled components.
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "crossfold/fitted_model.h"
#include "crossfold/run.h"
#include "gmock/gmock.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Centred;
using fixture::Classes;
using fixture::ExpectError;
using fixture::Fit;
using fixture::Learner;
using fixture::Numbers;
using ::testing::HasSubstr;

std::string Onnx(const FittedModel& model) { return model.Export("onnx", RunOptions()); }

TEST(OnnxModelTest, AStepWithoutAnOnnxFormIsNamed) {
  const auto model = Fit(Centred("center", "drawn_graph"), All(Numbers({1, 2}, {3, 4})));
  EXPECT_THAT(model->export_formats(), testing::IsEmpty());
  ExpectError(ErrorKind::kInvalidArgument,
              "cannot export 'fixture.center{mode=center}|fixture.drawn_graph': the transform "
              "'fixture.center' "
              "has no ONNX form; use one that has",
              [&] { Onnx(*model); });
}

TEST(OnnxModelTest, InputsAndOutputsHaveTheNamesOfFeaturesAndResults) {
  const auto model = Fit(Learner("drawn_graph"), All(Numbers({1, 2}, {3, 4})));
  EXPECT_THAT(model->export_formats(), testing::ElementsAre("onnx"));
  const std::string bytes = Onnx(*model);
  // Length-prefixed names: of the feature, of its value in the graph, and of the result.
  EXPECT_THAT(bytes, HasSubstr(std::string("\x0a\x01x", 3)));
  EXPECT_THAT(bytes, HasSubstr("step 1: column 0"));
  EXPECT_THAT(bytes, HasSubstr(std::string("\x0a\x05value", 7)));
  EXPECT_EQ(Onnx(*model), bytes);
}

TEST(OnnxModelTest, AResultWithTheNameOfAFeatureGetsAnUnderscore) {
  const auto data = Dataset::Create(
      "d", {Column::Doubles("value", {1, 2}), Column::Doubles("y", {3, 4})}, {.target = "y"});
  EXPECT_THAT(Onnx(*Fit(Learner("drawn_graph"), All(data))),
              HasSubstr(std::string("\x0a\x06value_", 8)));
}

TEST(OnnxModelTest, WhatIsWrongWithTheGraphOfAPluginIsTold) {
  for (const auto& [defect, finding] : {
           std::pair{"no_output", "has no output 'value'"},
           std::pair{"taken_name", "computes 'step 1: column 0' twice"},
       }) {
    const std::string name = "fixture.drawn_graph{defect=" + std::string(defect) + "}";
    ExpectError(
        ErrorKind::kFailed,
        "cannot export '" + name + "': the graph of the learner 'fixture.drawn_graph' " + finding +
            "; report this to the plugin's author",
        [&, defect = defect] {
          Onnx(*Fit(Learner("drawn_graph", {{"defect", defect}}), All(Numbers({1, 2}, {3, 4}))));
        });
  }
}

TEST(OnnxModelTest, AModelThatOnnxCannotExpressIsRefusedWithItsReason) {
  const auto model =
      Fit(Learner("drawn_graph", {{"defect", "refuses"}}), All(Numbers({1, 2}, {3, 4})));
  ExpectError(ErrorKind::kFailed,
              "cannot export 'fixture.drawn_graph{defect=refuses}': it has no graph",
              [&] { Onnx(*model); });
}

}  // namespace
}  // namespace crossfold
