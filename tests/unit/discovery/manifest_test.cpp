#include "discovery/manifest_file.h"

#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstring>
#include <string>

#include "crossfold_plugin/random.hpp"
#include "temporary_folder.h"
#include "unit/discovery/built_plugins.h"

namespace crossfold {
namespace {

using test::FixtureBytes;
using testing::ElementsAre;
using testing::IsEmpty;

std::string ProblemOf(std::string_view bytes) { return ReadManifest(bytes).problem; }

// The file with one field of its ELF header changed.
template <class T>
std::string WithField(std::string bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
  return bytes;
}

Elf64_Ehdr HeaderOf(const std::string& bytes) {
  Elf64_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  return header;
}

TEST(ManifestTest, IsReadFromASharedLibrary) {
  const ManifestReading reading = ReadManifest(FixtureBytes());
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.manifest.id, "crossfold.fixture");
  EXPECT_EQ(reading.manifest.version, "1.0.0");
  EXPECT_EQ(reading.manifest.abi_minor, 0u);
  EXPECT_THAT(reading.manifest.ids[Kind::kLearner], ElementsAre("crossfold.first_class"));
  EXPECT_THAT(reading.manifest.ids[Kind::kSplitter], ElementsAre("org.example.first_row"));
  EXPECT_THAT(reading.manifest.ids[Kind::kTransform], IsEmpty());
  EXPECT_THAT(reading.manifest.ids[Kind::kMetric], IsEmpty());
}

TEST(ManifestTest, AFileGivesTheSameAsItsBytes) {
  const ManifestReading reading = ReadManifestFile(CROSSFOLD_FIXTURE_PLUGIN);
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.manifest.id, "crossfold.fixture");
}

TEST(ManifestTest, WhatIsNoFileIsNamed) {
  const test::TemporaryFolder folder;
  EXPECT_EQ(ReadManifestFile(folder.path() / "none.crossfold.so").problem,
            "it cannot be read: No such file or directory");
  EXPECT_EQ(ReadManifestFile(folder.path()).problem, "it is not a file");
  const std::filesystem::path pipe = folder.path() / "pipe.crossfold.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(ReadManifestFile(pipe).problem, "it is not a file");
}

TEST(ManifestTest, AnEmptyFileIsNamed) { EXPECT_EQ(ProblemOf(""), "it is empty"); }

TEST(ManifestTest, ATextFileIsNamed) {
  EXPECT_EQ(ProblemOf("return { learner = 'knn' }\n"),
            "it is not an ELF shared library (a text file?)");
  EXPECT_EQ(ProblemOf("x"), "it is not an ELF shared library (a text file?)");
}

TEST(ManifestTest, AnotherBinaryFormatIsNoTextFile) {
  EXPECT_EQ(ProblemOf(std::string("MZ\x90\x00\x03\x00\x00\x00", 8)),
            "it is not an ELF shared library");
}

TEST(ManifestTest, AnotherArchitectureIsNamed) {
  const std::string fixture = FixtureBytes();
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, offsetof(Elf64_Ehdr, e_machine), EM_ALPHA)),
            "built for machine 36902, this host is x86-64");
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, offsetof(Elf64_Ehdr, e_machine), EM_AARCH64)),
            "built for aarch64, this host is x86-64");
  EXPECT_EQ(ProblemOf(WithField<unsigned char>(fixture, EI_CLASS, ELFCLASS32)),
            "built for 32 bits, this host has 64");
  EXPECT_EQ(ProblemOf(WithField<unsigned char>(fixture, EI_DATA, ELFDATA2MSB)),
            "built for big-endian machines, this host is little-endian");
}

TEST(ManifestTest, WhatIsNoSharedLibraryIsNamed) {
  const std::string fixture = FixtureBytes();
  const std::size_t type = offsetof(Elf64_Ehdr, e_type);
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, type, ET_REL)),
            "it is an object file, not a shared library");
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, type, ET_EXEC)),
            "it is a program, not a shared library");
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, type, ET_CORE)),
            "it is a core dump, not a shared library");
}

TEST(ManifestTest, ATruncatedFileIsNamedWithWhatIsMissing) {
  const std::string fixture = FixtureBytes();
  const std::uint64_t table = HeaderOf(fixture).e_shoff;
  const std::size_t half = fixture.size() / 2;
  EXPECT_EQ(ProblemOf(fixture.substr(0, half)), "truncated: section table at byte " +
                                                    std::to_string(table) + " is after the end, " +
                                                    std::to_string(half) + " bytes");
  EXPECT_EQ(ProblemOf(fixture.substr(0, 63)),
            "truncated: ELF header at byte 0 is after the end, 63 bytes");
  EXPECT_EQ(ProblemOf(fixture.substr(0, 10)),
            "truncated: ELF header at byte 0 is after the end, 10 bytes");
}

TEST(ManifestTest, ASegmentBehindTheEndIsRefusedForTheLoaderWouldCrash) {
  std::string fixture = FixtureBytes();
  const Elf64_Ehdr header = HeaderOf(fixture);
  Elf64_Phdr segment;
  std::memcpy(&segment, fixture.data() + header.e_phoff, sizeof(segment));
  ASSERT_EQ(segment.p_type, static_cast<Elf64_Word>(PT_LOAD));
  segment.p_filesz = fixture.size() + 1;
  std::memcpy(fixture.data() + header.e_phoff, &segment, sizeof(segment));
  EXPECT_EQ(ProblemOf(fixture), "truncated: segment at byte 0 is after the end, " +
                                    std::to_string(fixture.size()) + " bytes");
}

TEST(ManifestTest, ALibraryWithoutASectionTableHasNoManifest) {
  EXPECT_EQ(ProblemOf(WithField<Elf64_Off>(FixtureBytes(), offsetof(Elf64_Ehdr, e_shoff), 0)),
            "has no crossfold manifest; is it a Crossfold plugin?");
}

TEST(ManifestTest, ADamagedSectionTableIsNamed) {
  const std::string fixture = FixtureBytes();
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, offsetof(Elf64_Ehdr, e_shentsize), 40)),
            "its section table is damaged");
  EXPECT_EQ(ProblemOf(WithField<Elf64_Half>(fixture, offsetof(Elf64_Ehdr, e_shstrndx), 9999)),
            "its section table is damaged");
}

// Either a manifest or a reason, never both or none; and no access outside the bytes, which the
// sanitizer build of this test sees.
void ExpectOneAnswer(std::string_view bytes) {
  const ManifestReading reading = ReadManifest(bytes);
  ASSERT_NE(reading.problem.empty(), reading.manifest.id.empty()) << reading.problem;
}

TEST(ManifestTest, EveryTruncationOfARealPluginIsRefused) {
  const std::string fixture = FixtureBytes();
  const std::size_t step = fixture.size() / 3000 + 1;
  for (std::size_t size = 0; size < fixture.size(); size += size < 128 ? 1 : step) {
    ASSERT_NE(ProblemOf(std::string_view(fixture).substr(0, size)), "") << size;
  }
}

TEST(ManifestTest, EveryMutationOfTheHeadersIsSurvived) {
  std::string fixture = FixtureBytes();
  const Elf64_Ehdr header = HeaderOf(fixture);
  const std::size_t table = header.e_shoff;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < 64 + header.e_phnum * sizeof(Elf64_Phdr); ++i) places.push_back(i);
  for (std::size_t i = table; i < table + header.e_shnum * sizeof(Elf64_Shdr); ++i) {
    places.push_back(i);
  }
  for (const std::size_t place : places) {
    const char original = fixture[place];
    for (const int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      fixture[place] = static_cast<char>(value);
      ASSERT_NO_FATAL_FAILURE(ExpectOneAnswer(fixture)) << "byte " << place << " = " << value;
    }
    fixture[place] = original;
  }
}

TEST(ManifestTest, ThousandsOfRandomMutationsAreSurvived) {
  std::string fixture = FixtureBytes();
  plugin::Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const std::size_t place = static_cast<std::size_t>(random.Below(fixture.size()));
    const char original = fixture[place];
    fixture[place] = static_cast<char>(random.Below(256));
    ASSERT_NO_FATAL_FAILURE(ExpectOneAnswer(fixture)) << "byte " << place;
    fixture[place] = original;
  }
}

constexpr const char* kGood =
    R"({"crossfold":1,"id":"org.example.p","version":"2.1","learners":["a"],"transforms":["b"],)"
    R"("splitters":["c"],"metrics":["d","e"]})";

// kGood with one part replaced.
std::string TextWith(const std::string& part, const std::string& by) {
  std::string text = kGood;
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, part.size(), by);
}

std::string TextProblem(const std::string& part, const std::string& by) {
  return ParseManifest(TextWith(part, by)).problem;
}

TEST(ManifestTextTest, HasAllFields) {
  const Manifest manifest = ParseManifest(kGood).manifest;
  EXPECT_EQ(manifest.id, "org.example.p");
  EXPECT_EQ(manifest.version, "2.1");
  EXPECT_THAT(manifest.ids[Kind::kLearner], ElementsAre("a"));
  EXPECT_THAT(manifest.ids[Kind::kTransform], ElementsAre("b"));
  EXPECT_THAT(manifest.ids[Kind::kSplitter], ElementsAre("c"));
  EXPECT_THAT(manifest.ids[Kind::kMetric], ElementsAre("d", "e"));
}

TEST(ManifestTextTest, FieldsOfLaterVersionsAreIgnored) {
  const ManifestReading reading =
      ParseManifest(TextWith("{\"crossfold\":1", "{\"crossfold\":1,\"abi_minor\":7,\"new\":[1]"));
  EXPECT_EQ(reading.problem, "");
  EXPECT_EQ(reading.manifest.abi_minor, 7u);
}

TEST(ManifestTextTest, AnotherAbiIsNamed) {
  EXPECT_EQ(TextProblem("\"crossfold\":1", "\"crossfold\":2"),
            "built for plugin ABI 2; this host supports ABI 1");
  EXPECT_EQ(TextProblem("\"crossfold\":1", "\"crossfold\":-1"),
            "its manifest is wrong: 'crossfold' is not a whole number");
  EXPECT_EQ(TextProblem("\"crossfold\":1,", ""), "its manifest is wrong: 'crossfold' is missing");
}

TEST(ManifestTextTest, WhatIsNoObjectIsNamed) {
  EXPECT_EQ(ParseManifest("").problem, "its manifest is not valid JSON");
  EXPECT_EQ(ParseManifest("{\"crossfold\":1").problem, "its manifest is not valid JSON");
  EXPECT_EQ(ParseManifest("{\"id\":\"\xFF\"}").problem, "its manifest is not valid JSON");
  EXPECT_EQ(ParseManifest("[1]").problem, "its manifest is not a JSON object");
}

TEST(ManifestTextTest, DeepNestingIsRefusedWithoutExhaustingTheStack) {
  EXPECT_EQ(ParseManifest(std::string(1 << 20, '[')).problem, "its manifest is not valid JSON");
  EXPECT_EQ(ParseManifest(std::string(1 << 19, '[') + std::string(1 << 19, ']')).problem,
            "its manifest is not valid JSON");
}

TEST(ManifestTextTest, AFieldOfTheWrongTypeIsNamed) {
  EXPECT_EQ(TextProblem("\"org.example.p\"", "7"), "its manifest is wrong: 'id' is not a string");
  EXPECT_EQ(TextProblem("\"2.1\"", "\"\""),
            "its manifest is wrong: 'version' is not one line of text");
  EXPECT_EQ(TextProblem("\"2.1\"", "\"1\\n2\""),
            "its manifest is wrong: 'version' is not one line of text");
  EXPECT_EQ(TextProblem("[\"a\"]", "\"a\""), "its manifest is wrong: 'learners' is not a list");
  EXPECT_EQ(TextProblem("[\"d\",\"e\"]", "[\"d\",1]"),
            "its manifest is wrong: 'metrics' has an entry that is not a string");
}

TEST(ManifestTextTest, KindsWithoutComponentsMayBeLeftOut) {
  EXPECT_EQ(TextProblem("\"splitters\":[\"c\"],", ""), "");
}

TEST(ManifestTextTest, AKindThatOnlyANewerHostKnowsIsNoDamage) {
  const std::string head = R"({"crossfold":1,"id":"x","version":"1.0.0",)";
  EXPECT_EQ(ParseManifest(head + R"("abi_minor":1,"explainers":["x.y"]})").problem,
            "needs a newer Crossfold: its manifest offers nothing that this one knows");
  EXPECT_EQ(ParseManifest(head + R"("abi_minor":0,"explainers":["x.y"]})").problem,
            "its manifest offers nothing");
  EXPECT_EQ(
      ParseManifest(head + R"("abi_minor":1,"explainers":["x.y"],"metrics":["x.m"]})").problem, "");
}

TEST(ManifestTextTest, KindsOfOthersAreFactories) {
  const ManifestReading reading = ParseManifest(
      R"({"crossfold":1,"id":"x","version":"1.0.0","factories":["org.example.explainers/1"]})");
  EXPECT_EQ(reading.problem, "");
  EXPECT_THAT(reading.manifest.factories, testing::ElementsAre("org.example.explainers/1"));
  EXPECT_EQ(ManifestFromJson(ToJson(reading.manifest)).manifest, reading.manifest);
}

TEST(ManifestTextTest, IllFormedAndRepeatedIdsAreNamed) {
  EXPECT_EQ(TextProblem("[\"a\"]", "[\"My Learner\"]"),
            "its manifest is wrong: 'learners' has the id 'My Learner'; ids are made of a-z, 0-9, "
            "'_', '.' and '-'");
  EXPECT_EQ(TextProblem("\"e\"", "\"a\""), "its manifest is wrong: 'metrics' repeats the id 'a'");
}

ManifestReading WithExpectedFailures(const std::string& json) {
  return ParseManifest(
      R"({"crossfold":1,"id":"org.example.p","version":"1","learners":["org.example.a"],)"
      R"("transforms":[],"splitters":[],"metrics":[],"expected_failures":)" +
      json + "}");
}

TEST(ManifestTextTest, ExpectedFailuresAreKeptAndWrittenAgain) {
  const ManifestReading reading =
      WithExpectedFailures(R"([{"check":"row-order","component":"org.example.a","reason":"ties"},)"
                           R"({"check":"file-needed","reason":"two runtimes"}])");
  EXPECT_EQ(reading.problem, "");
  const std::vector<ExpectedFailure> expected = {{"row-order", "org.example.a", "ties"},
                                                 {"file-needed", "", "two runtimes"}};
  EXPECT_EQ(reading.manifest.expected_failures, expected);
  EXPECT_EQ(ManifestFromJson(ToJson(reading.manifest)).manifest, reading.manifest);
}

TEST(ManifestTextTest, ExpectedFailuresOfAnotherFormAreNamed) {
  EXPECT_EQ(WithExpectedFailures("{}").problem,
            "its manifest is wrong: 'expected_failures' is not a list");
  EXPECT_EQ(WithExpectedFailures("[1]").problem,
            "its manifest is wrong: 'expected_failures' has an entry that is not an object");
  EXPECT_EQ(WithExpectedFailures(R"([{"check":"leak"}])").problem,
            "its manifest is wrong: 'reason' is missing");
  EXPECT_EQ(WithExpectedFailures(R"([{"check":"leak","reason":"r","component":"b"}])").problem,
            "its manifest is wrong: 'expected_failures' names the component 'b', which the plugin "
            "does not have");
}

TEST(ManifestTextTest, APluginMustOfferSomething) {
  EXPECT_EQ(ParseManifest(R"({"crossfold":1,"id":"p","version":"1","learners":[],"transforms":[],)"
                          R"("splitters":[],"metrics":[]})")
                .problem,
            "its manifest offers nothing");
}

}  // namespace
}  // namespace crossfold
