#include "crossfold/seed.h"

#include <gtest/gtest.h>

#include <limits>

namespace crossfold {
namespace {

// Expected numbers: Python's hashlib,
//   b = b"crossfold-seed-1" + seed.to_bytes(8, "little")
//   for step in path: t = str(step).encode(); b += len(t).to_bytes(8, "little") + t
//   int.from_bytes(hashlib.sha256(b).digest()[:8], "little")
TEST(SeedTest, EqualsTheHashThatTheHeaderPromises) {
  EXPECT_EQ(SeedOfPath(0, {}), 5527694217716686309u);
  EXPECT_EQ(SeedOfPath(42, {}), 3770884639918201939u);
  EXPECT_EQ(SeedOfPath(42, {"fit"}), 13278610656850328372u);
  EXPECT_EQ(SeedOfPath(42, {"repeat", 2, "fold", 7, "fit"}), 16041714525271871867u);
}

TEST(SeedTest, TakesLongPaths) {
  EXPECT_EQ(SeedOfPath(42, {"repeat", 0, "fold", 3, "learner", "knn", "fit"}),
            2762620435359714415u);
}

TEST(SeedTest, TakesTheLargestSeedAndNegativeNumbers) {
  EXPECT_EQ(SeedOfPath(std::numeric_limits<std::uint64_t>::max(), {"fold", -1}),
            15206156258380948332u);
}

TEST(SeedTest, CountsTheLengthOfTextInBytes) {
  EXPECT_EQ(SeedOfPath(42, {"\xC3\xA9"}), 15280145424438658563u);  // e acute
}

TEST(SeedTest, KeepsTheBordersBetweenSteps) {
  EXPECT_EQ(SeedOfPath(42, {"ab", "c"}), 16578336000398577936u);
  EXPECT_EQ(SeedOfPath(42, {"a", "bc"}), 441456830348710993u);
}

// Step by step with the same Python.
TEST(SeedTest, StepsAreHashedOneAfterAnother) {
  EXPECT_EQ(SeedOfSteps(42, {}), 42u);
  EXPECT_EQ(SeedOfSteps(42, {"fit"}), SeedOfPath(42, {"fit"}));
  EXPECT_EQ(SeedOfSteps(42, {"repeat", 2, "fold", 7}), 362942842979295678u);
}

}  // namespace
}  // namespace crossfold
