// A plugin that was built with later headers in the host of today.
#include <string>

#include "crossfold/error.h"
#include "crossfold/plugin_host.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "two_hosts/first_label.h"

namespace crossfold {
namespace {

using testing::EndsWith;

PluginHostOptions WithNewerPlugin() {
  PluginHostOptions options;
  options.paths = {CROSSFOLD_NEWER_PLUGIN};
  options.use_environment = options.use_user_folder = options.use_installation = false;
  return options;
}

std::string ProblemOf(const PluginHost& plugins, Kind kind, const std::string& id) {
  try {
    plugins.Find(kind, id);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadPlugin);
    return error.what();
  }
}

TEST(TodaysHostTest, AComponentOfANewerPluginWorks) {
  const PluginHost plugins(WithNewerPlugin());
  // 0: the plugin sees that this host does not give the field that was appended later.
  EXPECT_EQ(FirstLabel(*plugins.Find(Kind::kLearner, "two.plain")), 0);
}

TEST(TodaysHostTest, AnUnknownTypeOfParametersRefusesItsComponentAlone) {
  const PluginHost plugins(WithNewerPlugin());
  EXPECT_THAT(ProblemOf(plugins, Kind::kLearner, "two.type"),
              EndsWith("cannot use learner 'two.type' of plugin '" CROSSFOLD_NEWER_PLUGIN
                       "': needs a newer Crossfold: parameter 'start': its type 9 is unknown"));
}

TEST(TodaysHostTest, AnUnknownFlagOfAParameterRefusesItsComponentAlone) {
  const PluginHost plugins(WithNewerPlugin());
  EXPECT_THAT(ProblemOf(plugins, Kind::kLearner, "two.flag"),
              EndsWith("needs a newer Crossfold: parameter 'angle': its 'flags' has the unknown "
                       "bits 0x00000100"));
}

TEST(TodaysHostTest, AnUnknownNeedRefusesItsComponentAlone) {
  const PluginHost plugins(WithNewerPlugin());
  EXPECT_THAT(ProblemOf(plugins, Kind::kMetric, "two.needs"),
              EndsWith("needs a newer Crossfold: its 'needs' has the unknown bits 0x00000040"));
}

TEST(TodaysHostTest, AComponentThatThePluginDoesNotOfferToThisHostIsRefusedAlone) {
  const PluginHost plugins(WithNewerPlugin());
  EXPECT_THAT(ProblemOf(plugins, Kind::kSplitter, "two.absent"),
              EndsWith("its plugin does not offer it to this host"));
}

TEST(TodaysHostTest, WhatIsRefusedStaysListed) {
  const PluginHost plugins(WithNewerPlugin());
  plugins.Find(Kind::kLearner, "two.plain");
  const PluginEntry entry = plugins.entries().at(0);
  EXPECT_EQ(entry.rejected, "");
  EXPECT_EQ(entry.abi_minor, 1u);
  EXPECT_EQ(entry.refused.size(), 4u);
  EXPECT_EQ(entry.ids.all().size(), 5u);  // the kind that this host does not know is not among them
}

}  // namespace
}  // namespace crossfold
