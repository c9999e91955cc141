#include "encoding/dataset_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "unit/engine/data/damage.h"
#include "unit/engine/data/refusal.h"
#include "unit/sources/readings.h"

namespace crossfold {
namespace {

using ::testing::ElementsAreArray;

using DataPtr = std::shared_ptr<const Dataset>;

std::string ImageOf(const Dataset& data) {
  const DatasetImage image(data);
  std::string bytes(image.size(), 'x');
  image.WriteTo(bytes.data());
  return bytes;
}

// In memory that ends with the image, so that a sanitizer sees what is read after it.
DataPtr ReadImage(std::string_view image) {
  const auto owner = std::make_shared<std::vector<double>>((image.size() + 7) / 8);
  if (!image.empty()) std::memcpy(owner->data(), image.data(), image.size());
  return ReadDatasetImage({reinterpret_cast<const char*>(owner->data()), image.size()}, owner);
}

std::vector<std::string> PartsOf(const Dataset& data, std::size_t part_bytes) {
  std::vector<std::string> parts;
  DatasetImage(data).WriteParts(part_bytes,
                                [&](std::string_view part) { parts.emplace_back(part); });
  return parts;
}

TEST(DatasetImageTest, PartsHaveTheirSizeAndAreTheWholeImage) {
  const auto data = Dataset::Create(
      "parts",
      {Column::Doubles("x", {1, 2, 3}), Column::Integers("n", {4, 5, 6}, {true, false, true}),
       Column::Categories("y", {0, 1, 0}, {"a", "b"})},
      {.target = "y"});
  const std::string image = ImageOf(*data);
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, image.size(), image.size() + 1}) {
    const std::vector<std::string> parts = PartsOf(*data, size);
    std::string whole;
    for (const std::string& part : parts) whole += part;
    EXPECT_EQ(whole, image) << size;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_EQ(parts[i].size(), size);
  }
}

const Refusal kDamaged = BadData("cannot read the image of a dataset: it is damaged or cut short");

void ExpectEqual(const Dataset& got, const Dataset& expected) {
  EXPECT_EQ(got.name(), expected.name());
  EXPECT_EQ(got.content_hash(), expected.content_hash());
  EXPECT_EQ(got.task(), expected.task());
  EXPECT_EQ(got.num_features(), expected.num_features());
  EXPECT_THAT(got.labels(), ElementsAreArray(expected.labels()));
  EXPECT_THAT(got.values(), ElementsAreArray(expected.values()));
  EXPECT_THAT(got.weights(), ElementsAreArray(expected.weights()));
  EXPECT_THAT(got.groups(), ElementsAreArray(expected.groups()));
  EXPECT_THAT(got.costs(), ElementsAreArray(expected.costs()));
  EXPECT_THAT(got.row_costs(), ElementsAreArray(expected.row_costs()));
  EXPECT_THAT(got.class_names(), ElementsAreArray(expected.class_names()));
}

void ExpectComesBack(const Dataset& data) {
  const std::string image = ImageOf(data);
  const DataPtr back = ReadImage(image);
  ExpectEqual(*back, data);
  EXPECT_EQ(ImageOf(*back), image);
}

std::filesystem::path TestData(const char* file) {
  return std::filesystem::path(CROSSFOLD_TEST_DATA) / file;
}

DataPtr ReadFile(const char* file, const char* target) {
  sources::CsvOptions options;
  options.roles.target = target;
  return sources::ReadCsv(TestData(file), options);
}

// Every type and role, with missing entries, in 11 rows: a bitmap has a last byte that is not full.
DataPtr Everything() {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();
  std::vector<bool> present(11, true);
  present[0] = present[8] = present[10] = false;
  std::vector<Column> columns = {
      Column::Doubles("real", {0.1, kNan, -0.0, 1e308, 5e-324, 2, 3, 4, 5, 6, 7}),
      Column::Floats("float", {0.5F, kNanF, 1, 2, 3, 4, 5, 6, 7, 8, 9}),
      Column::Integers("integer", {1, 2, 3, 4, 5, 6, 7, 8, 9, INT64_MIN, INT64_MAX}, present),
      Column::Integers32("short", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, present),
      Column::Booleans(
          "flag", {true, false, true, true, false, true, true, false, true, true, true}, present),
      Column::Categories("level", {0, -1, 2, 1, 0, 1, 2, 0, 1, 2, -1}, {"", "b c", "\xc3\xa4"}),
      Column::Categories("class", {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}, {"no", "yes"}),
      Column::Doubles("weight", {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 0.5}),
      Column::Integers("group", {1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6}),
      Column::Doubles("no costs", {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0}),
      Column::Doubles("yes costs", {2, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2}),
      Column::Integers("fold", {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, -1}),
      Column::Doubles("when", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})};
  columns[5].ordered = true;
  const DataPtr data = Dataset::Create("every thing", std::move(columns),
                                       {.target = "class",
                                        .weights = "weight",
                                        .groups = "group",
                                        .time = "when",
                                        .folds = "fold",
                                        .strata = "group",
                                        .row_costs = {{"no", "no costs"}, {"yes", "yes costs"}}});
  return data;
}

TEST(DatasetImageTest, EveryTypeAndRoleComesBack) { ExpectComesBack(*Everything()); }

TEST(DatasetImageTest, CostsOfMistakesComeBack) {
  ExpectComesBack(*Dataset::WithCosts(*Everything(), {2, 2, {0, 1, 5.5, 0}}));
}

TEST(DatasetImageTest, ThePositiveClassComesBackAndIsNotPartOfTheContent) {
  const DataPtr plain = Everything();
  Roles roles = plain->roles();
  roles.positive = "no";
  const DataPtr data = Dataset::WithRoles(*plain, roles);
  ExpectComesBack(*data);
  const std::string image = ImageOf(*data);
  EXPECT_EQ(ReadDatasetImage(image, nullptr)->roles().positive, "no");
  EXPECT_EQ(data->content_hash(), plain->content_hash());
  EXPECT_NE(data->hash_with_positive(), plain->hash_with_positive());
  EXPECT_EQ(plain->hash_with_positive(), plain->content_hash());
}

TEST(DatasetImageTest, RealDataComesBack) {
  ExpectComesBack(*ReadFile("iris.csv", "class"));
  ExpectComesBack(*ReadFile("penguins.csv", "species"));
  ExpectComesBack(*ReadFile("diabetes_regr.csv", "target"));
  ExpectComesBack(*ReadFile("house_votes_84.csv", "Class"));
  ExpectComesBack(*sources::ReadArff(TestData("penguins.arff"), {}));
}

TEST(DatasetImageTest, ABitmapThatBeginsInTheMiddleIsMovedToTheFront) {
  const DataPtr whole = Everything();
  Column shifted = whole->column("integer");
  shifted.data = static_cast<const std::int64_t*>(shifted.data) + 3;
  shifted.n_rows = 8;
  shifted.validity_offset = 3;
  const DataPtr data = Dataset::Create("shifted", {shifted}, {});
  const DataPtr back = ReadImage(ImageOf(*data));
  EXPECT_EQ(back->columns()[0].validity_offset, 0);
  EXPECT_TRUE(back->columns()[0].is_missing(5));
  ExpectEqual(*back, *data);
}

TEST(DatasetImageTest, ColumnsLieInTheImage) {
  const DataPtr data = ReadFile("iris.csv", "class");
  const DatasetImage image(*data);
  const auto owner = std::make_shared<std::vector<double>>((image.size() + 7) / 8);
  auto* bytes = reinterpret_cast<char*>(owner->data());
  image.WriteTo(bytes);
  const DataPtr back = ReadDatasetImage({bytes, image.size()}, owner);
  for (const Column& column : back->columns()) {
    EXPECT_GE(static_cast<const char*>(column.data), bytes);
    EXPECT_LE(static_cast<const char*>(column.data), bytes + image.size());
  }
}

TEST(DatasetImageTest, EveryCutIsRefused) {
  const std::string image = ImageOf(*Dataset::WithCosts(*Everything(), {2, 2, {0, 1, 5.5, 0}}));
  ForEachCut(image, [](const std::string& cut) {
    EXPECT_EQ(RefusalOf([&] { ReadImage(cut); }), kDamaged) << "of " << cut.size() << " bytes";
  });
}

// Changed entries are entries; what names, lengths and kinds say must be refused or be a dataset.
TEST(DatasetImageTest, ChangedBytesAreRefusedOrGiveADataset) {
  const std::string image = ImageOf(*Dataset::WithCosts(*Everything(), {2, 2, {0, 1, 5.5, 0}}));
  int refused = 0, read = 0;
  ForEachFlip(image, [&](const std::string& damaged) {
    const auto refusal = RefusalOf([&] {
      const DataPtr data = ReadImage(damaged);
      EXPECT_EQ(data->content_hash().size(), 64u);
      EXPECT_EQ(data->costs().size() % 4, 0u);
      ++read;
    });
    if (!refusal) return;
    ++refused;
    EXPECT_EQ(*refusal, kDamaged);
  });
  EXPECT_GT(refused, 500);
  EXPECT_GT(read, 500);
}

TEST(DatasetImageTest, ACostMatrixOfAnotherSizeIsRefused) {
  std::string image = ImageOf(*Dataset::WithCosts(*Everything(), {2, 2, {0, 1, 5.5, 0}}));
  // The head ends with 4 costs: cut the last one, and count 3.
  const std::uint64_t head = 8;
  std::uint64_t length = 0;
  std::memcpy(&length, image.data() + head, 8);
  std::uint64_t n_costs = 3;
  const std::size_t end = 16 + static_cast<std::size_t>(length);
  std::memcpy(image.data() + end - 40, &n_costs, 8);
  length -= 8;
  std::memcpy(image.data() + head, &length, 8);
  EXPECT_EQ(RefusalOf([&] { ReadImage(image); }), kDamaged);
}

}  // namespace
}  // namespace crossfold
