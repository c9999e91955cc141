#include "isolate/process_limits.h"

#include <gtest/gtest.h>

namespace crossfold {
namespace {

TEST(OomKillsTest, TheCountIsThatOfItsOwnLine) {
  EXPECT_EQ(OomKillsIn("low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 1\n"), 2u);
  EXPECT_EQ(OomKillsIn("thp_swpout 7\noom_kill 41"), 41u);
}

TEST(OomKillsTest, AFileWithoutTheLineHasNone) {
  EXPECT_EQ(OomKillsIn(""), 0u);
  EXPECT_EQ(OomKillsIn("oom 3\nnr_oom_kill 4\noom_kill many\n"), 0u);
}

}  // namespace
}  // namespace crossfold
