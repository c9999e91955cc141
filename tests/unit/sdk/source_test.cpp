#include "crossfold_plugin/source.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"
#include "unit/sdk/fake_call.h"
#include "unit/sdk/points_source.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

// Every type of column, or one number a portion, or a failure: as the location says.
class Portions {
 public:
  explicit Portions(int n) : n_(n) {}
  bool Next(Columns& portion, const Context& context) {
    context.Progress(0.5);
    if (n_ < 0) throw Error(CF_E_UNSUPPORTED_DATA, "line 3 is torn");
    if (n_ == 0) return false;
    portion = {SourceColumn::Doubles("x", {static_cast<double>(n_--)})};
    return true;
  }

 private:
  int n_;
};

struct Counted {
  static constexpr std::array<const char*, 1> kEndings = {"count"};
  static constexpr SourceInfo kInfo{.component = {.id = "test.counted"},
                                    .endings = kEndings,
                                    .promises = CF_SOURCE_READS_ONE_FILE};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  static int Sniff(const SourceInput& input) {
    return input.EndsWith(".count") ? CF_SNIFF_NAME : CF_SNIFF_NO;
  }
  static Portions Open(const Params&, const SourceInput& input, const Context&) {
    if (input.location() == "nowhere") throw Error(CF_E_UNSUPPORTED_DATA, "there is no such file");
    return Portions(std::stoi(std::string(input.location())));
  }
};

struct AllTypes {
  static constexpr SourceInfo kInfo{.component = {.id = "test.all_types"}};
  using Params = NoParams;
  static constexpr auto kSchema = kNoSchema;
  static int Sniff(const SourceInput& input) {
    return input.head() == "ALL" ? CF_SNIFF_CONTENT : 0;
  }
  static Columns Open(const Params&, const SourceInput& input, const Context&) {
    Columns columns = {
        SourceColumn::Doubles("d", {1.5, 2}),
        SourceColumn::Floats("f", {0.5F, 3}),
        SourceColumn::Integers("l", {7, 0}, {true, false}),
        SourceColumn::Integers32("i", {-1, 9}),
        SourceColumn::Booleans("b", {true, false}, {false, true}),
        SourceColumn::Categories("c", {1, -1}, {"lo", "\xC3\xA4"}, true).WithRole("target")};
    for (SourceColumn& column : columns) {
      const cf_column_hint* hint = input.HintOf(column.name);
      if (hint != nullptr && (hint->flags & CF_HINT_UNUSED) != 0) {
        column = SourceColumn::Unused(column.name, column.n_rows);
      }
    }
    return columns;
  }
  static void Write(const Params&, const std::string& path, ArrowArrayStream& columns,
                    const Context&) {
    ArrowSchema schema{};
    columns.get_schema(&columns, &schema);
    const auto n = schema.n_children;
    schema.release(&schema);
    throw Error(CF_E_UNSUPPORTED, path + ": " + std::to_string(n) + " columns");
  }
};

cf_source_input InputOf(const char* location) {
  cf_source_input input{};
  input.struct_size = sizeof input;
  input.location = location;
  input.n_bytes = -1;
  input.max_bytes = INT64_MAX;
  return input;
}

// A stream of S, its schema and one array, as long as the test lasts.
template <class S>
struct Opened {
  explicit Opened(const char* location, std::vector<const cf_column_hint*> given = {})
      : hints(std::move(given)), input(InputOf(location)) {
    input.hints = hints.data();
    input.n_hints = hints.size();
    const cf_source* table = internal::SourceAdapter<S>::Table();
    for (std::size_t i = 0; i < table->info.n_params; ++i) {
      args.push_back({table->info.params[i]->name, table->info.params[i]->def});
    }
    status = table->open(call.get(), args.data(), args.size(), &input, &stream);
  }
  ~Opened() {
    if (schema.release != nullptr) schema.release(&schema);
    if (array.release != nullptr) array.release(&array);
    if (stream.release != nullptr) stream.release(&stream);
  }
  int ReadSchema() { return stream.get_schema(&stream, &schema); }
  int ReadNext() {
    if (array.release != nullptr) array.release(&array);
    return stream.get_next(&stream, &array);
  }

  FakeCall call;
  std::vector<const cf_column_hint*> hints;
  cf_source_input input;
  std::vector<cf_arg> args;
  ArrowArrayStream stream{};
  ArrowSchema schema{};
  ArrowArray array{};
  cf_status status = CF_OK;
};

template <class T>
std::vector<T> Values(const ArrowArray& column, std::int64_t more = 0) {
  const auto* data = static_cast<const T*>(column.buffers[1]);
  return {data, data + column.length + more};
}

TEST(SourceTest, TheTableSaysWhatTheStructSays) {
  const cf_source* table = internal::SourceAdapter<Counted>::Table();
  EXPECT_EQ(table->struct_size, sizeof(cf_source));
  EXPECT_STREQ(table->info.id, "test.counted");
  ASSERT_EQ(table->n_endings, 1U);
  EXPECT_STREQ(table->endings[0], "count");
  EXPECT_EQ(table->n_schemes, 0U);
  EXPECT_EQ(table->promises, CF_SOURCE_READS_ONE_FILE);
}

TEST(SourceTest, SniffSeesTheNameAndTheFirstBytes) {
  FakeCall call;
  cf_source_input input = InputOf("folder/A.COUNT");
  std::int32_t sure = -1;
  EXPECT_EQ(internal::SourceAdapter<Counted>::Table()->sniff(call.get(), &input, &sure), CF_OK);
  EXPECT_EQ(sure, CF_SNIFF_NAME);
  input.head = reinterpret_cast<const std::uint8_t*>("ALL");
  input.n_head = 3;
  EXPECT_EQ(internal::SourceAdapter<AllTypes>::Table()->sniff(call.get(), &input, &sure), CF_OK);
  EXPECT_EQ(sure, CF_SNIFF_CONTENT);
}

TEST(SourceTest, EachTypeHasItsFormatAndItsEntries) {
  Opened<AllTypes> opened("any");
  ASSERT_EQ(opened.status, CF_OK);
  ASSERT_EQ(opened.ReadSchema(), 0);
  std::map<std::string, std::string> formats;
  for (std::int64_t i = 0; i < opened.schema.n_children; ++i) {
    formats[opened.schema.children[i]->name] = opened.schema.children[i]->format;
  }
  EXPECT_STREQ(opened.schema.format, "+s");
  EXPECT_THAT(formats, ElementsAre(std::pair("b", "b"), std::pair("c", "i"), std::pair("d", "g"),
                                   std::pair("f", "f"), std::pair("i", "i"), std::pair("l", "l")));
  ASSERT_EQ(opened.ReadNext(), 0);
  ASSERT_EQ(opened.array.n_children, 6);
  EXPECT_EQ(opened.array.length, 2);
  EXPECT_THAT(Values<double>(*opened.array.children[0]), ElementsAre(1.5, 2));
  EXPECT_THAT(Values<float>(*opened.array.children[1]), ElementsAre(0.5F, 3));
  EXPECT_THAT(Values<std::int64_t>(*opened.array.children[2]), ElementsAre(7, 0));
  EXPECT_EQ(opened.array.children[2]->null_count, 1);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(opened.array.children[2]->buffers[0]), 1);
  EXPECT_EQ(opened.array.children[3]->buffers[0], nullptr);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(opened.array.children[4]->buffers[1]), 1);
  EXPECT_EQ(*static_cast<const std::uint8_t*>(opened.array.children[4]->buffers[0]), 2);
  EXPECT_THAT(Values<std::int32_t>(*opened.array.children[5]), ElementsAre(1, -1));
  EXPECT_EQ(opened.ReadNext(), 0);
  EXPECT_EQ(opened.array.release, nullptr);  // the end
}

TEST(SourceTest, CategoriesBringTheirLevelsTheirOrderAndTheirRole) {
  Opened<AllTypes> opened("any");
  ASSERT_EQ(opened.ReadSchema(), 0);
  const ArrowSchema& schema = *opened.schema.children[5];
  EXPECT_STREQ(schema.dictionary->format, "u");
  EXPECT_NE(schema.flags & ARROW_FLAG_DICTIONARY_ORDERED, 0);
  EXPECT_EQ(opened.schema.children[0]->metadata, nullptr);
  // int32 1, int32 14, "crossfold.role", int32 6, "target", as the specification of Arrow has it.
  const std::int32_t numbers[] = {1, 14, 6};
  const std::string expected =
      std::string(reinterpret_cast<const char*>(numbers), 8) + "crossfold.role" +
      std::string(reinterpret_cast<const char*>(numbers + 2), 4) + "target";
  EXPECT_EQ(std::string(schema.metadata, expected.size()), expected);
  ASSERT_EQ(opened.ReadNext(), 0);
  const ArrowArray& levels = *opened.array.children[5]->dictionary;
  EXPECT_THAT(Values<std::int32_t>(levels, 1), ElementsAre(0, 2, 4));
  EXPECT_EQ(std::string(static_cast<const char*>(levels.buffers[2]), 4), "lo\xC3\xA4");
}

TEST(SourceTest, WhatNobodyNeedsIsAColumnOfNulls) {
  const cf_column_hint hint{sizeof(cf_column_hint), CF_HINT_UNUSED, "d", 0, 0, nullptr, nullptr};
  Opened<AllTypes> opened("any", {&hint});
  ASSERT_EQ(opened.ReadSchema(), 0);
  EXPECT_STREQ(opened.schema.children[0]->format, "n");
  ASSERT_EQ(opened.ReadNext(), 0);
  EXPECT_EQ(opened.array.children[0]->n_buffers, 0);
  EXPECT_EQ(opened.array.children[0]->null_count, 2);
}

TEST(SourceTest, ArraysOutliveTheStreamAndTheirParent) {
  ArrowArray column{};
  {
    Opened<AllTypes> opened("any");
    ASSERT_EQ(opened.ReadNext(), 0);
    column = *opened.array.children[0];
    opened.array.children[0]->release = nullptr;  // moved out
  }
  EXPECT_THAT(Values<double>(column), ElementsAre(1.5, 2));
  column.release(&column);
  EXPECT_EQ(column.release, nullptr);
}

TEST(SourceTest, PortionsComeOneAfterTheOther) {
  Opened<Counted> opened("2");
  ASSERT_EQ(opened.ReadSchema(), 0);
  ASSERT_EQ(opened.ReadNext(), 0);
  EXPECT_THAT(Values<double>(*opened.array.children[0]), ElementsAre(2));
  ASSERT_EQ(opened.ReadNext(), 0);
  EXPECT_THAT(Values<double>(*opened.array.children[0]), ElementsAre(1));
  ASSERT_EQ(opened.ReadNext(), 0);
  EXPECT_EQ(opened.array.release, nullptr);
}

TEST(SourceTest, AFailureReachesTheHostWithItsReason) {
  const Opened<Counted> nowhere("nowhere");
  EXPECT_EQ(nowhere.status, CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(nowhere.call.message, "there is no such file");
  EXPECT_EQ(nowhere.stream.release, nullptr);
  Opened<Counted> torn("-1");
  ASSERT_EQ(torn.status, CF_OK);
  EXPECT_EQ(torn.ReadSchema(), EIO);
  EXPECT_EQ(torn.call.message, "line 3 is torn");
  EXPECT_EQ(torn.call.code, CF_E_UNSUPPORTED_DATA);
  Opened<Counted> empty("0");
  EXPECT_EQ(empty.ReadSchema(), EIO);
  EXPECT_EQ(empty.call.message, "there are no columns");
}

TEST(SourceTest, ACancelledStreamSaysSo) {
  Opened<Counted> opened("1");
  opened.call.cancel = true;
  EXPECT_EQ(opened.ReadNext(), ECANCELED);
  EXPECT_EQ(opened.call.code, CF_E_CANCELLED);
}

// The example of docs/sources.md.
TEST(SourceTest, PointsAreReadWithTheirNamesAsTarget) {
  const test::TemporaryFolder folder;
  const std::string path = folder.Write("a.points", "1 2 b\n3.5 4 a\n-1 0 b\n");
  Opened<Points> opened(path.c_str());
  ASSERT_EQ(opened.status, CF_OK) << opened.call.message;
  ASSERT_EQ(opened.ReadSchema(), 0);
  ASSERT_EQ(opened.ReadNext(), 0);
  EXPECT_THAT(Values<double>(*opened.array.children[0]), ElementsAre(1, 3.5, -1));
  EXPECT_THAT(Values<std::int32_t>(*opened.array.children[2]), ElementsAre(1, 0, 1));
  const std::string torn = folder.Write("b.points", "1 2 b\n3 x a\n");
  const Opened<Points> refused(torn.c_str());
  EXPECT_EQ(refused.status, CF_E_UNSUPPORTED_DATA);
  EXPECT_EQ(refused.call.message, "line 2 is not a point: write x y name");
}

TEST(SourceTest, TextsThatAreNotPresentAreMissing) {
  const SourceColumn column =
      SourceColumn::Texts("t", {"b", "c", "a", "b"}, {true, false, true, true});
  EXPECT_THAT(column.levels, ElementsAre("a", "b"));
  const auto* codes = static_cast<const std::int32_t*>(column.data);
  EXPECT_THAT(std::vector<std::int32_t>(codes, codes + 4), ElementsAre(1, -1, 0, 1));
}

TEST(SourceTest, WritingIsACapability) {
  const auto* table = static_cast<const cf_cap_write*>(
      internal::SourceAdapter<AllTypes>::Table()->get_capability(nullptr, CF_CAP_WRITE));
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(internal::SourceAdapter<Counted>::Table()->get_capability(nullptr, CF_CAP_WRITE),
            nullptr);
  Opened<AllTypes> columns("any");
  FakeCall call;
  EXPECT_EQ(table->write(call.get(), nullptr, 0, "out.all", &columns.stream), CF_E_UNSUPPORTED);
  EXPECT_EQ(call.message, "out.all: 6 columns");
}

}  // namespace
}  // namespace crossfold::plugin
