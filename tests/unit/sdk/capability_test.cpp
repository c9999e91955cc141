// The capabilities that are one function each: check, importance, warm-start, validation, memory,
// fit-memory, export, onnx.
#include <array>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "crossfold_plugin/learner.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/byte_stream.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/mean_learner.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

struct Rich : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.rich"}, .tasks = CF_TASK_REGRESSION};

  static Rich Fit(const Params& p, const TrainingView& t, const Context&) {
    return FitAs<Rich>(p, t);
  }
  static void Check(const Params& p, const cf_shape& s, const Context&) {
    if (p.offset > static_cast<double>(s.n_rows)) {
      throw Error(CF_E_INVALID_PARAM, "offset exceeds the rows");
    }
  }
  static std::uint64_t FitBytes(const Params& p, const cf_shape& s, const Context& c) {
    if (p.offset < 0) throw Error(CF_E_INVALID_PARAM, "offset is negative");
    return static_cast<std::uint64_t>(s.n_rows) * 8 * c.n_threads();
  }
  void Importance(std::span<double> out, const Context&) const {
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = static_cast<double>(j) + offset;
  }
  static Rich FitFrom(const Params& p, const TrainingView& t, const Rich& start, const Context&) {
    Rich m = start;
    m.offset = p.offset;
    m.Add(t, +1);
    return m;
  }
  static constexpr std::array<const char*, 1> kValidationParams = {"offset"};
  static Rich FitValidated(const Params& p, const TrainingView& t, const TrainingView& validation,
                           const Context& c) {
    Rich m = Fit(p, t, c);
    m.offset = validation.value(0);
    return m;
  }
  std::uint64_t Bytes() const {
    if (offset < 0) throw std::logic_error("negative");
    return 24;
  }
  static constexpr std::array<const char*, 2> kExportFormats = {"text", "dot"};
  std::string Export(std::size_t format, const Context& context) const {
    if (offset < 0) throw Error(CF_E_NUMERIC, "an offset below 0 has no text");
    return (format == 0 ? "mean with seed " : "digraph ") + std::to_string(context.seed());
  }
  void AddOnnx(const FeatureView& columns, OnnxGraph& graph, const Context&) const {
    if (offset < 0) throw Error(CF_E_UNSUPPORTED, "an offset below 0 has no graph");
    const OnnxGraph::Value sum = graph.Node("Add", {graph.Columns(), graph.Number(offset + 1.5)},
                                            {{"a", 2}, {"b", 3, true}});
    graph.SetOutput(std::string(columns.name(0)) + "\t\"", sum);
  }
};

// Knows the features that it was fitted on.
struct Shaped : MeanLearner {
  static constexpr LearnerInfo kInfo{.component = {.id = "test.shaped"},
                                     .tasks = CF_TASK_REGRESSION};
  static Shaped Fit(const Params&, const TrainingView& t, const Context&) {
    Shaped m;
    m.n_features = t.num_features();
    return m;
  }
  static Shaped FitFrom(const Params&, const TrainingView&, const Shaped& start, const Context&) {
    return start;
  }
  ModelShape shape() const { return {.n_features = n_features}; }

  std::int64_t n_features = 0;
};

const cf_learner* Learner() { return internal::LearnerAdapter<Rich>::Table(); }

// The defaults with another offset.
std::vector<cf_arg> WithOffset(double offset) {
  std::vector<cf_arg> args = DefaultArgs(Learner());
  args[0].value.u.r = offset;
  return args;
}

cf_shape ShapeOfRows(std::int64_t n_rows) {
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = n_rows;
  return shape;
}

struct CapabilityTest : testing::Test {
  CapabilityTest() : table({{0}, {0}}, 1) { table.WithValues({2, 4}); }
  SmallTable table;
  FakeCall call;
};

TEST_F(CapabilityTest, CheckPassesWhatFits) {
  const auto* check = CapabilityOf<cf_cap_check>(Learner(), CF_CAP_CHECK);
  ASSERT_NE(check, nullptr);
  EXPECT_EQ(check->struct_size, sizeof(cf_cap_check));
  const cf_shape shape = ShapeOfRows(10);
  const auto args = DefaultArgs(Learner());
  EXPECT_EQ(check->check(call.get(), args.data(), args.size(), &shape), CF_OK);
}

TEST_F(CapabilityTest, CheckRefusesWithTheReason) {
  const auto* check = CapabilityOf<cf_cap_check>(Learner(), CF_CAP_CHECK);
  const cf_shape shape = ShapeOfRows(10);
  const auto args = WithOffset(11);
  EXPECT_EQ(check->check(call.get(), args.data(), args.size(), &shape), CF_E_INVALID_PARAM);
  EXPECT_EQ(call.message, "offset exceeds the rows");
}

TEST_F(CapabilityTest, ImportanceFillsOneNumberAFeature) {
  const auto* importance = CapabilityOf<cf_cap_importance>(Learner(), CF_CAP_IMPORTANCE);
  ASSERT_NE(importance, nullptr);
  const ModelPtr model = Fit(Learner(), call, table.table());
  std::vector<double> out(3);
  ASSERT_EQ(importance->importance(call.get(), model.get(), out.data(), out.size()), CF_OK);
  EXPECT_THAT(out, ElementsAre(0, 1, 2));
}

TEST_F(CapabilityTest, WarmStartGetsTheEarlierModelAndLeavesItAlone) {
  const auto* warm = CapabilityOf<cf_cap_warm_start>(Learner(), CF_CAP_WARM_START);
  ASSERT_NE(warm, nullptr);
  const ModelPtr start = Fit(Learner(), call, table.table());
  const auto args = WithOffset(100);
  const std::vector<std::int64_t> second = {1};
  const cf_table train = table.View(second);
  cf_model* out = nullptr;
  ASSERT_EQ(warm->fit_from(call.get(), args.data(), args.size(), &train, start.get(), &out), CF_OK);
  const ModelPtr model = Own(Learner(), out);
  // (2 + 4 + 4) / 3 + 100 and still (2 + 4) / 2.
  EXPECT_THAT(PredictValues(Learner(), call, model.get(), train), ElementsAre(10.0 / 3 + 100));
  EXPECT_THAT(PredictValues(Learner(), call, start.get(), train), ElementsAre(3.0));
}

TEST_F(CapabilityTest, WarmStartFromAModelOfAnotherShapeIsRefusedBeforeTheLearnerSeesIt) {
  const cf_learner* shaped = internal::LearnerAdapter<Shaped>::Table();
  const auto* warm = CapabilityOf<cf_cap_warm_start>(shaped, CF_CAP_WARM_START);
  const ModelPtr start = Fit(shaped, call, table.table());
  SmallTable wide({{0, 0}}, 2);
  wide.WithValues({2});
  const cf_table train = wide.table();
  const auto args = DefaultArgs(shaped);
  cf_model* out = nullptr;
  EXPECT_EQ(warm->fit_from(call.get(), args.data(), args.size(), &train, start.get(), &out),
            CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(call.message, "the model is for 1 features, the rows have 2");
}

TEST_F(CapabilityTest, ValidationRowsComeWithTheirTargetAndIndex) {
  const auto* validation = CapabilityOf<cf_cap_validation>(Learner(), CF_CAP_VALIDATION);
  ASSERT_NE(validation, nullptr);
  const std::vector<std::int64_t> first = {0}, second = {1};
  const cf_table train = table.View(first), held = table.View(second);
  const auto args = DefaultArgs(Learner());
  cf_model* out = nullptr;
  ASSERT_EQ(validation->fit_validated(call.get(), args.data(), args.size(), &train, &held, &out),
            CF_OK);
  const ModelPtr model = Own(Learner(), out);
  EXPECT_THAT(PredictValues(Learner(), call, model.get(), train), ElementsAre(2.0 + 4.0));
}

TEST_F(CapabilityTest, ValidationNamesItsParameters) {
  const auto* validation = CapabilityOf<cf_cap_validation>(Learner(), CF_CAP_VALIDATION);
  ASSERT_EQ(validation->n_params, 1u);
  EXPECT_STREQ(validation->params[0], "offset");
}

TEST_F(CapabilityTest, ValidationRowsWithoutATargetAreRefused) {
  const auto* validation = CapabilityOf<cf_cap_validation>(Learner(), CF_CAP_VALIDATION);
  cf_table held = table.table();
  const cf_table train = held;
  held.target = nullptr;
  const auto args = DefaultArgs(Learner());
  cf_model* out = nullptr;
  EXPECT_EQ(validation->fit_validated(call.get(), args.data(), args.size(), &train, &held, &out),
            CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call.message, "training rows have no target");
}

TEST_F(CapabilityTest, MemoryTellsTheBytes) {
  const auto* memory = CapabilityOf<cf_cap_memory>(Learner(), CF_CAP_MEMORY);
  ASSERT_NE(memory, nullptr);
  const ModelPtr model = Fit(Learner(), call, table.table());
  EXPECT_EQ(memory->model_bytes(&Learner()->info, model.get()), 24u);
}

TEST_F(CapabilityTest, MemoryThatThrowsIsZeroSinceThereIsNoCallToFail) {
  const ModelPtr model = Fit(Learner(), call, table.table(), WithOffset(-1));
  const auto* memory = CapabilityOf<cf_cap_memory>(Learner(), CF_CAP_MEMORY);
  EXPECT_EQ(memory->model_bytes(&Learner()->info, model.get()), 0u);
}

TEST_F(CapabilityTest, FitMemoryIsThatOfTheRowsAndTheThreadsOfTheCall) {
  const auto* memory = CapabilityOf<cf_cap_fit_memory>(Learner(), CF_CAP_FIT_MEMORY);
  ASSERT_NE(memory, nullptr);
  const cf_shape shape = ShapeOfRows(10);
  auto args = DefaultArgs(Learner());
  std::uint64_t bytes = 0;
  ASSERT_EQ(memory->fit_bytes(call.get(), args.data(), args.size(), &shape, &bytes), CF_OK);
  EXPECT_EQ(bytes, 80u);
  args[0].value.u.r = -1;
  EXPECT_EQ(memory->fit_bytes(call.get(), args.data(), args.size(), &shape, &bytes),
            CF_E_INVALID_PARAM);
  EXPECT_EQ(call.message, "offset is negative");
  EXPECT_EQ(bytes, 0u);
}

std::string TextIn(const ByteSink& sink) { return {sink.bytes.begin(), sink.bytes.end()}; }

TEST_F(CapabilityTest, ExportNamesItsFormatsAndWritesThem) {
  const auto* table_of = CapabilityOf<cf_cap_export>(Learner(), CF_CAP_EXPORT);
  ASSERT_NE(table_of, nullptr);
  EXPECT_EQ(table_of->struct_size, sizeof(cf_cap_export));
  ASSERT_EQ(table_of->n_formats, 2u);
  EXPECT_STREQ(table_of->formats[0], "text");
  EXPECT_STREQ(table_of->formats[1], "dot");
  const ModelPtr model = Fit(Learner(), call, table.table());
  const std::string seed = std::to_string(call.get()->seed);
  for (const auto& [format, text] :
       {std::pair<std::size_t, std::string>{0, "mean with seed "}, {1, "digraph "}}) {
    ByteSink sink;  // takes three bytes at a time
    const cf_writer writer = sink.writer();
    ASSERT_EQ(table_of->export_model(call.get(), model.get(), format, &writer), CF_OK);
    EXPECT_EQ(TextIn(sink), text + seed);
  }
}

TEST_F(CapabilityTest, ExportRefusesAFormatThatItDoesNotName) {
  const auto* table_of = CapabilityOf<cf_cap_export>(Learner(), CF_CAP_EXPORT);
  const ModelPtr model = Fit(Learner(), call, table.table());
  ByteSink sink;
  const cf_writer writer = sink.writer();
  EXPECT_EQ(table_of->export_model(call.get(), model.get(), 2, &writer), CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call.message, "there is no such format");
  EXPECT_EQ(TextIn(sink), "");
}

TEST_F(CapabilityTest, ExportPassesOnWhatTheModelThrows) {
  const ModelPtr model = Fit(Learner(), call, table.table(), WithOffset(-1));
  ByteSink sink;
  const cf_writer writer = sink.writer();
  EXPECT_EQ(CapabilityOf<cf_cap_export>(Learner(), CF_CAP_EXPORT)
                ->export_model(call.get(), model.get(), 0, &writer),
            CF_E_NUMERIC);
  EXPECT_EQ(call.message, "an offset below 0 has no text");
}

TEST_F(CapabilityTest, ExportTellsThatTheHostTookNoBytes) {
  const ModelPtr model = Fit(Learner(), call, table.table());
  ByteSink sink;
  sink.refuse_with = -1;
  const cf_writer writer = sink.writer();
  EXPECT_EQ(CapabilityOf<cf_cap_export>(Learner(), CF_CAP_EXPORT)
                ->export_model(call.get(), model.get(), 0, &writer),
            CF_E_INTERNAL);
}

// The bytes of 1.5 are 00 00 00 00 00 00 F8 3F, in base64 AAAAAAAA+D8=.
TEST_F(CapabilityTest, OnnxWritesTheGraphAsJson) {
  const auto* table_of = CapabilityOf<cf_cap_onnx>(Learner(), CF_CAP_ONNX);
  ASSERT_NE(table_of, nullptr);
  const ModelPtr model = Fit(Learner(), call, table.table());
  const cf_table columns = table.table();
  ByteSink sink;
  const cf_writer writer = sink.writer();
  ASSERT_EQ(table_of->write_graph(call.get(), model.get(), &columns, &writer), CF_OK);
  EXPECT_EQ(TextIn(sink), R"({"node":[{"opType":"Add","input":["column 0","constant 0"],)"
                          R"("output":["value 1"],"attribute":[{"name":"a","type":"INT","i":2},)"
                          "\n"
                          R"({"name":"b","type":"INTS","ints":[3]}]},)"
                          "\n"
                          R"({"opType":"Identity","input":["value 1"],"output":["x0\u0009\""],)"
                          R"("attribute":[]}],"initializer":[{"name":"constant 0","dataType":11,)"
                          R"("dims":[],"rawData":"AAAAAAAA+D8="}],"input":[{"name":"column 0"}],)"
                          R"("output":[{"name":"x0\u0009\""}]})"
                          "\n");
}

TEST_F(CapabilityTest, OnnxPassesOnWhatTheModelThrows) {
  const ModelPtr model = Fit(Learner(), call, table.table(), WithOffset(-1));
  const cf_table columns = table.table();
  ByteSink sink;
  const cf_writer writer = sink.writer();
  EXPECT_EQ(CapabilityOf<cf_cap_onnx>(Learner(), CF_CAP_ONNX)
                ->write_graph(call.get(), model.get(), &columns, &writer),
            CF_E_UNSUPPORTED);
  EXPECT_EQ(call.message, "an offset below 0 has no graph");
}

}  // namespace
}  // namespace crossfold::plugin
