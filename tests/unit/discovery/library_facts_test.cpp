// What a library needs and exports, read from its bytes.
#include "discovery/library_facts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "crossfold_plugin/random.hpp"
#include "unit/discovery/built_plugins.h"

namespace crossfold {
namespace {

using test::FixtureBytes;
using testing::Contains;
using testing::IsEmpty;
using testing::StartsWith;

TEST(LibraryFactsTest, APluginExportsItsEntryFunctionAndNeedsTheCLibrary) {
  const LibraryReading reading = ReadLibraryFacts(FixtureBytes());
  EXPECT_EQ(reading.problem, "");
  ASSERT_EQ(reading.facts.exported.size(), 1u);
  EXPECT_EQ(reading.facts.exported[0].name, "crossfold_plugin_v1");
  EXPECT_FALSE(reading.facts.exported[0].is_unique);
  EXPECT_THAT(reading.facts.needed, Contains("libc.so.6"));
  EXPECT_THAT(reading.facts.run_paths, IsEmpty());
  EXPECT_FALSE(reading.facts.has_executable_stack);
  EXPECT_FALSE(reading.facts.has_text_relocations);
  EXPECT_THAT(reading.facts.HighestVersion("GLIBC"), StartsWith("GLIBC_2."));
}

TEST(LibraryFactsTest, VersionsAreComparedAsNumbers) {
  LibraryFacts facts;
  facts.versions = {"GLIBC_2.4", "GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_PRIVATE", "GLIBCXX_3.4.29"};
  EXPECT_EQ(facts.HighestVersion("GLIBC"), "GLIBC_2.34");
  EXPECT_EQ(facts.HighestVersion("GLIBCXX"), "GLIBCXX_3.4.29");
  EXPECT_EQ(facts.HighestVersion("CXXABI"), "");
}

TEST(LibraryFactsTest, WhatIsNoLibraryIsNamedAsByTheManifest) {
  EXPECT_EQ(ReadLibraryFacts("").problem, "it is empty");
  EXPECT_EQ(ReadLibraryFacts("hello\n").problem, "it is not an ELF shared library (a text file?)");
}

TEST(LibraryFactsTest, EveryTruncationAndThousandsOfMutationsAreSurvived) {
  const std::string bytes = FixtureBytes();
  int n_refused = 0;
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    if (!ReadLibraryFacts(std::string_view(bytes).substr(0, size)).problem.empty()) ++n_refused;
  }
  EXPECT_GT(n_refused, 0);
  plugin::Random random(20261122);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = bytes;
    for (int n = 0; n < 3; ++n) {
      changed[random.Below(changed.size())] = static_cast<char>(random.Below(256));
    }
    // The tables lie in the first and the last part; the middle is code.
    changed[random.Below(4096)] = static_cast<char>(random.Below(256));
    EXPECT_EQ(ReadLibraryFacts(changed).problem.find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace crossfold
