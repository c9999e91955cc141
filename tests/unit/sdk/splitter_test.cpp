#include "crossfold_plugin/splitter.hpp"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "unit/sdk/learner_calls.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

// Rows alternate between two folds; with `lists` the same as explicit splits.
struct Alternate {
  static constexpr SplitterInfo kInfo{.component = {.id = "test.alternate"},
                                      .uses = CF_SPLIT_USES_TARGET};
  struct Params {
    bool lists = false;
  };
  static constexpr auto kSchema = Schema(Boolean("lists", &Params::lists, "As lists."));

  static void Split(const Params& p, const SplitInput& in, SplitSink& sink, const Context&) {
    if (in.num_rows() < 2) throw Error(CF_E_UNSUPPORTED_DATA, "two folds need two rows");
    if (in.labels().size() != 3u || in.class_name(1) != "b" || in.num_classes() != 2) {
      throw Error(CF_E_INTERNAL, "labels did not arrive");
    }
    std::vector<std::int32_t> fold(static_cast<std::size_t>(in.num_rows()));
    std::vector<std::int64_t> rows[2];
    for (std::size_t i = 0; i < fold.size(); ++i) {
      fold[i] = static_cast<std::int32_t>(i % 2);
      rows[i % 2].push_back(static_cast<std::int64_t>(i));
    }
    if (p.lists) {
      sink.EmitSplit(rows[1], rows[0]);
    } else {
      sink.EmitPartition(fold, 2);
    }
  }
};

const cf_splitter* AlternateTable() { return internal::SplitterAdapter<Alternate>::Table(); }

struct SplitterTest : testing::Test {
  SplitterTest() {
    sink.struct_size = sizeof(cf_split_sink);
    sink.sink_data = this;
    sink.emit_partition = [](const cf_split_sink* s, const std::int32_t* fold, std::int64_t n,
                             std::int32_t n_folds) {
      auto* self = static_cast<SplitterTest*>(s->sink_data);
      self->folds.assign(fold, fold + n);
      self->n_folds = n_folds;
      return self->answer;
    };
    sink.emit_split = [](const cf_split_sink* s, const std::int64_t* train, std::int64_t n_train,
                         const std::int64_t* test, std::int64_t n_test) {
      auto* self = static_cast<SplitterTest*>(s->sink_data);
      self->train.assign(train, train + n_train);
      self->test.assign(test, test + n_test);
      return self->answer;
    };
    input.struct_size = sizeof(cf_split_input);
    input.n_rows = 3;
    input.labels = labels.data();
    input.n_classes = 2;
    input.class_names = names.data();
  }
  cf_status Split(bool lists) {
    auto args = DefaultArgs(AlternateTable());
    args[0].value.u.i = lists ? 1 : 0;
    return AlternateTable()->split(call.get(), args.data(), args.size(), &input, &sink);
  }
  const std::vector<std::int32_t> labels = {0, 1, 1};
  const std::vector<const char*> names = {"a", "b"};
  cf_split_input input{};
  cf_split_sink sink{};
  cf_status answer = CF_OK;
  std::vector<std::int32_t> folds;
  std::int32_t n_folds = 0;
  std::vector<std::int64_t> train, test;
  FakeCall call;
};

TEST_F(SplitterTest, TheTableTellsWhatTheStructDeclares) {
  EXPECT_EQ(AlternateTable()->struct_size, sizeof(cf_splitter));
  EXPECT_STREQ(AlternateTable()->info.id, "test.alternate");
  EXPECT_EQ(AlternateTable()->uses, CF_SPLIT_USES_TARGET);
}

TEST_F(SplitterTest, APartitionReachesTheSink) {
  ASSERT_EQ(Split(false), CF_OK) << call.message;
  EXPECT_THAT(folds, ElementsAre(0, 1, 0));
  EXPECT_EQ(n_folds, 2);
}

TEST_F(SplitterTest, ListsReachTheSinkAsTrainAndTest) {
  ASSERT_EQ(Split(true), CF_OK) << call.message;
  EXPECT_THAT(train, ElementsAre(1));
  EXPECT_THAT(test, ElementsAre(0, 2));
}

TEST_F(SplitterTest, ASplitterThatRefusesSaysWhy) {
  input.n_rows = 1;
  EXPECT_EQ(Split(false), CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(call.message, "two folds need two rows");
}

TEST_F(SplitterTest, ASplitThatTheHostRefusesFailsTheCallWithItsStatus) {
  answer = CF_E_INVALID_ARGUMENT;
  EXPECT_EQ(Split(false), CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call.message, "the host refused the split");
}

TEST_F(SplitterTest, NoCapabilityIsOffered) {
  EXPECT_EQ(AlternateTable()->get_capability, nullptr);
}

TEST(SplitInputTest, SpansThatDoNotApplyAreEmptyAndOthersHaveOneEntryARow) {
  const std::vector<double> reals = {1.5, 2.5};
  const std::vector<std::int64_t> integers = {7, 8};
  cf_split_input in{};
  in.n_rows = 2;
  EXPECT_TRUE(SplitInput(in).labels().empty());
  EXPECT_TRUE(SplitInput(in).values().empty());
  EXPECT_TRUE(SplitInput(in).weights().empty());
  EXPECT_TRUE(SplitInput(in).groups().empty());
  EXPECT_TRUE(SplitInput(in).time().empty());
  EXPECT_TRUE(SplitInput(in).folds().empty());
  in.values = in.weights = in.time = reals.data();
  in.groups = in.folds = integers.data();
  EXPECT_THAT(SplitInput(in).values(), ElementsAre(1.5, 2.5));
  EXPECT_THAT(SplitInput(in).weights(), ElementsAre(1.5, 2.5));
  EXPECT_THAT(SplitInput(in).time(), ElementsAre(1.5, 2.5));
  EXPECT_THAT(SplitInput(in).groups(), ElementsAre(7, 8));
  EXPECT_THAT(SplitInput(in).folds(), ElementsAre(7, 8));
}

TEST(SplitInputTest, AHostWithoutStrataHasNone) {
  const std::vector<std::int64_t> strata = {1, 0};
  cf_split_input in{};
  in.struct_size = sizeof(cf_split_input);
  in.n_rows = 2;
  EXPECT_FALSE(SplitInput(in).has_strata());
  in.strata = strata.data();
  EXPECT_THAT(SplitInput(in).strata(), testing::ElementsAre(1, 0));
  in.struct_size = static_cast<std::uint32_t>(offsetof(cf_split_input, strata));  // an older host
  EXPECT_TRUE(SplitInput(in).strata().empty());
}

}  // namespace
}  // namespace crossfold::plugin
