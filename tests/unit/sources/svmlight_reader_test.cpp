#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "crossfold_plugin/random.hpp"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using plugin::Random;
using testing::ElementsAre;

std::shared_ptr<const Dataset> ParseSvm(const std::string& text,
                                        const SvmlightOptions& options = {}) {
  return ParseSvmlight(text, "a.svm", options);
}

std::optional<Refusal> RefusalOfSvm(const std::string& text, const SvmlightOptions& options = {}) {
  return RefusalOf([&] { ParseSvm(text, options); });
}

std::vector<std::optional<double>> Values(const Dataset& data, const std::string& column) {
  return Entries<double>(data.column(column));
}

TEST(SvmlightReaderTest, WhatALineDoesNotNameIsZero) {
  const auto data = ParseSvm("+1 1:0.5 3:-2 # comment\n\n# line\n-1 2:1e3\r\n1\n");
  EXPECT_EQ(data->num_rows(), 3);
  EXPECT_EQ(data->num_features(), 3);
  EXPECT_THAT(Values(*data, "f1"), ElementsAre(0.5, 0, 0));
  EXPECT_THAT(Values(*data, "f2"), ElementsAre(0, 1000, 0));
  EXPECT_THAT(Values(*data, "f3"), ElementsAre(-2, 0, 0));
  EXPECT_THAT(data->class_names(), ElementsAre("-1", "1"));
  EXPECT_THAT(data->labels(), ElementsAre(1, 0, 1));
}

TEST(SvmlightReaderTest, LabelsCanBeNumbers) {
  const auto data = ParseSvm("2.5 1:1\n-1 1:2\n", {.task = Task::kRegression});
  EXPECT_EQ(data->task(), Task::kRegression);
  EXPECT_THAT(data->values(), ElementsAre(2.5, -1));
}

TEST(SvmlightReaderTest, FeaturesThatNoLineNamesCanBeAskedFor) {
  EXPECT_EQ(ParseSvm("1 1:1\n", {.n_features = 4})->num_features(), 4);
}

TEST(SvmlightReaderTest, QueriesAreGroups) {
  const auto data = ParseSvm("2 qid:7 1:1 # a\n1 qid:7 2:1\n1 qid:-3 # b\n");
  EXPECT_EQ(Entries<std::int64_t>(data->column("qid")), (Optionals<std::int64_t>{7, 7, -3}));
  EXPECT_EQ(data->roles().groups, "qid");
  EXPECT_EQ(data->num_features(), 2);
}

TEST(SvmlightReaderTest, WrongLinesAreRefused) {
  const auto refused = [](const std::string& finding) {
    return BadData("cannot read 'a.svm': line 2: " + finding);
  };
  EXPECT_EQ(RefusalOfSvm("1 1:1\nx 1:1\n"), refused("label 'x' is not a number"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1,2 1:1\n"),
            refused("label '1,2' is not a number; rows with several labels are not supported"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1 4:1 2:1\n"),
            refused("index 2 does not come after 4; indices must ascend"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1 0:1\n"), refused("'0:1' has no index of at least 1"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1 1:x\n"), refused("'1:x' has no finite value"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1 7\n"), refused("'7' has no colon; write index:value"));
  EXPECT_EQ(RefusalOfSvm("1 qid:3 1:1\n1 1:1\n"),
            refused("it has no query (qid:7), and other lines have one; give each line its query"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1 1:1 qid:3\n"),
            refused("'qid:3' must come after the label, and once"));
  EXPECT_EQ(RefusalOfSvm("1 1:1\n1 qid:x 1:1\n"),
            refused("'qid:x' is not a query of a whole number"));
}

TEST(SvmlightReaderTest, TooManyDenseEntriesAreRefusedBeforeTheyAreMade) {
  EXPECT_EQ(RefusalOfSvm("1 1:1\n0 300000000:1\n"),
            BadData("cannot read 'a.svm': 2 rows of 300000000 features would take 147.5 GiB as "
                    "dense columns, more than the limit of 4.0 GiB; raise the limit, or choose "
                    "features first"));
}

TEST(SvmlightReaderTest, AFileWithoutRowsOrFeaturesIsRefused) {
  EXPECT_EQ(RefusalOfSvm("# only\n"), BadData("cannot read 'a.svm': it has no rows"));
  EXPECT_EQ(RefusalOfSvm("1\n"), BadData("cannot read 'a.svm': it has labels only, no features"));
}

TEST(SvmlightReaderTest, ChunksAndThreadsDoNotMatter) {
  Random random(3);
  const auto outcome = [](const std::string& text, const ChunkedReading& reading) {
    std::string hash;
    const auto refusal = RefusalOf([&] {
      hash = ReadSvmlightText({text, "cannot"}, "a", {}, reading)->content_hash();
    });
    return refusal ? refusal->message : hash;
  };
  for (int i = 0; i < 1000; ++i) {
    std::string text;
    for (std::uint64_t row = 1 + random.Below(8); row > 0; --row) {
      const char* const rows[] = {"1 1:1\n", "-1 2:0.5 5:7\r\n", "# x\n",
                                  "\n",      "2 3:1e-3",         "1 qid:4 1:2\n"};
      text += rows[random.Below(6)];
      text += random.Below(3) == 0 ? "\n" : "";
    }
    if (i % 2 == 1 && !text.empty()) {
      text[random.Below(text.size())] = ":#\n x19-."[random.Below(9)];
    }
    const std::string whole = outcome(text, {.threads = 1});
    for (const std::size_t bytes : {1U, 9U}) {
      ASSERT_EQ(outcome(text, {.threads = 3, .chunk_bytes = bytes}), whole) << text;
    }
  }
}

}  // namespace
}  // namespace crossfold::sources
