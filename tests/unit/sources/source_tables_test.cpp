// The sources as a host calls them: through their tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crossfold_plugin/source.hpp"
#include "sqlite/sqlite_source.h"
#include "temporary_folder.h"
#include "text_files/arff_source.h"
#include "text_files/csv_source.h"
#include "text_files/svmlight_source.h"
#include "unit/engine/data/entries.h"
#include "unit/sdk/fake_call.h"
#include "unit/sources/readings.h"

namespace crossfold::sources {
namespace {

using plugin::internal::SourceAdapter;
using reading::Arff;
using reading::Csv;
using reading::Sqlite;
using reading::Svmlight;
using reading::Tsv;
using testing::ElementsAre;

cf_source_input InputOf(const char* location, std::string_view head = {}) {
  cf_source_input input{};
  input.struct_size = sizeof input;
  input.location = location;
  input.head = head.empty() ? nullptr : reinterpret_cast<const std::uint8_t*>(head.data());
  input.n_head = static_cast<std::int64_t>(head.size());
  input.n_bytes = -1;
  input.max_bytes = std::numeric_limits<std::int64_t>::max();
  return input;
}

template <class S>
std::int32_t Sureness(const char* location, std::string_view head = {}) {
  plugin::FakeCall call;
  const cf_source_input input = InputOf(location, head);
  std::int32_t sure = -1;
  EXPECT_EQ(SourceAdapter<S>::Table()->sniff(call.get(), &input, &sure), CF_OK);
  return sure;
}

cf_column_hint Hint(const char* name, std::uint32_t flags, const char* role = nullptr) {
  return {sizeof(cf_column_hint), flags, name, 0, 0, nullptr, role};
}

// A call of open() with the defaults of a source, and what its stream gives.
template <class S>
class Reading {
 public:
  explicit Reading(std::string path) : path_(std::move(path)), input(InputOf(path_.c_str())) {
    const cf_info& info = SourceAdapter<S>::Table()->info;
    for (std::size_t i = 0; i < info.n_params; ++i) {
      args_.push_back({info.params[i]->name, info.params[i]->def});
    }
    call.call().self = &info;
    call.call().n_threads = 2;
  }
  ~Reading() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
    if (stream.release != nullptr) stream.release(&stream);
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  cf_value& Arg(std::string_view name) {
    for (cf_arg& arg : args_) {
      if (arg.name == name) return arg.value;
    }
    throw std::out_of_range(std::string(name));
  }
  cf_status Open(const std::vector<cf_column_hint>& hints = {}) {
    hints_ = hints;
    for (const cf_column_hint& hint : hints_) pointers_.push_back(&hint);
    input.hints = pointers_.data();
    input.n_hints = pointers_.size();
    const cf_status status =
        SourceAdapter<S>::Table()->open(call.get(), args_.data(), args_.size(), &input, &stream);
    if (status != CF_OK) return status;
    EXPECT_EQ(stream.get_schema(&stream, &schema), 0);
    EXPECT_EQ(stream.get_next(&stream, &array), 0);
    return status;
  }
  // Formats of the columns, such as "g" for f64.
  std::vector<std::string> Formats() const {
    std::vector<std::string> formats;
    for (std::int64_t i = 0; i < schema.n_children; ++i) {
      formats.emplace_back(schema.children[i]->format);
    }
    return formats;
  }
  template <class T>
  std::vector<T> Values(std::size_t column) const {
    const auto* data = static_cast<const T*>(array.children[column]->buffers[1]);
    return {data, data + array.length};
  }

 private:
  const std::string path_;
  std::vector<cf_arg> args_;
  std::vector<cf_column_hint> hints_;
  std::vector<const cf_column_hint*> pointers_;

 public:
  plugin::FakeCall call;
  cf_source_input input;
  ArrowArrayStream stream{};
  ArrowSchema schema{};
  ArrowArray array{};
};

class SourceTablesTest : public testing::Test {
 protected:
  const test::TemporaryFolder folder_;
};

TEST_F(SourceTablesTest, AFileIsOneArrayOfItsColumns) {
  Reading<Csv> reading(
      folder_.Write("a.csv", "x,n,b,c\n1.5,7,true,lo\nNA,NA,NA,NA\n-2,9,false,hi\n"));
  ASSERT_EQ(reading.Open(), CF_OK) << reading.call.message;
  EXPECT_THAT(reading.Formats(), ElementsAre("g", "l", "b", "i"));
  EXPECT_EQ(reading.array.length, 3);
  EXPECT_EQ(reading.Values<double>(0)[2], -2);
  EXPECT_TRUE(std::isnan(reading.Values<double>(0)[1]));
  EXPECT_EQ(reading.array.children[1]->null_count, 1);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(reading.array.children[1]->buffers[0]), 0b101);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(reading.array.children[2]->buffers[1]), 0b001);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(reading.array.children[2]->buffers[0]), 0b101);
  EXPECT_THAT(reading.Values<std::int32_t>(3), ElementsAre(1, -1, 0));
  ArrowArray end{};
  EXPECT_EQ(reading.stream.get_next(&reading.stream, &end), 0);
  EXPECT_EQ(end.release, nullptr);
}

TEST_F(SourceTablesTest, AColumnThatNobodyNeedsIsNotRead) {
  Reading<Csv> reading(folder_.Write("a.csv", "x,y\n1,a\n2,b\n"));
  ASSERT_EQ(reading.Open({Hint("y", CF_HINT_UNUSED)}), CF_OK);
  EXPECT_THAT(reading.Formats(), ElementsAre("l", "n"));
  EXPECT_EQ(reading.array.children[1]->null_count, 2);
}

TEST_F(SourceTablesTest, ASeparatorOfTabsIsTheOneOfTsv) {
  const std::string path = folder_.Write("a.tsv", "x\ty\n1\t2\n");
  Reading<Tsv> tsv(path);
  ASSERT_EQ(tsv.Open(), CF_OK) << tsv.call.message;
  EXPECT_EQ(tsv.schema.n_children, 2);
  EXPECT_STREQ(tsv.Arg("separator").u.s.p, "tab");
  Reading<Csv> csv(path);
  csv.Arg("separator").u.s = {"tab", 3};
  ASSERT_EQ(csv.Open(), CF_OK) << csv.call.message;
  EXPECT_EQ(csv.schema.n_children, 2);
}

TEST_F(SourceTablesTest, CompressedFilesAreUnpacked) {
  const std::string path = folder_.path() / "a.csv.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "x,y\n1,2\n");
  gzclose(file);
  Reading<Csv> reading(path);
  ASSERT_EQ(reading.Open(), CF_OK) << reading.call.message;
  EXPECT_THAT(reading.Values<std::int64_t>(1), ElementsAre(2));
}

TEST_F(SourceTablesTest, ATargetOfSvmlightHasItsRole) {
  Reading<Svmlight> reading(folder_.Write("a.svm", "-1 1:0.5\n+1 2:3\n"));
  ASSERT_EQ(reading.Open({Hint("f1", CF_HINT_UNUSED)}), CF_OK);
  EXPECT_THAT(reading.Formats(), ElementsAre("n", "g", "i"));
  EXPECT_STREQ(reading.schema.children[2]->name, "target");
  ASSERT_NE(reading.schema.children[2]->metadata, nullptr);
  EXPECT_EQ(std::string_view(reading.schema.children[2]->metadata + 8, 14), "crossfold.role");
  EXPECT_THAT(reading.Values<double>(1), ElementsAre(0, 3));
  EXPECT_THAT(reading.Values<std::int32_t>(2), ElementsAre(0, 1));
}

TEST_F(SourceTablesTest, AMissingEntryWhereNoneMayBeIsRefusedWithItsLine) {
  const std::string path = folder_.Write("a.csv", "y,w\n?,?\na,1\nb,?\n");
  Reading<Csv> reading(path);
  EXPECT_EQ(reading.Open({Hint("w", CF_HINT_COMPLETE, "weights"),
                          Hint("y", CF_HINT_COMPLETE | CF_HINT_DROP_MISSING, "target")}),
            CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(reading.call.message,
            "line 4, column 'w': the weights is missing; read the data with drop_missing = { "
            "\"weights\" } to leave such rows out");
}

TEST_F(SourceTablesTest, TheHostCanStopAReading) {
  Reading<Csv> csv(folder_.Write("a.csv", "x\n1\n"));
  csv.call.cancel = true;
  EXPECT_EQ(csv.Open(), CF_E_CANCELLED);
  Reading<Arff> arff(folder_.Write("a.arff", "@attribute x numeric\n@data\n1\n"));
  arff.call.cancel = true;
  EXPECT_EQ(arff.Open(), CF_E_CANCELLED);
}

TEST_F(SourceTablesTest, ColumnsThatNeedTooMuchMemoryAreRefused) {
  const std::string path = folder_.Write("a.csv", "x,y\n1,2\n");
  Reading<Csv> wide(path);
  wide.input.max_bytes = 2048;
  EXPECT_EQ(wide.Open(), CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(wide.call.message,
            "it has more than 1 columns, the maximum for the memory that is left; give it more "
            "memory");
  Reading<Csv> large(path);
  large.input.max_bytes = 4100;
  EXPECT_EQ(large.Open(), CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(large.call.message,
            "its columns take more than the 4100 bytes of memory that are left for them; read "
            "fewer columns or rows, or give it more memory");
}

TEST_F(SourceTablesTest, AFileThatIsNotThereIsToldSo) {
  Reading<Csv> csv("no/such.csv");
  EXPECT_EQ(csv.Open(), CF_E_IO);
  EXPECT_EQ(csv.call.message, "there is no such file");
  Reading<Sqlite> sqlite("no/such.db");
  sqlite.Arg("table") = {CF_P_STRING, 0, {.s = {"t", 1}}};
  EXPECT_EQ(sqlite.Open(), CF_E_IO);
  EXPECT_EQ(sqlite.call.message, "there is no such file");
}

TEST(SourceParametersTest, WhatCannotChangeTheDataSaysSo) {
  const cf_info& info = SourceAdapter<Csv>::Table()->info;
  for (std::size_t i = 0; i < info.n_params; ++i) {
    const std::string_view name = info.params[i]->name;
    const bool has_no_effect = (info.params[i]->flags & CF_PF_NO_EFFECT_ON_RESULT) != 0;
    EXPECT_EQ(has_no_effect, name == "memory_map" || name == "most_bytes") << name;
  }
}

TEST(SourceSniffTest, NamesTellTheFormatWithAndWithoutGz) {
  EXPECT_EQ(Sureness<Csv>("folder/A.CSV"), CF_SNIFF_NAME);
  EXPECT_EQ(Sureness<Csv>("a.csv.gz"), CF_SNIFF_NAME);
  EXPECT_EQ(Sureness<Tsv>("a.tsv.gz"), CF_SNIFF_NAME);
  EXPECT_EQ(Sureness<Arff>("a.arff"), CF_SNIFF_NAME);
  EXPECT_EQ(Sureness<Svmlight>("a.libsvm"), CF_SNIFF_NAME);
  EXPECT_EQ(Sureness<Svmlight>("a.svmlight.gz"), CF_SNIFF_NAME);
}

TEST(SourceSniffTest, TextsWithoutAKnownNameAreCsv) {
  EXPECT_GT(Sureness<Csv>("a.txt", "x y\n"), Sureness<Tsv>("a.txt", "x y\n"));
  EXPECT_GT(Sureness<Csv>("a.txt", "x y\n"), Sureness<Svmlight>("a.txt", "x y\n"));
  EXPECT_LT(Sureness<Csv>("a.txt"), CF_SNIFF_NAME);
}

TEST(SourceSniffTest, TheFirstBytesTellMoreThanTheName) {
  EXPECT_EQ(Sureness<Arff>("a.csv", "% comment\n\n@RELATION r\n"), CF_SNIFF_CONTENT);
  EXPECT_EQ(Sureness<Arff>("a.txt", "x,y\n"), CF_SNIFF_NO);
  EXPECT_EQ(Sureness<Sqlite>("a.csv", std::string_view("SQLite format 3\0", 16)), CF_SNIFF_CONTENT);
  EXPECT_EQ(Sureness<Sqlite>("a.db", "x,y\n"), CF_SNIFF_NO);
  EXPECT_EQ(Sureness<Sqlite>("a.db"), CF_SNIFF_NAME);
}

TEST(SourceSniffTest, NoFileIsReadFromAUri) {
  EXPECT_EQ(Sureness<Csv>("s3://bucket/a"), CF_SNIFF_NO);
  EXPECT_EQ(Sureness<Csv>("s3://bucket/a.csv"), CF_SNIFF_NO);
  EXPECT_EQ(Sureness<Arff>("s3://bucket/a.arff"), CF_SNIFF_NO);
  EXPECT_EQ(Sureness<Svmlight>("s3://bucket/a"), CF_SNIFF_NO);
}

// Real files. Counts are those of scripts/data/README.md and its sources; sums were computed with
// Python 3.11 (csv.reader, math.fsum).
using testing::Each;

std::shared_ptr<const Dataset> ReadReal(const std::string& name, CsvOptions options) {
  return ReadCsv(std::string(CROSSFOLD_TEST_DATA) + "/" + name + ".csv", options);
}

std::vector<std::int64_t> ClassSizes(const Dataset& data) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(data.num_classes()));
  for (const std::int32_t label : data.labels()) ++sizes[static_cast<std::size_t>(label)];
  return sizes;
}

std::int64_t MissingCells(const Dataset& data) {
  std::int64_t count = 0;
  for (const Column& column : data.columns()) count += column.CountMissing();
  return count;
}

double Sum(const Column& column) {
  double sum = 0;
  for (const auto& entry : Entries<double>(column)) sum += entry.value_or(0);
  return sum;
}

std::vector<std::int32_t> FeatureTypes(const Dataset& data) {
  std::vector<std::int32_t> types;
  for (const cf_column& feature : data.features()) types.push_back(feature.dtype);
  return types;
}

TEST(RealDataTest, Iris) {
  const auto data = ReadReal("iris", {.roles = {.target = "class"}});
  EXPECT_EQ(data->name(), "iris");
  EXPECT_EQ(data->num_rows(), 150);
  EXPECT_THAT(data->class_names(), ElementsAre("setosa", "versicolor", "virginica"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(50, 50, 50));
  EXPECT_THAT(FeatureTypes(*data), ElementsAre(CF_F64, CF_F64, CF_F64, CF_F64));
  EXPECT_NEAR(Sum(data->column("sepal length (cm)")), 876.5, 1e-9);
  EXPECT_NEAR(Sum(data->column("petal width (cm)")), 179.9, 1e-9);
  EXPECT_EQ(MissingCells(*data), 0);
}

TEST(RealDataTest, PenguinsHave19MissingCells) {
  const auto data = ReadReal("penguins", {.roles = {.target = "species"}});
  EXPECT_EQ(data->num_rows(), 344);
  EXPECT_THAT(data->class_names(), ElementsAre("Adelie", "Chinstrap", "Gentoo"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(152, 68, 124));
  EXPECT_THAT(FeatureTypes(*data),
              ElementsAre(CF_CAT32, CF_F64, CF_F64, CF_I64, CF_I64, CF_CAT32, CF_I64));
  EXPECT_EQ(MissingCells(*data), 19);
  EXPECT_EQ(data->column("sex").CountMissing(), 11);
  EXPECT_THAT(data->column("sex").levels, ElementsAre("female", "male"));
  EXPECT_TRUE(data->column("body_mass_g").is_missing(3));
  EXPECT_NEAR(Sum(data->column("bill_length_mm")), 15021.3, 1e-9);
}

TEST(RealDataTest, HouseVotesHave392MissingCells) {
  const auto data = ReadReal("house_votes_84", {.roles = {.target = "Class"}});
  EXPECT_EQ(data->num_rows(), 435);
  EXPECT_THAT(data->class_names(), ElementsAre("democrat", "republican"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(267, 168));
  EXPECT_EQ(MissingCells(*data), 392);
  EXPECT_EQ(data->num_features(), 16);
  EXPECT_THAT(FeatureTypes(*data), Each(CF_CAT32));
  for (const cf_column& vote : data->features()) {
    EXPECT_THAT(std::vector<std::string>(vote.levels, vote.levels + vote.n_levels),
                ElementsAre("n", "y"));
  }
}

TEST(RealDataTest, Wine) {
  const auto data = ReadReal("wine", {.roles = {.target = "class"}});
  EXPECT_EQ(data->num_rows(), 178);
  EXPECT_EQ(data->num_features(), 13);
  EXPECT_THAT(ClassSizes(*data), ElementsAre(59, 71, 48));
}

TEST(RealDataTest, DigitsHaveTheirClassesByValue) {
  const auto data = ReadReal(
      "digits", {.roles = {.target = "class"}, .types = {{"class", ColumnType::kCategorical}}});
  EXPECT_EQ(data->num_rows(), 1797);
  EXPECT_EQ(data->num_features(), 64);
  EXPECT_THAT(FeatureTypes(*data), Each(CF_I64));
  EXPECT_THAT(data->class_names(), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"));
  EXPECT_THAT(ClassSizes(*data), ElementsAre(178, 182, 177, 183, 181, 182, 181, 179, 174, 180));
}

TEST(RealDataTest, DiabetesIsARegression) {
  const auto data = ReadReal("diabetes_regr", {.roles = {.target = "target"}});
  EXPECT_EQ(data->num_rows(), 442);
  EXPECT_EQ(data->task(), Task::kRegression);
  EXPECT_EQ(std::accumulate(data->values().begin(), data->values().end(), 0.0), 67243);
}

TEST(RealDataTest, Weather) {
  for (const char* name : {"weather_nominal", "weather_numeric"}) {
    const auto data = ReadReal(name, {.roles = {.target = "play"}});
    EXPECT_EQ(data->num_rows(), 14);
    EXPECT_THAT(data->class_names(), ElementsAre("no", "yes"));
    EXPECT_THAT(ClassSizes(*data), ElementsAre(5, 9));
    EXPECT_THAT(data->column("outlook").levels, ElementsAre("overcast", "rainy", "sunny"));
    EXPECT_EQ(data->column("windy").dtype, CF_BOOL8);
  }
}

}  // namespace
}  // namespace crossfold::sources
