// Plugins of today and of plugin ABI 1.1 in a host of 1.1: the sources of the host, built with the
// headers that newer_headers.cmake makes.
#include <dlfcn.h>

#include "engine/plugin/call_state.h"
#include "engine/plugin/descriptor.h"
#include "gtest/gtest.h"
#include "two_hosts/first_label.h"

static_assert(CF_ABI_MINOR == 1);

namespace crossfold {
namespace {

DescriptorReading Load(const char* path) {
  void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  EXPECT_NE(library, nullptr);
  const auto entry = reinterpret_cast<cf_plugin_fn>(::dlsym(library, "crossfold_plugin_v1"));
  const cf_host host = MakeHostTable(nullptr);
  const cf_plugin* plugin = entry(CF_ABI_MINOR, &host);
  const ManifestReading manifest = ManifestOf(*plugin);
  EXPECT_EQ(manifest.problem, "");
  return ReadDescriptor(*plugin, manifest.manifest);
}

TEST(NewerHostTest, APluginOfTodayWorks) {
  const DescriptorReading reading = Load(CROSSFOLD_TODAYS_PLUGIN);
  EXPECT_EQ(reading.problem, "");
  EXPECT_TRUE(reading.refused.empty());
  ASSERT_EQ(reading.components.size(), 1u);
  const Component& learner = reading.components[0];
  EXPECT_FALSE(CF_HAS(learner.learner, cf_learner, motto));
  EXPECT_EQ(FirstLabel(learner), 0);
}

TEST(NewerHostTest, APluginOfItsOwnVersionSeesTheFieldThatWasAppended) {
  const DescriptorReading reading = Load(CROSSFOLD_NEWER_PLUGIN);
  for (const Component& component : reading.components) {
    if (component.id != "two.plain") continue;
    EXPECT_TRUE(CF_HAS(component.learner, cf_learner, motto));
    EXPECT_EQ(FirstLabel(component), 1);
    return;
  }
  FAIL() << "two.plain is not there";
}

}  // namespace
}  // namespace crossfold
