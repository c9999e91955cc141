#include "crossfold/value.h"

#include <gtest/gtest.h>

namespace crossfold {
namespace {

TEST(ValueToTextTest, WritesEveryType) {
  EXPECT_EQ(ToText(Value(Null())), "none");
  EXPECT_EQ(ToText(Value(true)), "true");
  EXPECT_EQ(ToText(Value(false)), "false");
  EXPECT_EQ(ToText(Value(std::int64_t{-5})), "-5");
  EXPECT_EQ(ToText(Value(0.5)), "0.5");
  EXPECT_EQ(ToText(Value(std::string("euclidean"))), "euclidean");
  EXPECT_EQ(ToText(Value(std::vector<std::int64_t>{1, 2})), "{1, 2}");
  EXPECT_EQ(ToText(Value(std::vector<double>{0.1, 1e-7})), "{0.1, 1e-07}");
  EXPECT_EQ(ToText(Value(std::vector<double>{})), "{}");
}

}  // namespace
}  // namespace crossfold
