#include "crossfold_plugin/transform.hpp"

#include <array>
#include <deque>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/byte_stream.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

constexpr std::array<const char*, 2> kSides = {"low", "high"};

// Subtracts the training mean of the first column, names its side, and passes the second on.
struct Centre {
  static constexpr TransformInfo kInfo{.component = {.id = "test.centre"},
                                       .accepts = CF_ACCEPTS_NUMERIC};
  struct Params {
    std::int64_t repeat = 1;
  };
  static constexpr auto kSchema =
      Schema(Integer("repeat", &Params::repeat, {.low = 0}, "Times each row is repeated."));
  static constexpr std::uint32_t kFormatVersion = 1;

  double mean = 0;

  static Centre Fit(const Params&, const TrainingView& t, const Context&) {
    Centre c;
    for (std::int64_t i = 0; i < t.num_rows(); ++i) c.mean += t.x(i, 0);
    c.mean /= static_cast<double>(t.num_rows());
    return c;
  }
  void Apply(const FeatureView& v, ColumnSink& sink, const Context&) const {
    const std::span<double> centred = sink.AddNumeric("centred");
    const std::span<std::int32_t> side = sink.AddCategorical("side", kSides);
    for (std::size_t i = 0; i < centred.size(); ++i) {
      centred[i] = v.x(static_cast<std::int64_t>(i), 0) - mean;
      side[i] = centred[i] > 0 ? 1 : 0;
    }
    if (v.num_features() > 1) sink.Pass(1);
  }
  static void Check(const Params& p, const cf_shape& s, const Context&) {
    if (p.repeat > s.n_rows) throw Error(CF_E_INVALID_PARAM, "more repeats than rows");
  }
  void Save(Writer& w) const { w.Write(mean); }
  static Centre Load(Reader& r) {
    Centre c;
    c.mean = r.Read<double>();
    return c;
  }
  static void Resample(const Params& p, const TrainingView& t, RowSink& sink, const Context&) {
    std::vector<std::int64_t> positions;
    for (std::int64_t r = 0; r < p.repeat; ++r) {
      for (std::int64_t i = 0; i < t.num_rows(); ++i) positions.push_back(i);
    }
    const std::vector<double> weights(positions.size(), 0.5);
    sink.Emit(positions, weights);
  }
};

// Resamples wrongly in the ways that RowSink finds.
template <int kEmissions, std::size_t kWeights>
struct BadSampler {
  static constexpr TransformInfo kInfo{.component = {.id = "test.bad_sampler"}};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  static BadSampler Fit(const Params&, const TrainingView&, const Context&) { return {}; }
  void Apply(const FeatureView&, ColumnSink&, const Context&) const {}
  static void Resample(const Params&, const TrainingView&, RowSink& sink, const Context&) {
    const std::vector<std::int64_t> positions = {0};
    const std::vector<double> weights(kWeights, 1);
    for (int i = 0; i < kEmissions; ++i) sink.Emit(positions, weights);
  }
};

const cf_transform* CentreTable() { return internal::TransformAdapter<Centre>::Table(); }

// The host's side of apply().
struct Columns {
  cf_column_sink sink{};
  std::deque<std::vector<double>> doubles;
  std::deque<std::vector<std::int32_t>> codes;
  std::vector<std::string> log;
  std::size_t n_rows;
  bool refuse_add = false;
  cf_status pass_status = CF_OK;

  explicit Columns(std::size_t n) : n_rows(n) {
    sink.struct_size = sizeof(cf_column_sink);
    sink.sink_data = this;
    sink.add_column = [](const cf_column_sink* s, const char* name, std::int32_t dtype,
                         const char* const*, std::int64_t n_levels, std::uint32_t,
                         std::uint8_t**) -> void* {
      auto* self = static_cast<Columns*>(s->sink_data);
      if (self->refuse_add) return nullptr;
      self->log.push_back(std::string(name) + ":" + std::to_string(dtype) + ":" +
                          std::to_string(n_levels));
      if (dtype == CF_F64) return self->doubles.emplace_back(self->n_rows).data();
      return self->codes.emplace_back(self->n_rows).data();
    };
    sink.pass_column = [](const cf_column_sink* s, std::int64_t feature) {
      auto* self = static_cast<Columns*>(s->sink_data);
      self->log.push_back("pass " + std::to_string(feature));
      return self->pass_status;
    };
  }
  Columns(const Columns&) = delete;
};

ModelPtr OwnCentred(cf_model* model) {
  return ModelPtr(model, [](cf_model* one) { CentreTable()->destroy(&CentreTable()->info, one); });
}

struct TransformTest : testing::Test {
  TransformTest() : table({{1, 10}, {2, 20}, {6, 60}}, 2) {
    table.WithLabels({0, 1, 0}, {"a", "b"});
  }
  ModelPtr FitIt() {
    const cf_table train = table.table();
    cf_model* out = nullptr;
    const auto args = DefaultArgs(CentreTable());
    EXPECT_EQ(CentreTable()->fit(call.get(), args.data(), args.size(), &train, &out), CF_OK);
    return OwnCentred(out);
  }
  template <class T>
  cf_status Resample(const std::vector<cf_arg>& args) {
    const auto* cap =
        CapabilityOf<cf_cap_resample>(internal::TransformAdapter<T>::Table(), CF_CAP_RESAMPLE);
    const cf_table train = table.table();
    cf_row_sink sink{};
    sink.struct_size = sizeof(cf_row_sink);
    sink.sink_data = this;
    sink.emit_rows = [](const cf_row_sink* s, const std::int64_t* positions, std::int64_t n,
                        const double* weights) -> cf_status {
      auto* self = static_cast<TransformTest*>(s->sink_data);
      if (self->refuse_rows) return CF_E_OUT_OF_MEMORY;
      self->positions.assign(positions, positions + n);
      if (weights != nullptr) self->weights.assign(weights, weights + n);
      return CF_OK;
    };
    return cap->resample(call.get(), args.data(), args.size(), &train, &sink);
  }
  SmallTable table;
  FakeCall call;
  std::vector<std::int64_t> positions;
  std::vector<double> weights;
  bool refuse_rows = false;
};

TEST_F(TransformTest, TheTableTellsWhatTheStructDeclares) {
  EXPECT_EQ(CentreTable()->struct_size, sizeof(cf_transform));
  EXPECT_STREQ(CentreTable()->info.id, "test.centre");
  EXPECT_EQ(CentreTable()->accepts, CF_ACCEPTS_NUMERIC);
  EXPECT_EQ(CentreTable()->tasks, CF_TASK_BINARY | CF_TASK_MULTICLASS | CF_TASK_REGRESSION);
}

TEST_F(TransformTest, ApplyEmitsColumnsInOrder) {
  const ModelPtr model = FitIt();
  const cf_table rows = SmallTable::WithoutTarget(table.table());
  Columns columns(3);
  ASSERT_EQ(CentreTable()->apply(call.get(), model.get(), &rows, &columns.sink), CF_OK);
  EXPECT_THAT(columns.log, ElementsAre("centred:1:0", "side:6:2", "pass 1"));
  EXPECT_THAT(columns.doubles[0], ElementsAre(-2, -1, 3));
  EXPECT_THAT(columns.codes[0], ElementsAre(0, 0, 1));
}

TEST_F(TransformTest, AColumnThatTheHostRefusesFailsTheApply) {
  const ModelPtr model = FitIt();
  const cf_table rows = SmallTable::WithoutTarget(table.table());
  Columns columns(3);
  columns.refuse_add = true;
  EXPECT_EQ(CentreTable()->apply(call.get(), model.get(), &rows, &columns.sink), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "the host refused column 'centred'");
}

TEST_F(TransformTest, AnInputColumnThatTheHostRefusesFailsTheApply) {
  const ModelPtr model = FitIt();
  const cf_table rows = SmallTable::WithoutTarget(table.table());
  Columns columns(3);
  columns.pass_status = CF_E_INVALID_ARGUMENT;
  EXPECT_EQ(CentreTable()->apply(call.get(), model.get(), &rows, &columns.sink),
            CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call.message, "the host refused input column 1");
}

TEST_F(TransformTest, CheckRefusesWithTheReason) {
  const auto* check = CapabilityOf<cf_cap_check>(CentreTable(), CF_CAP_CHECK);
  ASSERT_NE(check, nullptr);
  auto args = DefaultArgs(CentreTable());
  args[0].value.u.i = 4;
  cf_shape shape{};
  shape.struct_size = sizeof(cf_shape);
  shape.n_rows = 3;
  EXPECT_EQ(check->check(call.get(), args.data(), args.size(), &shape), CF_E_INVALID_PARAM);
  EXPECT_EQ(call.message, "more repeats than rows");
}

TEST_F(TransformTest, ASavedTransformAppliesTheSameAfterLoading) {
  const auto* cap = CapabilityOf<cf_cap_serialize>(CentreTable(), CF_CAP_SERIALIZE);
  ASSERT_NE(cap, nullptr);
  const ModelPtr model = FitIt();
  ByteSink bytes;
  const cf_writer writer = bytes.writer();
  ASSERT_EQ(cap->save(call.get(), model.get(), &writer), CF_OK);
  ByteSource source(bytes.bytes);
  const cf_reader reader = source.reader();
  cf_model* out = nullptr;
  ASSERT_EQ(cap->load(call.get(), &reader, &out), CF_OK);
  const ModelPtr loaded = OwnCentred(out);
  const cf_table rows = SmallTable::WithoutTarget(table.table());
  Columns columns(3);
  ASSERT_EQ(CentreTable()->apply(call.get(), loaded.get(), &rows, &columns.sink), CF_OK);
  EXPECT_THAT(columns.doubles[0], ElementsAre(-2, -1, 3));
}

TEST_F(TransformTest, ResampleEmitsPositionsAndWeights) {
  auto args = DefaultArgs(CentreTable());
  args[0].value.u.i = 2;
  ASSERT_EQ(Resample<Centre>(args), CF_OK);
  EXPECT_THAT(positions, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(weights, ElementsAre(0.5, 0.5, 0.5, 0.5, 0.5, 0.5));
}

TEST_F(TransformTest, ResampleThatLeavesNoRowIsRefused) {
  auto args = DefaultArgs(CentreTable());
  args[0].value.u.i = 0;
  EXPECT_EQ(Resample<Centre>(args), CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(call.message, "no training row is left");
}

TEST_F(TransformTest, ResampleWithoutWeightsLeavesThemOut) {
  using Plain = BadSampler<1, 0>;
  ASSERT_EQ(Resample<Plain>({}), CF_OK);
  EXPECT_THAT(positions, ElementsAre(0));
  EXPECT_TRUE(weights.empty());
}

TEST_F(TransformTest, ResampleThatEmitsNothingIsABug) {
  using Silent = BadSampler<0, 0>;
  EXPECT_EQ(Resample<Silent>({}), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "Resample emitted no rows");
}

TEST_F(TransformTest, ResampleThatEmitsTwiceIsABug) {
  using Twice = BadSampler<2, 0>;
  EXPECT_EQ(Resample<Twice>({}), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "Resample emitted rows twice");
}

TEST_F(TransformTest, ResampleWithTooManyWeightsIsABug) {
  using Heavy = BadSampler<1, 2>;
  EXPECT_EQ(Resample<Heavy>({}), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "Resample emitted a different number of weights and rows");
}

TEST_F(TransformTest, RowsThatTheHostRefusesFailTheResample) {
  refuse_rows = true;
  EXPECT_EQ(Resample<Centre>(DefaultArgs(CentreTable())), CF_E_OUT_OF_MEMORY);
  EXPECT_EQ(call.message, "the host refused the rows");
}

TEST_F(TransformTest, CapabilitiesOfLearnersAreNotOffered) {
  EXPECT_EQ(CentreTable()->get_capability(&CentreTable()->info, CF_CAP_PROBA), nullptr);
  EXPECT_EQ(CentreTable()->get_capability(&CentreTable()->info, CF_CAP_MEMORY), nullptr);
}

// Makes rows whose first feature is that of the position plus a draw from the seed.
struct Maker {
  static constexpr TransformInfo kInfo{.component = {.id = "test.maker"}};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  static Maker Fit(const Params&, const TrainingView&, const Context&) { return {}; }
  void Apply(const FeatureView&, ColumnSink&, const Context&) const {}
  static void Resample(const Params&, const TrainingView&, RowSink& sink, const Context&) {
    sink.Emit(std::vector<std::int64_t>{0, 2, 2, 1});
  }
  static void Synthesize(const Params&, const TrainingView& train,
                         std::span<const std::int64_t> positions, ColumnSink& out,
                         const Context& context) {
    if (train.label(positions[0]) != 0) throw Error(CF_E_INTERNAL, "not the rows of Resample");
    const std::span<double> made = out.AddLike<double>(train.column(0));
    for (std::size_t i = 0; i < positions.size(); ++i) {
      made[i] = train.x(positions[i], 0) + static_cast<double>(context.seed());
    }
    out.Pass(1);
  }
};

const cf_transform* MakerTable() { return internal::TransformAdapter<Maker>::Table(); }

struct SynthesizeTest : TransformTest {
  cf_status Synthesize(std::vector<std::int64_t> rows, Columns& columns) {
    const auto* cap = CapabilityOf<cf_cap_synthesize>(MakerTable(), CF_CAP_SYNTHESIZE);
    const cf_table train = table.table();
    return cap->synthesize(call.get(), nullptr, 0, &train, rows.data(),
                           static_cast<std::int64_t>(rows.size()), &columns.sink);
  }
};

TEST_F(SynthesizeTest, WritesColumnsForThePositionsThatWereEmitted) {
  ASSERT_EQ(Resample<Maker>({}), CF_OK);
  Columns columns(4);
  ASSERT_EQ(Synthesize(positions, columns), CF_OK) << call.message;
  const auto seed = static_cast<double>(call.get()->seed);
  EXPECT_THAT(columns.doubles[0], ElementsAre(1 + seed, 6 + seed, 6 + seed, 2 + seed));
  ASSERT_EQ(columns.log.size(), 2u);
  EXPECT_EQ(columns.log[1], "pass 1");
}

TEST_F(SynthesizeTest, AFailureIsReportedWithItsText) {
  Columns columns(1);
  EXPECT_EQ(Synthesize({1}, columns), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "not the rows of Resample");
}

TEST_F(SynthesizeTest, AColumnThatTheHostRefusesFailsTheCall) {
  Columns columns(1);
  columns.refuse_add = true;
  EXPECT_EQ(Synthesize({0}, columns), CF_E_INTERNAL);
}

TEST_F(SynthesizeTest, IsOfferedOnlyByTransformsThatHaveIt) {
  EXPECT_EQ(CapabilityOf<cf_cap_synthesize>(CentreTable(), CF_CAP_SYNTHESIZE), nullptr);
  EXPECT_NE(CapabilityOf<cf_cap_resample>(MakerTable(), CF_CAP_RESAMPLE), nullptr);
}

TEST(ColumnSinkTest, AColumnLikeAnotherHasItsNameTypeAndLevels) {
  Columns columns(2);
  ColumnSink sink(columns.sink, 2);
  const char* const levels[] = {"low", "high"};
  cf_column like{};
  like.name = "risk";
  like.dtype = CF_CAT32;
  like.levels = levels;
  like.n_levels = 2;
  EXPECT_EQ(sink.AddLike<std::int32_t>(like).size(), 2u);
  EXPECT_THAT(columns.log, ElementsAre("risk:6:2"));
}

TEST(ColumnSinkTest, AColumnLikeAnotherHasEntriesOfItsType) {
  Columns columns(2);
  ColumnSink sink(columns.sink, 2);
  cf_column like{};
  like.name = "n";
  like.dtype = CF_I64;
  try {
    sink.AddLike<double>(like);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "column 'n' has a different type");
  }
}

}  // namespace
}  // namespace crossfold::plugin
