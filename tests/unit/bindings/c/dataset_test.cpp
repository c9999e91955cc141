#include <cstring>

#include "crossfold/arrow_abi.h"
#include "temporary_folder.h"
#include "unit/arrow/hand_made_array.h"
#include "unit/bindings/c/handles.h"

namespace crossfold {
namespace {

using testing::ElementsAre;

crossfold_column ColumnOf(const char* name, const std::vector<double>& values) {
  auto column = Sized<crossfold_column>();
  column.dtype = CROSSFOLD_F64;
  column.name = name;
  column.data = values.data();
  return column;
}

// Lent columns count here how often they were given back.
void CountRelease(void* user) { ++*static_cast<int*>(user); }

crossfold_column Lent(crossfold_column column, int& releases) {
  column.release = &CountRelease;
  column.release_user = &releases;
  return column;
}

struct Made {
  crossfold_status status = CROSSFOLD_OK;
  Handle<crossfold_dataset> dataset;
};

Made Create(crossfold_context* context, const std::vector<crossfold_column>& columns,
            std::int64_t n_rows, const char* roles = nullptr) {
  std::vector<const crossfold_column*> pointers;
  for (const auto& column : columns) pointers.push_back(&column);
  crossfold_dataset* made = nullptr;
  const crossfold_status status = crossfold_dataset_create(context, "d", pointers.data(),
                                                           pointers.size(), n_rows, roles, &made);
  return {status, Handle<crossfold_dataset>(made)};
}

crossfold_data_info Describe(const crossfold_dataset* dataset) {
  auto info = Sized<crossfold_data_info>();
  EXPECT_EQ(crossfold_dataset_describe(dataset, &info), CROSSFOLD_OK);
  return info;
}

TEST(CDatasetTest, ColumnsOfEveryTypeMakeADataset) {
  const auto context = NewContext();
  const std::vector<double> x = {1, 2, 3};
  const float f[] = {1, 2, 3};
  const std::int64_t l[] = {4, 5, 6};
  const std::uint8_t b[] = {1, 0, 1}, bits[] = {0b10100};
  const std::int32_t codes[] = {1, 0, -1}, classes[] = {0, 1, 0};
  const char* const levels[] = {"low", "high"};
  std::vector<crossfold_column> columns(5, ColumnOf("x", x));
  columns[1].name = "f";
  columns[1].dtype = CROSSFOLD_F32;
  columns[1].data = f;
  columns[2].name = "l";
  columns[2].dtype = CROSSFOLD_I64;
  columns[2].data = l;
  columns[2].validity = bits;
  columns[2].validity_offset = 2;
  columns[3].name = "b";
  columns[3].dtype = CROSSFOLD_BOOL8;
  columns[3].data = b;
  columns[4].name = "c";
  columns[4].dtype = CROSSFOLD_CAT32;
  columns[4].data = codes;
  columns[4].levels = levels;
  columns[4].n_levels = 2;
  columns.push_back(columns[4]);
  columns[5].name = "y";
  columns[5].data = classes;
  const Made made = Create(context.get(), columns, 3, R"({"target": "y"})");
  ASSERT_EQ(made.status, CROSSFOLD_OK) << crossfold_last_error(context.get());
  const auto info = Describe(made.dataset.get());
  EXPECT_EQ(info.task, CROSSFOLD_CLASSIFICATION);
  EXPECT_EQ(info.n_rows, 3);
  EXPECT_STREQ(info.name, "d");
  EXPECT_EQ(std::vector<std::string>(info.features, info.features + info.n_features),
            (std::vector<std::string>{"x", "f", "l", "b", "c"}));
  EXPECT_EQ(std::vector<std::string>(info.classes, info.classes + info.n_classes),
            (std::vector<std::string>{"low", "high"}));
  EXPECT_EQ(std::strlen(info.content_hash), 64u);
}

TEST(CDatasetTest, LentAndCopiedColumnsAreTheSameData) {
  const auto context = NewContext();
  std::vector<double> x = {1, 2, 3};
  int releases = 0;
  Made lent = Create(context.get(), {Lent(ColumnOf("x", x), releases)}, 3);
  const Made copied = Create(context.get(), {ColumnOf("x", x)}, 3);
  const std::string hash = Describe(lent.dataset.get()).content_hash;
  EXPECT_EQ(Describe(copied.dataset.get()).content_hash, hash);
  EXPECT_EQ(releases, 0);
  lent.dataset.reset();
  EXPECT_EQ(releases, 1);
  x[0] = 7;  // the copy does not see it
  const Made again = Create(context.get(), {ColumnOf("x", {1, 2, 3})}, 3);
  EXPECT_EQ(Describe(again.dataset.get()).content_hash, hash);
}

TEST(CDatasetTest, InfinitiesAreRefusedUnlessTheyAreAskedFor) {
  const auto context = NewContext();
  const std::vector<double> x = {1, HUGE_VAL};
  EXPECT_EQ(Create(context.get(), {ColumnOf("x", x)}, 2).status, CROSSFOLD_BAD_DATA);
  EXPECT_STREQ(
      crossfold_last_error(context.get()),
      "cannot make a dataset 'd': column 'x', row 2: the entry is infinite; give infinite = "
      "\"missing\" to make such entries missing, \"keep\" to keep them, or leave the column "
      "out");
  for (const char* word : {"missing", "keep"}) {
    const std::string options = std::string(R"({"infinite": ")") + word + "\"}";
    EXPECT_EQ(Create(context.get(), {ColumnOf("x", x)}, 2, options.c_str()).status, CROSSFOLD_OK);
  }
}

TEST(CDatasetTest, LentColumnsAreGivenBackOnceIfTheCallFails) {
  const auto context = NewContext();
  const std::vector<double> x = {1, 2, 3};
  int releases = 0;
  auto twin = Lent(ColumnOf("x", x), releases);
  EXPECT_EQ(Create(context.get(), {twin, twin}, 3).status, CROSSFOLD_BAD_DATA);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot make a dataset 'd': two columns are named 'x'");
  EXPECT_EQ(releases, 2);
  EXPECT_EQ(Create(context.get(), {twin}, -1).status, CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(releases, 3);
  EXPECT_EQ(Create(context.get(), {twin}, 3, "{").status, CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(releases, 4);
  auto small = ColumnOf("y", x);
  small.struct_size = 4;
  EXPECT_EQ(Create(context.get(), {small, twin}, 3).status, CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(
      crossfold_last_error(context.get()),
      "cannot make a dataset 'd': column 1 is NULL or has a struct_size that is too small; "
      "set it to sizeof(crossfold_column)");
  EXPECT_EQ(releases, 5) << "also those after the column that failed";
}

TEST(CDatasetTest, ContextsThatCannotServeGiveBackWhatTheyWereLentToo) {
  const std::vector<double> x = {1};
  int releases = 0;
  EXPECT_EQ(Create(nullptr, {Lent(ColumnOf("x", x), releases)}, 1).status,
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(releases, 1);
  HandMade made(Struct({Numbers<double>("g", "x", {1})}));
  crossfold_dataset* dataset = nullptr;
  EXPECT_EQ(
      crossfold_dataset_import_arrow(nullptr, "d", &made.schema, &made.array, nullptr, &dataset),
      CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(made.counts->schemas, 1);
  EXPECT_EQ(made.counts->arrays, 1);
}

TEST(CDatasetTest, ABusyContextTakesNothing) {
  struct Seen {
    crossfold_context* context = nullptr;
    crossfold_column column = {};
    crossfold_status status = CROSSFOLD_OK;
    int releases = 0, calls = 0;
  } seen;
  const std::vector<double> x = {1};
  seen.column = Lent(ColumnOf("x", x), seen.releases);
  TestOptions options;
  options.user = &seen;
  options.progress = [](void* user, std::uint64_t, std::uint64_t) {
    auto& self = *static_cast<Seen*>(user);
    self.status = Create(self.context, {self.column}, 1).status;
    ++self.calls;
    return 0;
  };
  const auto context = NewContext(options);
  seen.context = context.get();
  const auto iris = Iris(context.get());
  Evaluate(context.get(), iris.get(), kNeighbours);
  EXPECT_EQ(seen.calls, 10);
  EXPECT_EQ(seen.status, CROSSFOLD_BUSY);
  EXPECT_EQ(seen.releases, 0);
}

TEST(CDatasetTest, ALentColumnOutlivesTheContextInAResult) {
  int releases = 0;
  const std::vector<double> x = {1, 2, 3, 4, 5, 6}, y = {1, 2, 3, 4, 5, 7};
  Handle<crossfold_result> result;
  {
    const auto context = NewContext();
    const Made made = Create(context.get(), {Lent(ColumnOf("x", x), releases), ColumnOf("y", y)}, 6,
                             R"({"target": "y"})");
    result =
        Evaluate(context.get(), made.dataset.get(),
                 R"({"learners": ["featureless"], "splitter": "leave_one_out", "metrics": "mae"})");
  }
  EXPECT_EQ(releases, 0);
  EXPECT_EQ(ScoresOf(result.get()).size(), 6u);
  result.reset();
  EXPECT_EQ(releases, 1);
}

TEST(CDatasetTest, CsvFilesAreReadWithTypesMissingAndSeparator) {
  const auto context = NewContext();
  const auto data =
      ReadFile(context.get(), "weather_numeric.csv",
               R"({"target": "play", "types": {"temperature": "f32", "windy": "ignore"},
                                 "missing": ["", "nothing"], "separator": ","})");
  const auto info = Describe(data.get());
  EXPECT_EQ(info.n_rows, 14);
  EXPECT_EQ(std::vector<std::string>(info.features, info.features + info.n_features),
            (std::vector<std::string>{"outlook", "temperature", "humidity"}));
}

TEST(CDatasetTest, AListOfLevelsAsATypeGivesThemAnOrder) {
  const auto context = NewContext();
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("sizes.csv", "size\nm\ns\n");
  crossfold_dataset* made = nullptr;
  ASSERT_EQ(crossfold_dataset_read(context.get(), path.c_str(),
                                   R"({"types": {"size": ["s", "m", "l"]}, "target": "size"})",
                                   nullptr, &made),
            CROSSFOLD_OK)
      << crossfold_last_error(context.get());
  const Handle<crossfold_dataset> sizes(made);
  const auto info = Describe(sizes.get());
  EXPECT_EQ(std::vector<std::string>(info.classes, info.classes + info.n_classes),
            (std::vector<std::string>{"s", "m", "l"}));
  ArrowSchema schema{};
  ArrowArray array{};
  ASSERT_EQ(crossfold_dataset_export_arrow(context.get(), sizes.get(), &schema, &array),
            CROSSFOLD_OK);
  EXPECT_NE(schema.children[0]->flags & ARROW_FLAG_DICTIONARY_ORDERED, 0);
  schema.release(&schema);
  array.release(&array);
}

TEST(CDatasetTest, RowsThatLackAnEntryAreDropped) {
  const auto context = NewContext();
  const auto data =
      ReadFile(context.get(), "penguins.csv", R"({"target": "sex", "drop_missing": ["target"]})");
  EXPECT_EQ(Describe(data.get()).n_rows, 333);
}

TEST(CDatasetTest, LevelsAreOrderedAsThoseOfFiles) {
  const char* const levels[] = {"10", "-1", "2", "1.0", "1"};
  std::size_t places[5] = {};
  ASSERT_EQ(crossfold_order_levels(levels, 5, places), CROSSFOLD_OK);
  EXPECT_EQ(std::vector<std::size_t>(places, places + 5),
            (std::vector<std::size_t>{4, 0, 3, 2, 1}));
  const char* const mixed[] = {"x", "2", "10"};
  ASSERT_EQ(crossfold_order_levels(mixed, 3, places), CROSSFOLD_OK);
  EXPECT_EQ(std::vector<std::size_t>(places, places + 3), (std::vector<std::size_t>{2, 1, 0}));
  const char* const twice[] = {"a", "a"};
  EXPECT_EQ(crossfold_order_levels(twice, 2, places), CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(crossfold_order_levels(nullptr, 1, places), CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_EQ(crossfold_order_levels(nullptr, 0, nullptr), CROSSFOLD_OK);
}

TEST(CDatasetTest, ThePositiveClassIsARole) {
  const auto context = NewContext();
  const auto data = ReadFile(context.get(), "weather_numeric.csv",
                             R"({"target": "play", "positive": "no"})");
  const auto info = Describe(data.get());
  EXPECT_STREQ(info.positive, "no");
  const auto plain = ReadFile(context.get(), "weather_numeric.csv", R"({"target": "play"})");
  EXPECT_EQ(Describe(plain.get()).positive, nullptr);
  EXPECT_STREQ(Describe(plain.get()).content_hash, info.content_hash);
}

TEST(CDatasetTest, CsvFilesMayHaveOtherForms) {
  const auto context = NewContext();
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("form.csv", "title\n'a;b';1.234,5\n# c\nM\xFCller;2\n");
  crossfold_dataset* made = nullptr;
  const char* options =
      R"({"separator": "semicolon", "quote": "'", "decimal": ",", "thousands": ".",
                            "comment": "#", "encoding": "latin1", "skip_lines": 1, "header": false,
                            "names": ["n", "x"], "target": "x"})";
  ASSERT_EQ(crossfold_dataset_read(context.get(), path.c_str(), options, nullptr, &made),
            CROSSFOLD_OK)
      << crossfold_last_error(context.get());
  EXPECT_EQ(Describe(made).n_rows, 2);
  crossfold_dataset_destroy(made);
  EXPECT_EQ(
      crossfold_dataset_read(context.get(), "x.csv", R"({"separator": "tabs"})", nullptr, &made),
      CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(
      crossfold_last_error(context.get()),
      "cannot read 'x.csv': separator 'tabs' must be one character or a word; did you mean "
      "'tab'? known: auto, bar, colon, comma, semicolon, space, tab");
}

TEST(CDatasetTest, OptionsThatAreWrongAreToldByTheirPlace) {
  const auto context = NewContext();
  const std::string attempt = "cannot read 'x.csv': ", make = "cannot make source 'csv': ";
  const std::pair<const char*, std::string> cases[] = {
      {"{\"target\": ", attempt + "the text is not JSON at byte 12; see RFC 8259"},
      {"[]", attempt + "the options is not an object"},
      {R"({"traget": "y"})",
       attempt +
           "the options has the unknown key 'traget'; did you mean 'target'? known: comment, "
           "coordinates, decimal, drop_missing, duplicate_names, encoding, folds, format, groups, "
           "header, infinite, memory_map, missing, most_bytes, names, positive, quote, ragged, "
           "row_costs, separator, skip_lines, strata, target, thousands, time, types, weights"},
      {R"({"target": 5})", attempt + "'target' is not a string"},
      {R"({"format": "cvs"})",
       attempt +
           "there is no format 'cvs'; did you mean 'csv'? known: arff, arrow, arrows, csv, db, "
           "duckdb, feather, ipc, json, jsonl, libsvm, ndjson, parquet, sqlite, sqlite3, svm, "
           "svmlight, tsv"},
      {R"({"missing": "?"})",
       make + "missing = '?' is of the wrong type; it must be a list of strings"},
      {R"({"missing": [3]})",
       make + "missing = {3} is of the wrong type; it must be a list of strings"},
      {R"({"quote": "ab"})", attempt + "quote must be one character of ASCII"},
      {R"({"skip_lines": -1})",
       make + "skip_lines = -1 is out of range; it must be an integer >= 0"},
      {R"({"skip_lines": "1"})",
       make + "skip_lines = '1' is of the wrong type; it must be an integer >= 0"},
      {R"({"header": 0})", make + "header = 0 is of the wrong type; it must be true or false"},
      {R"({"names": ["a", 1]})", attempt + "item 2 of 'names' is not a string"},
      {R"({"types": {"x": 1}})", attempt + "'types' is not a string"},
  };
  for (const auto& [options, message] : cases) {
    crossfold_dataset* made = nullptr;
    EXPECT_EQ(crossfold_dataset_read(context.get(), "x.csv", options, nullptr, &made),
              CROSSFOLD_INVALID_ARGUMENT);
    EXPECT_EQ(crossfold_last_error(context.get()), message);
  }
  crossfold_dataset* made = nullptr;
  EXPECT_EQ(crossfold_dataset_read(context.get(), "/nothing.csv", nullptr, nullptr, &made),
            CROSSFOLD_IO);
  EXPECT_EQ(crossfold_dataset_read(context.get(), nullptr, nullptr, nullptr, &made),
            CROSSFOLD_INVALID_ARGUMENT);
  EXPECT_STREQ(crossfold_last_error(context.get()),
               "cannot read data: argument 'location' is NULL; give one");
}

TEST(CDatasetTest, OtherFormatsAreReadByTheirSources) {
  const auto context = NewContext();
  const auto weather = ReadFile(context.get(), "weather_nominal.arff", R"({"target": "play"})");
  EXPECT_EQ(Describe(weather.get()).n_rows, 14);
}

TEST(CDatasetTest, ArrowArraysComeAndGoWithoutACopy) {
  const auto context = NewContext();
  HandMade made(Struct({Numbers<double>("g", "x", {1, 2, 3, 4}),
                        Coded<std::int8_t>("c", "y", {0, 1, 0, 1}, {"a", "b"})}));
  const void* buffer = made.array.children[0]->buffers[1];
  crossfold_dataset* dataset = nullptr;
  ASSERT_EQ(crossfold_dataset_import_arrow(context.get(), "d", &made.schema, &made.array,
                                           R"({"target": "y"})", &dataset),
            CROSSFOLD_OK);
  ArrowSchema schema;
  ArrowArray array;
  ASSERT_EQ(crossfold_dataset_export_arrow(context.get(), dataset, &schema, &array), CROSSFOLD_OK);
  crossfold_dataset_destroy(dataset);
  EXPECT_EQ(array.children[0]->buffers[1], buffer);
  EXPECT_EQ(made.counts->arrays, 0);
  schema.release(&schema);
  array.release(&array);
  EXPECT_EQ(made.counts->arrays, 1);
}

TEST(CDatasetTest, ArrowArraysAreReleasedIfTheCallFails) {
  const auto context = NewContext();
  for (const char* roles : {"{", R"({"target": "z"})"}) {
    HandMade made(Struct({Numbers<double>("g", "x", {1})}));
    crossfold_dataset* dataset = nullptr;
    EXPECT_NE(crossfold_dataset_import_arrow(context.get(), "d", &made.schema, &made.array, roles,
                                             &dataset),
              CROSSFOLD_OK);
    EXPECT_EQ(made.counts->schemas, 1);
    EXPECT_EQ(made.counts->arrays, 1);
    EXPECT_EQ(made.array.release, nullptr);
  }
}

}  // namespace
}  // namespace crossfold
