#include "discovery/plugin_examination.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace crossfold {
namespace {

PluginHostOptions Options() {
  PluginHostOptions options;
  options.use_environment = false;
  return options;
}

TEST(PluginChoiceTest, WithoutGlobsEveryPluginIsWanted) {
  EXPECT_EQ(PluginChoice(Options()).Refusal("crossfold.knn", "knn.crossfold.so"), "");
}

TEST(PluginChoiceTest, AGlobMeansTheIdTheShortIdOrTheFile) {
  for (const char* glob : {"crossfold.k*", "knn", "kn?.crossfold.so"}) {
    PluginHostOptions options = Options();
    options.disable = {glob};
    PluginChoice choice(options);
    EXPECT_EQ(choice.Refusal("crossfold.knn", "knn.crossfold.so"),
              "switched off by '" + std::string(glob) + "'");
    EXPECT_EQ(choice.Refusal("org.example.x", "x.crossfold.so"), "");
  }
}

TEST(PluginChoiceTest, OnlyLeavesOutWhatFitsNoneOfTheGlobs) {
  PluginHostOptions options = Options();
  options.only = {"knn", "org.*"};
  PluginChoice choice(options);
  EXPECT_EQ(choice.Refusal("crossfold.knn", "a.crossfold.so"), "");
  EXPECT_EQ(choice.Refusal("org.example.x", "b.crossfold.so"), "");
  EXPECT_EQ(choice.Refusal("crossfold.ridge", "c.crossfold.so"),
            "left out: only plugins that match 'knn', 'org.*' are wanted");
}

// A plugin without a manifest may still have a wanted id.
TEST(PluginChoiceTest, APluginWhoseIdIsNotKnownYetIsNotLeftOut) {
  PluginHostOptions options = Options();
  options.only = {"org.*"};
  EXPECT_EQ(PluginChoice(options).Refusal("", "b.crossfold.so"), "");
}

TEST(PluginChoiceTest, TheEnvironmentSwitchesOffWithColonsOrCommas) {
  ::setenv("CROSSFOLD_PLUGINS_DISABLE", "knn:, xg* ", 1);
  PluginHostOptions options;
  PluginChoice choice(options);
  options.use_environment = false;
  PluginChoice without(options);
  ::unsetenv("CROSSFOLD_PLUGINS_DISABLE");
  EXPECT_EQ(choice.Refusal("crossfold.knn", ""),
            "switched off by 'knn' of CROSSFOLD_PLUGINS_DISABLE");
  EXPECT_EQ(choice.Refusal("crossfold.xgboost", ""),
            "switched off by 'xg*' of CROSSFOLD_PLUGINS_DISABLE");
  EXPECT_EQ(choice.Refusal("crossfold.ridge", ""), "");
  EXPECT_EQ(without.Refusal("crossfold.knn", ""), "");
}

// A second name for a plugin that another glob has switched off already is not a mistake.
TEST(PluginChoiceTest, GlobsThatHaveFittedNothingAreNamed) {
  ::setenv("CROSSFOLD_PLUGINS_DISABLE", "xg*,crossfold.knn", 1);
  PluginHostOptions options;
  options.disable = {"knn", "rigde"};
  PluginChoice choice(options);
  ::unsetenv("CROSSFOLD_PLUGINS_DISABLE");
  choice.Refusal("crossfold.knn", "knn.crossfold.so");
  choice.Refusal("crossfold.ridge", "ridge.crossfold.so");
  EXPECT_THAT(
      choice.Unmatched(),
      testing::ElementsAre("cannot switch off 'rigde': it matches no plugin that was found; "
                           "crossfold plugin list lists them",
                           "cannot switch off 'xg*' of CROSSFOLD_PLUGINS_DISABLE: it matches no "
                           "plugin that was found; crossfold plugin list lists them"));
}

}  // namespace
}  // namespace crossfold
