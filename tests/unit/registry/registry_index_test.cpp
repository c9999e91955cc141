#include "crossfold/registry_index.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "crossfold/json_value.h"
#include "message_of.h"

namespace crossfold {
namespace {

constexpr const char* kKey = "RWTudwiqgQzIfK25Un6ZEOQuVDfEBmyY9k5QIvIcxe6Ei5yQ3m+ISFL9";
const std::string kHash(64, 'a');

RegistryPlugin Plugin(const std::string& version) {
  RegistryPlugin plugin;
  plugin.id = "org.example.ridge";
  plugin.version = version;
  plugin.ids[Kind::kLearner] = {"org.example.ridge"};
  plugin.ids[Kind::kMetric] = {"org.example.loss"};
  plugin.platform = {"linux", "x86_64", "2.34"};
  plugin.package = "packages/ridge-" + version + ".zip";
  plugin.package_bytes = 1234;
  plugin.package_sha256 = kHash;
  plugin.file = "ridge.crossfold.so";
  plugin.sha256 = kHash;
  plugin.libraries = {{"lib/libdep.so", kHash}};
  plugin.license = "MIT";
  plugin.check = CheckRecord{"0.1.0", "2026-11-27", 1, true, {{"ok", 40}, {"skipped", 1}}, {}};
  plugin.check->findings = {{"cap-proba", "org.example.ridge", "skipped", "it has none"}};
  return plugin;
}

RegistryIndex Index() {
  RegistryIndex index;
  index.id = "org.example";
  index.title = "Examples";
  index.serial = 7;
  index.keys = {{ParsePublicKey(kKey, "cannot read"), "Alice"}};
  index.revoked = {{"0123456789ABCDEF", "stolen"}};
  index.key_serials = {2, 5};
  index.plugins = {Plugin("1.10.0"), Plugin("1.9.0")};
  return index;
}

std::string Problem(const std::string& text) {
  return test::MessageOf([&] { ParseRegistryIndex(text, "cannot use registry 'r'"); });
}

std::string With(const std::string& from, const std::string& to) {
  std::string text = ToText(Index());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(RegistryIndexTest, AnIndexReadsBackWithTheSameBytes) {
  const std::string text = ToText(Index());
  const RegistryIndex read = ParseRegistryIndex(text, "cannot use");
  EXPECT_EQ(ToText(read), text);
  ASSERT_EQ(read.plugins.size(), 2u);
  EXPECT_EQ(read.plugins[0].version, "1.9.0");  // sorted, by numbers
  EXPECT_EQ(read.plugins[0].check, Plugin("1.9.0").check);
  EXPECT_EQ(read.plugins[0].libraries, Plugin("1.9.0").libraries);
  EXPECT_EQ(read.keys[0].key.ToText(), kKey);
}

// The order of https://semver.org (2.0.0), section 11.
TEST(RegistryIndexTest, VersionsAreOrderedAsSemanticVersioningDoes) {
  const std::vector<std::string> ordered = {
      "0.9",        "0.9.1",        "1.0.0-alpha",   "1.0.0-alpha.1", "1.0.0-alpha.beta",
      "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",    "1.0.0",
      "1.2.0",      "1.10.0"};
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    for (std::size_t j = 0; j < ordered.size(); ++j) {
      EXPECT_EQ(IsOlderVersion(ordered[i], ordered[j]), i < j) << ordered[i] << ' ' << ordered[j];
    }
  }
  EXPECT_FALSE(IsOlderVersion("1.0.0+b", "1.0.0+a"));
  EXPECT_FALSE(IsOlderVersion("1.0.0+a", "1.0.0+b"));
}

TEST(RegistryIndexTest, WhatIsWrongWithAnIndexIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"{", "is not JSON at byte 2"},
      {"[]", "it is not an object"},
      {"{}", "is not an index of a registry"},
      {R"({"crossfold_registry": 2})",
       "has a version that this Crossfold does not know; use a newer one"},
      {With("\"serial\": 7", "\"serial\": -7"),
       "it: its 'serial' is not a whole number of 0 or more"},
      {With("\"threshold\": 1", "\"threshold\": 2"), "its 'threshold' is 2, and it has 1 keys"},
      {With("7CC80C81AA0877EE", "7CC80C81AA0877EF"),
       "it, key 1: its 'id' is not the id of its public key"},
      {With("packages/ridge-1.9.0.zip", "packages/../../x"),
       "it, plugin 1: its 'package' is not a file in packages/"},
      {With("ridge.crossfold.so", "../r.crossfold.so"),
       "it, plugin 1: its 'file' is not the name of a file"},
      {With("\"org.example.ridge\"", "\"..\""),
       "it, plugin 1: its 'id' is not made of a-z, 0-9, '_', '.' and '-'"},
      {With("\"abi\": \"1.0\"", "\"abi\": \"1\""), "it, plugin 1: its 'abi' is not MAJOR.MINOR"},
      {With("\"kind\": \"learner\"", "\"kind\": \"lerner\""),
       "it, plugin 1, component 1: its 'kind' is not a kind of component"},
      {With("\"sha256\": \"" + kHash, "\"sha256\": \"A" + kHash.substr(1)),
       "it, plugin 1: its 'sha256' is not 64 digits of 0-9 and a-f"},
  };
  for (const auto& [text, finding] : cases) {
    EXPECT_EQ(Problem(text), "cannot use registry 'r': its index: " + finding);
  }
}

TEST(RegistryIndexTest, APlatformIsNamedByItsMachine) {
  EXPECT_EQ(Platform().Name(), "any");
  EXPECT_EQ((Platform{"linux", "aarch64", "2.36"}).Name(), "linux-aarch64");
}

TEST(RegistryIndexTest, RecordsOfChecksAreOneLineForPeople) {
  EXPECT_EQ(ToText(*Plugin("1.0.0").check), "40 ok, 1 skipped (Crossfold 0.1.0, 2026-11-27)");
}

}  // namespace
}  // namespace crossfold
