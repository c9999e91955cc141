// A built plugin, seen from outside: what it exports, its manifest, its descriptor.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "crossfold_plugin.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "sdk_test_modules.h"
#include "temporary_folder.h"
#include "unit/sdk/learner_calls.h"
#include "unit/sdk/small_table.h"

namespace crossfold::plugin {
namespace {

using testing::ElementsAre;

std::string OutputOf(const std::string& command) {
  std::string output;
  const auto close = [](FILE* pipe) { pclose(pipe); };
  const std::unique_ptr<FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  char buffer[256];
  while (std::fgets(buffer, sizeof(buffer), pipe.get()) != nullptr) output += buffer;
  return output;
}

// One plugin a compiler: the one that builds the tests, and clang++ where it is installed.
class ModuleTest : public testing::TestWithParam<const char*> {
 protected:
  std::string path() const { return GetParam(); }
  const cf_plugin* Load() {
    // Plugins are never unloaded.
    void* library = dlopen(path().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == nullptr) {
      ADD_FAILURE() << dlerror();
      return nullptr;
    }
    const auto entry = reinterpret_cast<cf_plugin_fn>(dlsym(library, "crossfold_plugin_v1"));
    return entry(CF_ABI_MINOR, &call_.host());
  }
  FakeCall call_;
};

TEST_P(ModuleTest, ExportsExactlyOneSymbol) {
  EXPECT_EQ(OutputOf("nm -D --defined-only --format=just-symbols '" + path() + "'"),
            "crossfold_plugin_v1\n");
}

TEST_P(ModuleTest, HasAManifestSectionThatNamesEveryComponent) {
  const test::TemporaryFolder folder;
  const std::string dump = folder.path() / "manifest";
  ASSERT_EQ(std::system(("objcopy --dump-section .crossfold.manifest='" + dump + "' '" + path() +
                         "' /dev/null")
                            .c_str()),
            0);
  std::stringstream text;
  text << std::ifstream(dump, std::ios::binary).rdbuf();
  const std::string manifest = text.str();
  EXPECT_EQ(manifest.substr(0, manifest.find('\0')),
            R"({"crossfold":1,"abi_minor":0,"id":"org.example.all_kinds","version":"3.2.1",)"
            R"("learners":["org.example.zero","org.example.one"],)"
            R"("transforms":["org.example.pass_all"],)"
            R"("splitters":["org.example.first_row"],"metrics":["org.example.rows"],)"
            R"("sources":["org.example.one_row"]})");
  EXPECT_EQ(manifest.find_first_not_of('\0', manifest.find('\0')), std::string::npos);
}

TEST_P(ModuleTest, TheDescriptorHasEveryKindInOrder) {
  const cf_plugin* plugin = Load();
  ASSERT_NE(plugin, nullptr);
  EXPECT_EQ(plugin->magic, CF_ABI_MAGIC);
  EXPECT_EQ(plugin->struct_size, sizeof(cf_plugin));
  EXPECT_EQ(plugin->abi_major, CF_ABI_MAJOR);
  EXPECT_EQ(plugin->abi_minor, CF_ABI_MINOR);
  EXPECT_STREQ(plugin->id, "org.example.all_kinds");
  EXPECT_STREQ(plugin->version, "3.2.1");
  EXPECT_STREQ(plugin->vendor, "Example Org");
  EXPECT_STREQ(plugin->license, "MIT");
  ASSERT_EQ(plugin->n_learners, 2u);
  EXPECT_STREQ(plugin->learners[0]->info.id, "org.example.zero");
  EXPECT_STREQ(plugin->learners[1]->info.id, "org.example.one");
  ASSERT_EQ(plugin->n_transforms, 1u);
  EXPECT_STREQ(plugin->transforms[0]->info.id, "org.example.pass_all");
  ASSERT_EQ(plugin->n_splitters, 1u);
  EXPECT_STREQ(plugin->splitters[0]->info.id, "org.example.first_row");
  ASSERT_EQ(plugin->n_metrics, 1u);
  EXPECT_STREQ(plugin->metrics[0]->info.id, "org.example.rows");
  ASSERT_EQ(plugin->n_sources, 1u);
  EXPECT_STREQ(plugin->sources[0]->info.id, "org.example.one_row");
}

TEST_P(ModuleTest, TheEntryMayBeCalledAgainAndGivesTheSame) { EXPECT_EQ(Load(), Load()); }

TEST_P(ModuleTest, ALearnerWorksAcrossTheBoundary) {
  const cf_plugin* plugin = Load();
  ASSERT_NE(plugin, nullptr);
  SmallTable t({{0}, {0}}, 1);
  t.WithValues({5, 6});
  const cf_learner* one = plugin->learners[1];
  const ModelPtr model = Fit(one, call_, t.table());
  ASSERT_NE(model, nullptr) << call_.message;
  EXPECT_THAT(PredictValues(one, call_, model.get(), t.table()), ElementsAre(1.0, 1.0));
}

TEST_P(ModuleTest, AnExceptionInsideArrivesAsStatusAndText) {
  const cf_plugin* plugin = Load();
  ASSERT_NE(plugin, nullptr);
  const SmallTable without_target({{0}}, 1);
  EXPECT_EQ(Fit(plugin->learners[0], call_, without_target.table()), nullptr);
  EXPECT_EQ(call_.code, CF_E_INVALID_ARGUMENT);
  EXPECT_EQ(call_.message, "training rows have no target");
}

INSTANTIATE_TEST_SUITE_P(Compilers, ModuleTest, testing::ValuesIn(kModules), [](const auto& info) {
  return std::string(info.index == 0 ? "BuildCompiler" : "Clang");
});

}  // namespace
}  // namespace crossfold::plugin
