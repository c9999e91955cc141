#include "engine/data/iso_time.h"

#include <gtest/gtest.h>

namespace crossfold {
namespace {

// Days as GNU date has them: date -u -d 2024-02-29 +%s, divided by 86400.
TEST(IsoTimeTest, ADateIsTheDaysSince1970) {
  EXPECT_EQ(ParseIsoTime("1970-01-01")->days, 0);
  EXPECT_EQ(ParseIsoTime("2024-02-29")->days, 19782);
  EXPECT_EQ(ParseIsoTime("1969-12-31")->days, -1);
  EXPECT_FALSE(ParseIsoTime("2024-02-29")->has_clock);
}

TEST(IsoTimeTest, AClockIsTheSecondsOfTheDay) {
  for (const char* text : {"2024-01-31T12:30", "2024-01-31 12:30", "2024-01-31 12:30:00Z"}) {
    const auto time = ParseIsoTime(text);
    ASSERT_TRUE(time) << text;
    EXPECT_EQ(time->days, 19753) << text;
    EXPECT_EQ(time->seconds, 45000) << text;
    EXPECT_TRUE(time->has_clock) << text;
  }
  EXPECT_EQ(ParseIsoTime("2024-01-31T00:00:01.25")->seconds, 1.25);
  EXPECT_TRUE(ParseIsoTime("2024-01-31T00:00")->has_clock);
}

TEST(IsoTimeTest, DaysAndTimesThatDoNotExistAreNone) {
  for (const char* text : {"2023-02-29", "2024-13-01", "2024-00-01", "2024-01-32",
                           "2024-01-31T24:00", "2024-01-31T12:60", "2024-01-31T12:30:60"}) {
    EXPECT_FALSE(ParseIsoTime(text)) << text;
  }
}

TEST(IsoTimeTest, OtherFormsAreNone) {
  for (const char* text :
       {"", "2024", "2024-1-31", "31.1.2024", "1/31/2024", "2024-01-31T", "2024-01-31T12",
        "2024-01-31T12:30:5", "2024-01-31T12:30:05.", "2024-01-31T12:30:0.5",
        "2024-01-31T12:30+01:00", "2024-01-31x", "x2024-01-31", "-024-01-31"}) {
    EXPECT_FALSE(ParseIsoTime(text)) << text;
  }
}

}  // namespace
}  // namespace crossfold
