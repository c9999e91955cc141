#include "crossfold/progress_text.h"

#include <gtest/gtest.h>

#include "unit/engine/text/comma_locale.h"

namespace crossfold {
namespace {

// A search inside 30 folds, of which 12 are finished.
Progress Halfway() {
  Progress progress;
  progress.finished = 1560;
  progress.total = 3060;
  progress.failed = 2;
  progress.inner_finished = 1548;
  progress.inner_total = 3000;
  progress.folds_finished = 12;
  progress.folds_total = 60;
  progress.seconds = 4;
  progress.seconds_left = 3.9;
  return progress;
}

TEST(ProgressTextTest, ABarHasTheShareThenTheFiguresThatTellMost) {
  EXPECT_EQ(ProgressBar(Halfway(), 100),
            "[=============>             ]  50%  12/60 folds, inner 1,548/3,000 cells, 2 failed, "
            "0:04 left, 390/s");
}

TEST(ProgressTextTest, ABarGivesWayAndThenTheLastFigures) {
  EXPECT_EQ(ProgressBar(Halfway(), 79),
            " 50%  12/60 folds, inner 1,548/3,000 cells, 2 failed, 0:04 left, 390/s");
  EXPECT_EQ(ProgressBar(Halfway(), 60), " 50%  12/60 folds, inner 1,548/3,000 cells, 2 failed");
  EXPECT_EQ(ProgressBar(Halfway(), 20), " 50%  12/60 folds");
  EXPECT_EQ(ProgressBar(Halfway(), 3), " 50");
  EXPECT_EQ(ProgressBar(Halfway(), 0), "");
}

TEST(ProgressTextTest, NoLineIsWiderThanItMay) {
  for (int width = 0; width < 200; ++width) {
    EXPECT_LE(ProgressBar(Halfway(), width).size(), static_cast<std::size_t>(width));
  }
}

TEST(ProgressTextTest, CellsThatAreTheFoldsAreToldOnce) {
  Progress progress;
  progress.finished = progress.folds_finished = 3;
  progress.total = progress.folds_total = 10;
  EXPECT_EQ(ProgressBar(progress, 40), "[======>              ]  30%  3/10 folds");
}

TEST(ProgressTextTest, AHundredPercentIsTheEndOnly) {
  Progress progress;
  progress.finished = 9999;
  progress.total = 10000;
  EXPECT_EQ(ProgressBar(progress, 40), "[============>]  99%  9,999/10,000 cells");
  progress.finished = 10000;
  EXPECT_EQ(ProgressBar(progress, 40), "[============] 100%  10,000/10,000 cells");
}

TEST(ProgressTextTest, FoundCellsAreNotPartOfTheRate) {
  Progress progress;
  progress.finished = 500;
  progress.total = 1000;
  progress.found = 480;
  progress.seconds = 2;
  EXPECT_EQ(ProgressLine(progress), "500 of 1000 cells, 480 found, 10 cells/s");
  progress.found = 500;
  EXPECT_EQ(ProgressLine(progress), "500 of 1000 cells, 500 found");
}

TEST(ProgressTextTest, ALineForLogsIsASentence) {
  EXPECT_EQ(ProgressLine(Halfway()),
            "1560 of 3060 cells (12 of 60 folds, 1548 of 3000 inner cells), 390 cells/s, about "
            "0:04 left, 2 failed");
}

TEST(ProgressTextTest, JsonHasNullForWhatIsNotKnown) {
  Progress progress;
  progress.total = 3;
  EXPECT_EQ(ProgressJson(progress, "progress"),
            R"({"event":"progress","finished":0,"total":3,"failed":0,"found":0,)"
            R"("inner_finished":0,"inner_total":0,"folds_finished":0,"folds_total":0,)"
            R"("seconds":0.0,"cells_per_second":null,"seconds_left":null})");
}

TEST(ProgressTextTest, JsonIsTheSameInEveryLocale) {
  const CommaLocale locale;
  EXPECT_EQ(ProgressJson(Halfway(), "end"),
            R"({"event":"end","finished":1560,"total":3060,"failed":2,"found":0,)"
            R"("inner_finished":1548,"inner_total":3000,"folds_finished":12,"folds_total":60,)"
            R"("seconds":4.0,"cells_per_second":390.0,"seconds_left":3.9})");
}

TEST(ProgressTextTest, DurationsAreRoundedUp) {
  EXPECT_EQ(DurationText(0), "0:01");
  EXPECT_EQ(DurationText(59.2), "1:00");
  EXPECT_EQ(DurationText(754), "12:34");
  EXPECT_EQ(DurationText(11100), "3:05:00");
}

}  // namespace
}  // namespace crossfold
