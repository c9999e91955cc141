#include "crossfold/failure_cause.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace crossfold {
namespace {

std::string_view Cause(const std::string& stage, cf_status code, bool by_limit = false) {
  return CauseName(CauseOf({stage, code, "a message", by_limit}));
}

TEST(FailureCauseTest, AStatusOfAPluginSaysWhetherTheDataThePluginOrTheMachineFailed) {
  for (const cf_status code :
       std::vector<cf_status>{CF_E_INVALID_PARAM, CF_E_UNSUPPORTED_DATA, CF_E_NOT_CONVERGED,
                              CF_E_NUMERIC, CF_E_UNSUPPORTED, CF_E_UNDEFINED}) {
    EXPECT_EQ(Cause("fit knn", code), "data") << code;
  }
  for (const cf_status code :
       std::vector<cf_status>{CF_E_INVALID_ARGUMENT, CF_E_BAD_BLOB, CF_E_INTERNAL, 4711}) {
    EXPECT_EQ(Cause("fit knn", code), "plugin") << code;
  }
  EXPECT_EQ(Cause("fit knn", CF_E_OUT_OF_MEMORY), "memory");
  EXPECT_EQ(Cause("fit knn", CF_E_IO), "disk");
}

TEST(FailureCauseTest, TheCodeOfALostProcessHasTheCause) {
  for (int i = 0; i < kNumFailureCauses; ++i) {
    const auto cause = static_cast<FailureCause>(i);
    EXPECT_EQ(CauseOf({"run", CodeOf(cause), "", true}), cause);
  }
}

TEST(FailureCauseTest, APluginCannotClaimThatItsProcessWasKilled) {
  EXPECT_EQ(Cause("fit knn", CodeOf(FailureCause::kKilled)), "plugin");
}

TEST(FailureCauseTest, StopsOfAnOlderStoreHaveNoKnownCause) {
  EXPECT_EQ(Cause("run", CF_E_INTERNAL, true), "unknown");
  EXPECT_EQ(Cause("run", CF_E_OUT_OF_MEMORY, true), "memory");
  EXPECT_EQ(Cause("run", CF_E_INTERNAL, false), "plugin");
}

TEST(FailureCauseTest, OnlyTheMachineIsAskedAgain) {
  std::string of_machine;
  for (int i = 0; i < kNumFailureCauses; ++i) {
    const auto cause = static_cast<FailureCause>(i);
    if (IsOfMachine(cause)) of_machine += std::string(CauseName(cause)) + " ";
  }
  EXPECT_EQ(of_machine, "memory killed disk lost ");
}

TEST(FailureCauseTest, TheWarningOfATryHasNoCallThatRepeatsIt) {
  const Failure killed{"run", CodeOf(FailureCause::kKilled),
                       "the process died of signal 9 (Killed); repeat it with cf.run{}", true};
  const std::string warning = TryWarning(2, killed);
  EXPECT_EQ(warning, "run: try 2 failed (killed): the process died of signal 9 (Killed)");
  EXPECT_TRUE(IsTryWarning(warning));
  EXPECT_FALSE(IsTryWarning("fit knn: changed the rounding mode"));
}

}  // namespace
}  // namespace crossfold
