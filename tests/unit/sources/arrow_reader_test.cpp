// Arrow IPC files: those of another implementation (arrow/README.md), and what is written here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>

#include "crossfold/arrow.h"
#include "crossfold/read_data.h"
#include "crossfold/write_data.h"
#include "temporary_folder.h"
#include "unit/engine/data/entries.h"
#include "unit/engine/data/refusal.h"

namespace crossfold::sources {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const auto kNone = std::nullopt;

class ArrowReaderTest : public testing::Test {
 protected:
  std::shared_ptr<const Dataset> Read(const std::string& path, const ReadRequest& request = {}) {
    return ReadData(host_, path, request);
  }
  std::shared_ptr<const Dataset> ReadFixture(const std::string& name,
                                             const ReadRequest& request = {}) {
    return Read(std::string(CROSSFOLD_ARROW_FILES) + "/" + name, request);
  }
  std::string Fixture(const std::string& name) {
    return test::ReadBytes(std::string(CROSSFOLD_ARROW_FILES) + "/" + name);
  }
  // The message after "cannot read '<path>'"; "" = nothing was refused.
  std::string Finding(const std::string& path, const ReadRequest& request = {}) {
    const auto refusal = RefusalOf([&] { Read(path, request); });
    const std::string start = "cannot read '" + path + "'";
    return !refusal                              ? ""
           : refusal->message.starts_with(start) ? refusal->message.substr(start.size())
                                                 : refusal->message;
  }
  std::string Write(const std::shared_ptr<const Dataset>& data,
                    const std::string& name = "a.arrow") {
    const std::string path = folder_.path() / name;
    WriteData(host_, data, path);
    return path;
  }

  test::TemporaryFolder folder_;
  const PluginHost host_{{.paths = {CROSSFOLD_ARROW_PLUGIN, CROSSFOLD_TEXT_FILES_PLUGIN},
                          .use_environment = false,
                          .use_user_folder = false,
                          .use_installation = false}};
};

TEST_F(ArrowReaderTest, NumbersOfEveryTypeAreRead) {
  for (const char* name : {"types.arrow", "types.arrows"}) {
    const auto data = ReadFixture(name);
    const auto integers = [&](const char* column) {
      return Entries<std::int64_t>(data->column(column));
    };
    EXPECT_THAT(Entries<double>(data->column("f64")), ElementsAre(0.1, kNone, -1.5e300, kNone));
    EXPECT_THAT(Entries<float>(data->column("f32")), ElementsAre(0.5F, 1e-30F, kNone, 7.0F));
    EXPECT_EQ(data->column("f32").dtype, CF_F32);
    EXPECT_THAT(integers("i8"), ElementsAre(-128, kNone, 127, 0));
    EXPECT_THAT(integers("i16"), ElementsAre(-32768, kNone, 32767, 0));
    EXPECT_THAT(integers("i32"), ElementsAre(-2147483648LL, kNone, 2147483647LL, 0));
    EXPECT_EQ(data->column("i32").dtype, CF_I32);
    EXPECT_THAT(integers("i64"), ElementsAre(std::numeric_limits<std::int64_t>::min(), kNone,
                                             std::numeric_limits<std::int64_t>::max(), 0));
    EXPECT_THAT(integers("u8"), ElementsAre(255, kNone, 1, 0));
    EXPECT_THAT(integers("u16"), ElementsAre(65535, kNone, 1, 0));
    EXPECT_THAT(integers("u32"), ElementsAre(4294967295LL, kNone, 1, 0));
    EXPECT_THAT(integers("u64"),
                ElementsAre(std::numeric_limits<std::int64_t>::max(), kNone, 1, 0));
    EXPECT_THAT(Entries<bool>(data->column("bool")), ElementsAre(true, kNone, false, true));
    EXPECT_THAT(Entries<double>(data->column("nothing")), ElementsAre(kNone, kNone, kNone, kNone));
  }
}

TEST_F(ArrowReaderTest, TimesAreWholeNumbersOfTheirUnit) {
  const auto data = ReadFixture("types.arrow");
  const auto integers = [&](const char* column) {
    return Entries<std::int64_t>(data->column(column));
  };
  EXPECT_THAT(integers("day"), ElementsAre(0, kNone, 3, -1));
  EXPECT_THAT(integers("date_ms"), ElementsAre(0, kNone, 86400000, -86400000));
  EXPECT_THAT(integers("time_s"), ElementsAre(1, kNone, 86399, 0));
  EXPECT_THAT(integers("time_us"), ElementsAre(1, kNone, 86399000000, 0));
  EXPECT_THAT(integers("stamp_s"), ElementsAre(1, kNone, 2, -1));
  EXPECT_THAT(integers("stamp_ms"), ElementsAre(1, kNone, 2, -1));
}

TEST_F(ArrowReaderTest, TextsHaveSortedLevelsAndDictionariesKeepTheirOrder) {
  for (const char* name : {"types.arrow", "types.arrows"}) {
    const auto data = ReadFixture(name);
    EXPECT_THAT(LevelsOfRows(data->column("text")),
                ElementsAre("b", "(missing)", "", "\xc3\xa4 \"x\""));
    EXPECT_THAT(data->column("text").levels, ElementsAre("", "b", "\xc3\xa4 \"x\""));
    EXPECT_THAT(data->column("large_text").levels, ElementsAre("a", "b"));
    for (const char* column : {"category", "small_category"}) {
      EXPECT_THAT(LevelsOfRows(data->column(column)),
                  ElementsAre("red", "(missing)", "blue", "red"));
      EXPECT_THAT(data->column(column).levels, ElementsAre("red", "blue"));
    }
  }
}

TEST_F(ArrowReaderTest, BatchesFollowEachOther) {
  const auto data = ReadFixture("batches.arrow");
  EXPECT_THAT(Entries<double>(data->column("x")), ElementsAre(1.0, 2.0, 3.0, kNone));
  EXPECT_THAT(LevelsOfRows(data->column("y")), ElementsAre("a", "b", "(missing)", "a"));
}

TEST_F(ArrowReaderTest, AFileWithoutABatchHasColumnsWithoutRows) {
  const auto data = ReadFixture("no_batch.arrow");
  EXPECT_EQ(data->num_rows(), 0);
  EXPECT_EQ(data->columns().size(), 2u);
}

TEST_F(ArrowReaderTest, ADictionaryGrowsInAStream) {
  const auto data = ReadFixture("delta.arrows");
  EXPECT_THAT(LevelsOfRows(data->column("c")), ElementsAre("u", "v", "w", "(missing)", "u"));
  EXPECT_THAT(data->column("c").levels, ElementsAre("u", "v", "w"));
}

TEST_F(ArrowReaderTest, CompressedBuffersAreUnpacked) {
  for (const char* name : {"lz4.arrow", "zstd.arrow"}) {
    const auto data = ReadFixture(name);
    ASSERT_EQ(data->num_rows(), 3000) << name;
    const auto x = Entries<double>(data->column("x"));
    const auto y = LevelsOfRows(data->column("y"));
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto expected = i % 10 == 3 ? std::optional<double>() : static_cast<double>(i) / 4;
      ASSERT_EQ(x[i], expected) << name << ", row " << i;
      ASSERT_EQ(y[i], i % 2 == 1 ? "odd" : "even") << name << ", row " << i;
    }
  }
}

TEST_F(ArrowReaderTest, NestedColumnsAreRefusedByNameOrLeftOut) {
  const std::string path = std::string(CROSSFOLD_ARROW_FILES) + "/nested.arrow";
  EXPECT_EQ(Finding(path),
            ": column 'tags' is of type list, which is not supported; cast it, or leave it out "
            "(types: ignore)");
  const auto data = Read(path, {.types = {{"tags", crossfold::ColumnType::kIgnore},
                                          {"place", crossfold::ColumnType::kIgnore},
                                          {"raw", crossfold::ColumnType::kIgnore}}});
  EXPECT_THAT(Entries<double>(data->column("x")), ElementsAre(1.0, 2.0));
  EXPECT_THAT(Entries<std::int64_t>(data->column("z")), ElementsAre(3, 4));
}

TEST_F(ArrowReaderTest, TheContentTellsTheFormatWhateverTheName) {
  folder_.Write("a.txt", Fixture("batches.arrow"));
  folder_.Write("b", Fixture("types.arrows"));
  EXPECT_EQ(Read(folder_.path() / "a.txt")->num_rows(), 4);
  EXPECT_EQ(Read(folder_.path() / "b")->num_rows(), 4);
}

TEST_F(ArrowReaderTest, OtherFilesAreRefused) {
  const auto finding = [&](const std::string& bytes) {
    folder_.Write("a.arrow", bytes);
    return Finding(folder_.path() / "a.arrow");
  };
  EXPECT_EQ(finding("x,y\n1,2\n"), ": it is not an Arrow IPC file, or cut off in its schema");
  EXPECT_EQ(finding(""), ": it is not an Arrow IPC file: it has 0 bytes");
  EXPECT_EQ(finding("FEA1 and more"),
            ": it is a Feather file of version 1; write it as version 2 (Arrow IPC)");
  const std::string whole = Fixture("types.arrow");
  EXPECT_EQ(finding(whole.substr(0, whole.size() - 3)),
            ": it is cut off: the end of an Arrow IPC file is missing; write it again");
}

TEST_F(ArrowReaderTest, WhatWasWrittenIsTheSameDataset) {
  const auto original = Read(std::string(CROSSFOLD_TEST_DATA) + "/penguins.csv",
                             {.roles = {.target = "species", .strata = "island"}});
  for (const char* name : {"a.arrow", "a.arrows", "a.feather"}) {
    const auto again = Read(Write(original, name));
    EXPECT_EQ(again->content_hash(), original->content_hash()) << name;
    EXPECT_EQ(again->roles().target, "species");
    EXPECT_EQ(again->roles().strata, "island");
  }
}

TEST_F(ArrowReaderTest, EveryTypeComesBack) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Column ordered = Column::Categories("size", {0, 2, -1, 0}, {"small", "middle", "large"});
  ordered.ordered = true;
  const auto data = Dataset::Create(
      "a",
      {Column::Doubles("x", {0.1, none, -1.5e300, 5e-324}), Column::Floats("f", {1, 2, 3, -0.0F}),
       Column::Integers("n", {1, 0, -7, 12}, {true, false, true, true}),
       Column::Integers32("i", {1, -2, 3, 4}, {true, true, true, false}),
       Column::Booleans("b", {true, false, true, false}, {true, true, false, true}), ordered},
      {});
  EXPECT_EQ(Read(Write(data))->content_hash(), data->content_hash());
}

TEST_F(ArrowReaderTest, TheSameDataGiveTheSameBytes) {
  const auto data = Read(std::string(CROSSFOLD_TEST_DATA) + "/penguins.csv");
  const std::string first = test::ReadBytes(Write(data, "a.arrow"));
  EXPECT_EQ(first, test::ReadBytes(Write(Read(folder_.path() / "a.arrow"), "b.arrow")));
}

// 200,000 doubles take 1.6 MB: enough to be mapped, on file systems that give leases.
TEST_F(ArrowReaderTest, AMappedFileGivesTheSameDataAsACopy) {
  std::vector<double> values(200'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 7;
  const auto data = Dataset::Create("a", {Column::Doubles("x", values)}, {});
  const std::string path = Write(data);
  const auto mapped = Read(path), copied = Read(path, {.options = {{"memory_map", false}}});
  std::filesystem::remove(path);  // the data outlive the name of the file
  EXPECT_EQ(mapped->content_hash(), data->content_hash());
  EXPECT_EQ(copied->content_hash(), data->content_hash());
}

TEST_F(ArrowReaderTest, OnlySourcesThatWriteCanWriteAndNothingIsReplaced) {
  const auto data = Read(std::string(CROSSFOLD_TEST_DATA) + "/iris.csv");
  const auto finding = [&](const std::string& name, const WriteRequest& request = {}) {
    const std::string path = folder_.path() / name;
    const auto refusal = RefusalOf([&] { WriteData(host_, data, path, request); });
    const std::string start = "cannot write '" + path + "': ";
    return refusal && refusal->message.starts_with(start) ? refusal->message.substr(start.size())
                                                          : "";
  };
  EXPECT_EQ(finding("a.csv"),
            "source 'crossfold.csv' does not write; choose one of arrow, arrows, feather, ipc");
  EXPECT_EQ(
      finding("a"),
      "its name has no ending that gives the format; choose one of arrow, arrows, feather, ipc");
  EXPECT_EQ(finding("a.pq"), "there is no format 'pq'; choose one of arrow, arrows, feather, ipc");
  EXPECT_EQ(finding("a", {.format = "arrow"}), "");
  EXPECT_EQ(finding("a", {.format = "arrow"}),
            "it exists already; remove it or choose another name");
  EXPECT_THAT(finding("no/such/a.arrow"), HasSubstr("it cannot be written (No such file"));
}

TEST_F(ArrowReaderTest, NothingIsLeftBesideTheFile) {
  Write(Read(std::string(CROSSFOLD_TEST_DATA) + "/iris.csv"));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
    names.push_back(entry.path().filename());
  }
  EXPECT_THAT(names, ElementsAre("a.arrow"));
}

}  // namespace
}  // namespace crossfold::sources
