// A bad plugin is refused, or its failure is reported, with its file and the reason; the others
// still work.
#include <elf.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <clocale>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "engine/plugin/plugin_call.h"
#include "temporary_folder.h"

namespace crossfold {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

using Lines = std::vector<std::pair<std::int32_t, std::string>>;

PluginHostOptions Only(const fs::path& path, Lines* lines = nullptr) {
  PluginHostOptions options;
  options.paths = {path};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  if (lines != nullptr) {
    options.log = [lines](std::int32_t level, const std::string& line) {
      lines->emplace_back(level, line);
    };
  }
  return options;
}

std::string FileOf(const std::string& name) {
  return std::string(CROSSFOLD_BAD_PLUGINS) + "/" + name + ".crossfold.so";
}

// What Find says about learner "bad.NAME" when the whole folder of bad plugins is searched.
std::string LoadErrorOf(const std::string& name) {
  const PluginHost host(Only(CROSSFOLD_BAD_PLUGINS));
  try {
    host.Find(Kind::kLearner, "bad." + name);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadPlugin);
    return error.what();
  }
  return "";
}

std::string CannotLoad(const std::string& name, const std::string& reason) {
  return "cannot load plugin '" + FileOf(name) + "': " + reason;
}

TEST(BadPluginsTest, ABadManifestIsFoundByTheSearch) {
  const PluginHost host(Only(CROSSFOLD_BAD_PLUGINS));
  std::map<std::string, std::string> rejected;
  for (const PluginEntry& entry : host.entries()) {
    if (!entry.rejected.empty()) rejected[entry.path.string()] = entry.rejected;
  }
  EXPECT_THAT(
      rejected,
      testing::UnorderedElementsAre(
          Pair(FileOf("broken_manifest"), "its manifest is not valid JSON"),
          Pair(FileOf("manifest_of_abi_2"), "built for plugin ABI 2; this host supports ABI 1"),
          Pair(FileOf("no_manifest"), "has no crossfold manifest; is it a Crossfold plugin?"),
          Pair(FileOf("repeats_id"),
               "its manifest is wrong: 'learners' repeats the id 'bad.repeats_id'")));
}

TEST(BadPluginsTest, TheSearchNamesEveryRejectedFileInTheLog) {
  Lines lines;
  const PluginHost host(Only(CROSSFOLD_BAD_PLUGINS, &lines));
  EXPECT_EQ(lines.size(), 4u);
  EXPECT_THAT(lines, Contains(Pair(CF_LOG_WARN, "cannot use plugin '" + FileOf("no_manifest") +
                                                    "': has no crossfold manifest; is it a "
                                                    "Crossfold plugin?")));
}

TEST(BadPluginsTest, BadDescriptorsAreRefusedWhenTheyAreLoaded) {
  EXPECT_EQ(
      LoadErrorOf("wrong_magic"),
      CannotLoad("wrong_magic", "its descriptor starts with 0x12345678, not with 0x444C4658"));
  EXPECT_EQ(LoadErrorOf("other_abi"),
            CannotLoad("other_abi", "built for plugin ABI 2; this host supports ABI 1"));
  EXPECT_EQ(
      LoadErrorOf("short_descriptor"),
      CannotLoad("short_descriptor", "truncated descriptor: 40 bytes, plugin ABI 1.0 has 144"));
  EXPECT_EQ(LoadErrorOf("missing_function"),
            CannotLoad("missing_function",
                       "learner 'bad.missing_function': its function 'predict' is null"));
  EXPECT_EQ(LoadErrorOf("manifest_disagrees"),
            CannotLoad("manifest_disagrees",
                       "its manifest has the id 'bad.manifest_disagrees', its descriptor "
                       "'bad.given'"));
  EXPECT_EQ(LoadErrorOf("default_out_of_range"),
            CannotLoad("default_out_of_range",
                       "learner 'bad.default_out_of_range': parameter 'k': its default is "
                       "refused: k = 0 is out of range; it must be an integer in [1, 100]"));
}

TEST(BadPluginsTest, ADecliningPluginIsQuoted) {
  EXPECT_EQ(LoadErrorOf("declines"), CannotLoad("declines", "declines: no graphics card"));
  EXPECT_EQ(LoadErrorOf("declines_silently"),
            CannotLoad("declines_silently", "declines: it gave no reason"));
}

TEST(BadPluginsTest, WhatAPluginLogsWhileItIsLoadedIsLogged) {
  Lines lines;
  const PluginHost host(Only(FileOf("declines"), &lines));
  EXPECT_THROW(host.Find(Kind::kLearner, "bad.declines"), Error);
  EXPECT_THAT(lines, ElementsAre(Pair(CF_LOG_INFO, "looking for a graphics card"),
                                 Pair(CF_LOG_ERROR, "no graphics card")));
}

TEST(BadPluginsTest, ALogSinkMayAskTheHostThatIsLoading) {
  const PluginHost* asked = nullptr;
  std::vector<std::string> rejected;
  PluginHostOptions options = Only(FileOf("declines"));
  options.log = [&](std::int32_t, const std::string&) {
    rejected.push_back(asked->entries()[0].rejected);
  };
  const PluginHost host(options);
  asked = &host;
  EXPECT_THROW(host.Find(Kind::kLearner, "bad.declines"), Error);
  EXPECT_THAT(rejected, ElementsAre("declines: no graphics card", "declines: no graphics card"));
}

TEST(BadPluginsTest, AMissingEntryFunctionIsNamed) {
  EXPECT_EQ(
      LoadErrorOf("exports_v2"),
      CannotLoad("exports_v2",
                 "built for plugin ABI 2 (it exports crossfold_plugin_v2); this host supports ABI "
                 "1"));
  EXPECT_EQ(LoadErrorOf("no_entry"), CannotLoad("no_entry", "does not export crossfold_plugin_v1"));
}

TEST(BadPluginsTest, AMissingSymbolIsFoundOnLoadingNotInTheMiddleOfARun) {
  EXPECT_EQ(LoadErrorOf("missing_symbol"),
            CannotLoad("missing_symbol",
                       "needs the function or variable crossfold_tests_nobody_has_this, which none "
                       "of its libraries has"));
}

TEST(BadPluginsTest, AnExceptionOnEntryIsARefusal) {
  EXPECT_EQ(LoadErrorOf("throws_on_entry"),
            CannotLoad("throws_on_entry",
                       "a C++ exception crossed the plugin boundary: no licence file"));
}

TEST(BadPluginsTest, AFileThatFailedToLoadIsRejectedFromThenOn) {
  const PluginHost host(Only(FileOf("wrong_magic")));
  EXPECT_EQ(host.entries()[0].rejected, "");
  EXPECT_THROW(host.Find(Kind::kLearner, "bad.wrong_magic"), Error);
  EXPECT_EQ(host.entries()[0].rejected,
            "its descriptor starts with 0x12345678, not with 0x444C4658");
  EXPECT_THROW(host.Find(Kind::kLearner, "bad.wrong_magic"), Error);
}

TEST(BadPluginsTest, TheGoodOneAmongThemWorks) {
  const PluginHost host(Only(CROSSFOLD_BAD_PLUGINS));
  EXPECT_THROW(host.Find(Kind::kLearner, "bad.wrong_magic"), Error);
  EXPECT_EQ(host.Find(Kind::kLearner, "bad.good")->id, "bad.good");
}

TEST(BadPluginsTest, AConstructorThatChangesTheProcessIsUndoneAndTold) {
  const test::TemporaryFolder folder;  // a copy, for constructors run once in a process
  const fs::path file = folder.path() / "copy.crossfold.so";
  fs::copy_file(FileOf("changes_process"), file);
  Lines lines;
  const PluginHost host(Only(file, &lines));
  EXPECT_EQ(host.Find(Kind::kLearner, "bad.changes_process")->id, "bad.changes_process");
  const std::string plugin = "plugin '" + file.string() + "' ";
  const std::string undone = " while it was loaded; the change was undone";
  Lines expected;
  expected.emplace_back(CF_LOG_WARN, plugin + "changed the rounding mode" + undone);
#if defined(__x86_64__)
  expected.emplace_back(CF_LOG_WARN, plugin + "switched denormal numbers off" + undone);
#endif
  expected.emplace_back(CF_LOG_WARN, plugin + "changed the locale to 'C.UTF-8'" + undone);
  EXPECT_EQ(lines, expected);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
  volatile double smallest = 4.9406564584124654e-324;
  EXPECT_EQ(std::fpclassify(smallest + 0.0), FP_SUBNORMAL);
}

// Calls fit of learner "bad.NAME" of a library without data, which the bad fits do not look at.
CallResult FitWith(const std::string& library, const std::string& name) {
  const PluginHost host(Only(FileOf(library)));
  const auto component = host.Find(Kind::kLearner, "bad." + name);
  cf_table train{};
  train.struct_size = sizeof(train);
  cf_model* model = nullptr;
  return CallPlugin(*component, {}, [&](const cf_call* call) {
    return component->learner->fit(call, nullptr, 0, &train, &model);
  });
}

TEST(BadPluginsTest, AnExceptionOutOfFitIsAFailureWithItsText) {
  const CallResult result = FitWith("learners_throwing", "throws");
  EXPECT_EQ(result.status, CF_E_INTERNAL);
  EXPECT_EQ(result.message, "a C++ exception crossed the plugin boundary: singular matrix");
}

TEST(BadPluginsTest, AnExceptionThatIsNoStandardOneIsAFailureToo) {
  const PluginHost host(Only(FileOf("learners_throwing")));
  const auto component = host.Find(Kind::kLearner, "bad.throws");
  cf_table rows{};
  cf_prediction out{};
  const CallResult result = CallPlugin(*component, {}, [&](const cf_call* call) {
    return component->learner->predict(call, nullptr, &rows, &out);
  });
  EXPECT_EQ(result.status, CF_E_INTERNAL);
  EXPECT_EQ(result.message, "a C++ exception crossed the plugin boundary: of an unknown type");
}

TEST(BadPluginsTest, AFailureWithoutAReasonIsSaidToHaveNone) {
  const CallResult result = FitWith("learners_process", "fails_silently");
  EXPECT_EQ(result.status, CF_E_INVALID_PARAM);
  EXPECT_EQ(result.message, "the plugin gave no reason (status: invalid parameter)");
}

TEST(BadPluginsTest, ARoundingModeThatFitLeavesBehindIsPutBackAndTold) {
  const CallResult result = FitWith("learners_of_hosts", "rounds_in_fit");
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.warnings, ElementsAre("changed the rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(BadPluginsTest, FilesThatAreNoPluginsDoNotDisturbTheOthers) {
  const test::TemporaryFolder folder;
  const std::string good = test::ReadBytes(FileOf("good"));
  std::string other_machine = good;
  const Elf64_Half machine = EM_AARCH64;
  std::memcpy(&other_machine[offsetof(Elf64_Ehdr, e_machine)], &machine, sizeof(machine));
  Elf64_Ehdr header;
  std::memcpy(&header, good.data(), sizeof(header));
  const fs::path truncated = folder.Write("a.crossfold.so", good.substr(0, 1000));
  const fs::path text = folder.Write("b.crossfold.so", "return 'a plugin'\n");
  const fs::path aarch64 = folder.Write("c.crossfold.so", other_machine);
  const fs::path empty = folder.Write("d.crossfold.so", "");
  const fs::path nested = folder.path() / "e.crossfold.so";
  fs::create_directory(nested);
  const fs::path works = folder.Write("f.crossfold.so", good);

  const PluginHost host(Only(folder.path()));
  std::vector<std::pair<fs::path, std::string>> entries;
  for (const PluginEntry& entry : host.entries()) entries.emplace_back(entry.path, entry.rejected);
  EXPECT_THAT(entries, ElementsAre(Pair(truncated, "truncated: section table at byte " +
                                                       std::to_string(header.e_shoff) +
                                                       " is after the end, 1000 bytes"),
                                   Pair(text, "it is not an ELF shared library (a text file?)"),
                                   Pair(aarch64, "built for aarch64, this host is x86-64"),
                                   Pair(empty, "it is empty"), Pair(nested, "it is not a file"),
                                   Pair(works, "")));
  EXPECT_EQ(host.Find(Kind::kLearner, "bad.good")->plugin->path, works);
}

}  // namespace
}  // namespace crossfold
