// What a check found becomes a verdict.
#include "check/check_context.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

#include "check/check_task.h"
#include "crossfold/error.h"
#include "temporary_folder.h"

namespace crossfold::check {
namespace {

Verdict VerdictOf(void (*check)(CheckContext&)) {
  return CheckContext("/p.so", nullptr, 1, 5).Run(check);
}

TEST(CheckContextTest, NothingFoundIsOk) {
  const Verdict verdict = VerdictOf([](CheckContext&) {});
  EXPECT_EQ(verdict.kind, Verdict::Kind::kOk);
  EXPECT_EQ(verdict.text, "");
}

TEST(CheckContextTest, FindingsAreJoinedAndTheFirstFourAreTold) {
  const Verdict verdict = VerdictOf([](CheckContext& context) {
    for (int i = 1; i <= 6; ++i) context.Fail("finding " + std::to_string(i));
  });
  EXPECT_EQ(verdict.kind, Verdict::Kind::kFailed);
  EXPECT_EQ(verdict.text, "finding 1; finding 2; finding 3; finding 4; and 2 more");
}

TEST(CheckContextTest, AFailureCountsMoreThanAWarningAndBothMoreThanSkipping) {
  const Verdict failed = VerdictOf([](CheckContext& context) {
    context.Warn("slow");
    context.Fail("wrong");
    context.Skip("no data");
  });
  EXPECT_EQ(failed.kind, Verdict::Kind::kFailed);
  EXPECT_EQ(failed.text, "wrong");
  const Verdict warned = VerdictOf([](CheckContext& context) {
    context.Warn("slow");
    context.Skip("no data");
  });
  EXPECT_EQ(warned.kind, Verdict::Kind::kWarning);
  const Verdict skipped = VerdictOf([](CheckContext& context) { context.Skip("no data"); });
  EXPECT_EQ(skipped.kind, Verdict::Kind::kSkipped);
  EXPECT_EQ(skipped.text, "no data");
}

TEST(CheckContextTest, AnExceptionOfTheCheckIsAFailure) {
  const Verdict verdict = VerdictOf([](CheckContext&) { throw std::runtime_error("oops"); });
  EXPECT_EQ(verdict.kind, Verdict::Kind::kFailed);
  EXPECT_EQ(verdict.text, "the check itself failed: oops");
}

TEST(CheckContextTest, APartOfACheckAnswersWithAText) {
  CheckContext context("/p.so", nullptr, 1, 5);
  context.SetPart("digests");
  context.SetOtherProcess([](std::string_view part) { return "there: " + std::string(part); });
  const Verdict verdict = context.Run(
      [](CheckContext& c) { c.Answer(c.part() + ", " + c.AskOtherProcess("all of it")); });
  EXPECT_EQ(verdict.kind, Verdict::Kind::kOk);
  EXPECT_EQ(verdict.text, "digests, there: all of it");
}

TEST(CheckContextTest, ATaskTravelsAsArguments) {
  const CheckTask task{"/p.so", "weights", CheckScope::kTransform,           "a.b", 1ull << 63,
                       3,       "digests", {"/a.csv", "/b.db{table=people}"}};
  const CheckTask back = ParseArguments(ToArguments(task));
  EXPECT_EQ(back.file, task.file);
  EXPECT_EQ(back.check, task.check);
  EXPECT_EQ(back.scope, task.scope);
  EXPECT_EQ(back.component, task.component);
  EXPECT_EQ(back.seed, task.seed);
  EXPECT_EQ(back.strictness, task.strictness);
  EXPECT_EQ(back.part, task.part);
  EXPECT_EQ(back.data, task.data);
}

TEST(CheckContextTest, ASampleIsAPathWithSettingsInBraces) {
  const SampleText plain = SampleText::Parse("/a/b.csv");
  EXPECT_EQ(plain.path, "/a/b.csv");
  EXPECT_EQ(plain.settings, "");
  const SampleText with = SampleText::Parse("/a{1}/b.db{table=a/b,query=none}");
  EXPECT_EQ(with.path, "/a{1}/b.db");
  EXPECT_EQ(with.settings, "table=a/b,query=none");
  EXPECT_EQ(with.ToString(), "/a{1}/b.db{table=a/b,query=none}");
}

TEST(CheckContextTest, AFileWhoseNameEndsInBracesIsThatFile) {
  const test::TemporaryFolder folder;
  const std::filesystem::path file = folder.Write("a{b=1}", "");
  EXPECT_EQ(SampleText::Parse(file.string()).path, file);
}

TEST(CheckContextTest, AVerdictTravelsAsTextWhateverItsBytes) {
  const Verdict verdict{Verdict::Kind::kWarning, "a 'b' \"c\"\nd \xc3\xa4"};
  const Verdict back = ParseVerdict(ToText(verdict));
  EXPECT_EQ(back.kind, verdict.kind);
  EXPECT_EQ(back.text, verdict.text);
  EXPECT_THROW(ParseVerdict(""), Error);
  EXPECT_THROW(ParseVerdict("{\"verdict\":\"fine\",\"text\":\"\"}"), Error);
}

}  // namespace
}  // namespace crossfold::check
