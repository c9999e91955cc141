#include "encoding/spec_fields.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "crossfold/error.h"
#include "crossfold_plugin.hpp"
#include "unit/engine/data/damage.h"
#include "unit/engine/plugin/declared_components.h"

namespace crossfold {
namespace {

const PluginHost& Host() {
  static const PluginHost host({.paths = {CROSSFOLD_FIXTURE_PLUGIN},
                                .use_environment = false,
                                .use_user_folder = false,
                                .use_installation = false,
                                .log = {}});
  return host;
}

std::shared_ptr<const Spec> FirstClass(const ParamValues& values) {
  return Spec::Make(Host().Find(Kind::kLearner, "first_class"), values);
}

std::string BytesOf(const Spec& spec) {
  FieldWriter fields;
  WriteSpec(spec, fields);
  return fields.Take();
}

SpecRecord ReadRecord(std::string_view bytes) {
  FieldReader fields(bytes);
  SpecRecord record = ReadSpec(fields);
  fields.End();
  return record;
}

TEST(SpecFieldsTest, AComponentIsFoundAgainWithItsParameters) {
  const auto spec = FirstClass({{"k", std::int64_t{7}}});
  const SpecRecord record = ReadRecord(BytesOf(*spec));
  EXPECT_EQ(record.kind, Kind::kLearner);
  EXPECT_EQ(record.component, "crossfold.first_class");
  EXPECT_EQ(record.plugin, "crossfold.fixture");
  EXPECT_EQ(record.plugin_version, "1.0.0");
  EXPECT_EQ(record.path, CROSSFOLD_FIXTURE_PLUGIN);
  EXPECT_EQ(record.sha256, spec->component().plugin->sha256);
  const auto made = MakeSpec(record, Host());
  EXPECT_EQ(made->ToString(), "first_class{k=7}");
  EXPECT_EQ(&made->component(), &spec->component());
}

TEST(SpecFieldsTest, WhatWasNotGivenStaysADefault) {
  const SpecRecord record = ReadRecord(BytesOf(*FirstClass({})));
  EXPECT_TRUE(record.given.empty());
  EXPECT_EQ(MakeSpec(record, Host())->ToString(), "first_class");
}

TEST(SpecFieldsTest, AnotherVersionOfTheSameFileIsNamed) {
  const auto spec = FirstClass({});
  SpecRecord record = RecordOf(*spec);
  EXPECT_EQ(VersionDifference(record, spec->component()), "");
  record.component_version = "1.2.0 (numpy 1.24.2)";
  EXPECT_EQ(VersionDifference(record, spec->component()),
            "'first_class' is now 1.2.0, it was 1.2.0 (numpy 1.24.2)");
}

TEST(SpecFieldsTest, FilesOfALockAreReadBack) {
  const auto plugin = std::make_shared<LoadedPlugin>();
  plugin->libraries = {{"libx.so", std::string(64, 'a')}};
  plugin->copy = "/tmp/.crossfold-abcdef/x.crossfold";
  Component component = FirstClass({})->component();
  component.plugin = plugin;
  const std::vector<std::shared_ptr<const Spec>> specs = {
      FirstClass({}), Spec::Make(std::make_shared<const Component>(component), {})};
  FieldWriter fields;
  WriteLoadedFiles(specs, fields);
  const std::string bytes = fields.Take();
  FieldReader reader(bytes);
  const std::vector<LoadedFiles> files = ReadLoadedFiles(reader);
  reader.End();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_TRUE(files[0].libraries.empty());
  EXPECT_EQ(files[0].copy, "");
  EXPECT_EQ(files[1].libraries, plugin->libraries);
  EXPECT_EQ(files[1].copy, "/tmp/.crossfold-abcdef/x.crossfold");
}

TEST(SpecFieldsTest, AnotherPluginFileIsRefused) {
  SpecRecord record = ReadRecord(BytesOf(*FirstClass({})));
  const std::string now = record.sha256.substr(0, 12);
  record.sha256 = std::string(64, 'a');
  try {
    MakeSpec(record, Host());
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kBadPlugin);
    EXPECT_EQ(
        e.what(),
        "cannot make learner 'first_class': its plugin differs from that of the record (SHA-256 " +
            now +
            " instead of aaaaaaaaaaaa); install crossfold.fixture 1.0.0 from the build that was "
            "recorded");
  }
}

// A component with a parameter of every kind.
std::shared_ptr<const Spec> EveryKind() {
  ParamSpec depth = test::Integer("depth", 1, 100, 5);
  depth.flags = CF_PF_NULLABLE;
  auto component = std::make_shared<Component>(
      *test::Declare(Kind::kTransform, "x.y",
                     {depth, test::OfType("column", CF_P_STRING, std::string("fold")),
                      test::OfType("layers", CF_P_INT_LIST, std::vector<std::int64_t>{8}),
                      test::OfType("rates", CF_P_REAL_LIST, std::vector<double>{}),
                      test::OfType("verbose", CF_P_BOOL, true), test::Integer("k", 1, 100, 5)}));
  auto plugin = std::make_shared<LoadedPlugin>();
  plugin->path = "/nowhere/x.crossfold.so";
  component->plugin = plugin;
  return Spec::Make(component, {{"depth", Null{}},
                                {"column", std::string("a\0b", 3)},
                                {"layers", std::vector<std::int64_t>{16, -4}},
                                {"rates", std::vector<double>{0.1, -0.0}},
                                {"verbose", false},
                                {"k", std::int64_t{3}}});
}

TEST(SpecFieldsTest, ValuesOfEveryKindComeBack) {
  const auto spec = EveryKind();
  const SpecRecord record = ReadRecord(BytesOf(*spec));
  EXPECT_EQ(record.kind, Kind::kTransform);
  EXPECT_EQ(record.given, spec->given());
}

TEST(SpecFieldsTest, ListsOfSpecsComeBack) {
  const std::vector<std::shared_ptr<const Spec>> specs = {FirstClass({}), EveryKind()};
  FieldWriter writer;
  WriteSpecs(specs, writer);
  FieldReader reader(writer.bytes());
  const std::vector<SpecRecord> records = ReadSpecs(reader);
  reader.End();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].component, "crossfold.first_class");
  EXPECT_EQ(records[1].component, "x.y");
}

TEST(SpecFieldsTest, EveryCutIsRefused) {
  ForEachCut(BytesOf(*EveryKind()), [](const std::string& cut) {
    EXPECT_THROW(ReadRecord(cut), plugin::Error) << cut.size() << " bytes";
  });
}

TEST(SpecFieldsTest, ChangedBytesAreRefusedOrGiveARecord) {
  int refused = 0;
  ForEachFlip(BytesOf(*EveryKind()), [&](const std::string& damaged) {
    try {
      ReadRecord(damaged);
    } catch (const plugin::Error&) {
      ++refused;
    }
  });
  EXPECT_GT(refused, 100);
}

TEST(SpecFieldsTest, EveryKindOfValueIsReadBack) {
  const std::vector<Value> values = {Null{},
                                     true,
                                     std::int64_t{-3},
                                     0.5,
                                     std::string("text"),
                                     std::vector<std::int64_t>{1, 2},
                                     std::vector<double>{0.5},
                                     std::vector<std::string>{"a", "b"},
                                     Nested{R"({"a":1})"}};
  for (const Value& value : values) {
    FieldWriter fields;
    fields.Parameter(value);
    FieldReader reader(fields.bytes());
    EXPECT_EQ(reader.Parameter(), value);
  }
}

}  // namespace
}  // namespace crossfold
