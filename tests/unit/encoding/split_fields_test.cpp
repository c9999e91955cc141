#include "encoding/split_fields.h"

#include "crossfold_plugin.hpp"
#include "unit/engine/data/damage.h"
#include "unit/engine/run/fixture.h"

namespace crossfold {
namespace {

using fixture::All;
using fixture::Classes;
using fixture::Some;

std::string BytesOf(const SplitPlan& plan) {
  FieldWriter fields;
  WriteSplits(plan, fields);
  return fields.Take();
}

std::shared_ptr<const SplitPlan> ReadPlan(std::string_view bytes,
                                          std::shared_ptr<const Dataset> data) {
  FieldReader fields(bytes);
  auto plan = ReadSplits(fields, std::move(data));
  fields.End();
  return plan;
}

void ExpectComesBack(const SplitPlan& plan) {
  const std::string bytes = BytesOf(plan);
  const auto back = ReadPlan(bytes, plan.view().data);
  EXPECT_TRUE(HaveSameSplits(*back, plan));
  ASSERT_EQ(back->size(), plan.size());
  for (std::int64_t s = 0; s < plan.size(); ++s) {
    EXPECT_EQ(back->repeat_of(s), plan.repeat_of(s));
    EXPECT_EQ(back->fold_of(s), plan.fold_of(s));
  }
  EXPECT_EQ(back->partitions().size(), plan.partitions().size());
  EXPECT_EQ(BytesOf(*back), bytes);
}

const std::vector<Partition> kTwoRepeats = {{{0, 1, 2, 0, -1, 2}, 3}, {{0, 0, 1, 1, 0, 1}, 2}};

TEST(SplitFieldsTest, PartitionsOfAllRowsComeBack) {
  ExpectComesBack(*SplitPlan::FromPartitions(All(Classes(6, 2)), kTwoRepeats));
}

TEST(SplitFieldsTest, PartitionsOfSomeRowsComeBackInTheirOrder) {
  ExpectComesBack(*SplitPlan::FromPartitions(Some(Classes(20, 3), {19, 3, 0, 7, 7, 11}),
                                             {{{0, 1, 1, 0, 0, 1}, 2}}));
}

TEST(SplitFieldsTest, ListsComeBackAlsoOfAView) {
  ExpectComesBack(*SplitPlan::FromLists(All(Classes(6, 2)), {{{0, 1, 1}, {5, 2}}, {{3}, {0}}}));
  ExpectComesBack(*SplitPlan::FromLists(Some(Classes(20, 3), {19, 3, 0, 7}), {{{2, 0}, {3, 1}}}));
}

std::string BytesOfPart(const SplitPlan& plan, std::int64_t split) {
  FieldWriter fields;
  WriteSplitsOf(plan, split, fields);
  return fields.Take();
}

TEST(SplitFieldsTest, OneRepeatIsWrittenAsAPlanThatHasNoOther) {
  const DataView all = All(Classes(6, 2));
  const auto both = SplitPlan::FromPartitions(all, kTwoRepeats);
  EXPECT_EQ(BytesOfPart(*both, 1), BytesOf(*SplitPlan::FromPartitions(all, {kTwoRepeats[0]})));
  EXPECT_EQ(BytesOfPart(*both, 4), BytesOf(*SplitPlan::FromPartitions(all, {kTwoRepeats[1]})));
}

TEST(SplitFieldsTest, OneListIsWrittenAsAPlanThatHasNoOther) {
  const DataView all = All(Classes(6, 2));
  const auto both = SplitPlan::FromLists(all, {{{0, 1, 2}, {3, 5}}, {{3, 3}, {0}}});
  EXPECT_EQ(BytesOfPart(*both, 0), BytesOf(*SplitPlan::FromLists(all, {{{0, 1, 2}, {3, 5}}})));
  EXPECT_EQ(BytesOfPart(*both, 1), BytesOf(*SplitPlan::FromLists(all, {{{3, 3}, {0}}})));
}

template <class Attempt>
bool IsRefused(const Attempt& attempt) {
  try {
    attempt();
  } catch (const Error&) {
    return true;
  } catch (const plugin::Error&) {
    return true;
  }
  return false;
}

TEST(SplitFieldsTest, EveryCutIsRefused) {
  const auto data = Classes(6, 2);
  for (const auto& plan : {SplitPlan::FromPartitions(Some(data, {5, 4, 3, 2, 1, 0}), kTwoRepeats),
                           SplitPlan::FromLists(All(data), {{{0, 1, 1}, {5, 2}}, {{3}, {0}}})}) {
    ForEachCut(BytesOf(*plan), [&](const std::string& cut) {
      EXPECT_TRUE(IsRefused([&] { ReadPlan(cut, data); })) << cut.size() << " bytes";
    });
  }
}

TEST(SplitFieldsTest, ChangedBytesAreRefusedOrGiveSplitsOfTheData) {
  const auto data = Classes(6, 2);
  int refused = 0;
  for (const auto& plan : {SplitPlan::FromPartitions(Some(data, {5, 4, 3, 2, 1, 0}), kTwoRepeats),
                           SplitPlan::FromLists(All(data), {{{0, 1, 1}, {5, 2}}, {{3}, {0}}})}) {
    ForEachFlip(BytesOf(*plan), [&](const std::string& damaged) {
      refused += IsRefused([&] {
        const auto read = ReadPlan(damaged, data);
        for (std::int64_t s = 0; s < read->size(); ++s) {
          for (const std::int64_t row : read->Rows(s).test) EXPECT_LT(row, 6);
        }
      })
                     ? 1
                     : 0;
    });
  }
  EXPECT_GT(refused, 100);
}

}  // namespace
}  // namespace crossfold
