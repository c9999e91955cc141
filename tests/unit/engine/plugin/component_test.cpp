#include "crossfold/component.h"

#include <gtest/gtest.h>

#include "crossfold/version.h"
#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

TEST(ComponentTest, BundledIdsAreShortenedAndOthersAreNot) {
  EXPECT_EQ(ShortId("crossfold.knn"), "knn");
  EXPECT_EQ(ShortId("org.example.knn"), "org.example.knn");
  EXPECT_EQ(ShortId("crossfold."), "crossfold.");
  EXPECT_EQ(ShortId("knn"), "knn");
}

TEST(ComponentTest, EveryKindHasAName) {
  EXPECT_EQ(KindName(Kind::kLearner), "learner");
  EXPECT_EQ(KindName(Kind::kTransform), "transform");
  EXPECT_EQ(KindName(Kind::kSplitter), "splitter");
  EXPECT_EQ(KindName(Kind::kMetric), "metric");
}

TEST(ComponentTest, AParameterIsDescribedWithItsRangeAndDefault) {
  EXPECT_EQ(Describe(test::Real("alpha", 0, 1, 0.5, CF_PF_LO_OPEN)), "real in (0, 1], default 0.5");
  EXPECT_EQ(Describe(test::Integer("k", 1, std::numeric_limits<std::int64_t>::max(), 5)),
            "integer >= 1, default 5");
  EXPECT_EQ(Describe(test::Choice("distance", {"manhattan", "euclidean"}, "euclidean")),
            "one of manhattan, euclidean, default euclidean");
  EXPECT_EQ(Describe(test::OfType("shuffle", CF_P_BOOL, true)), "true or false, default true");
  EXPECT_EQ(Describe(test::OfType("column", CF_P_STRING, std::string("fold"))),
            "string, default 'fold'");
  EXPECT_EQ(Describe(test::OfType("layers", CF_P_INT_LIST, std::vector<std::int64_t>{8, 4})),
            "list of integers, default {8, 4}");
}

TEST(ComponentTest, ADescriptionNamesTheUnitAndTheMissingValue) {
  ParamSpec limit =
      test::Real("limit", 0, std::numeric_limits<double>::infinity(), 1, CF_PF_NULLABLE);
  limit.unit = "seconds";
  limit.default_value = Null{};
  EXPECT_EQ(Describe(limit), "real >= 0, in seconds, or none, default none");
}

TEST(VersionTest, IsThatOfTheProject) { EXPECT_EQ(Version(), "0.1.0"); }

}  // namespace
}  // namespace crossfold
