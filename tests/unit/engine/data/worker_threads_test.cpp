// Threads that do one piece of work together.
#include "engine/data/worker_threads.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <thread>

#include "sanitized.h"

namespace crossfold {
namespace {

constexpr int kHandled = 42;

void HandleCrashes() {
  struct sigaction action {};
  action.sa_handler = [](int) { _exit(kHandled); };
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
}

// Calls itself without end; in a way that no compiler makes a loop of.
std::uint64_t UseUpTheStack(std::uint64_t depth) {
  volatile std::uint64_t kept[64] = {depth};
  return depth == UINT64_MAX ? 0 : UseUpTheStack(depth + 1) + kept[depth % 64];
}

TEST(WorkerThreadsDeathTest, AHandlerOfCrashesRunsWhereAHelperUsedUpItsStack) {
  if (kSanitized) GTEST_SKIP() << "sanitizers handle crashes";
  EXPECT_EXIT(
      {
        HandleCrashes();
        CallOnThreads(2, [caller = std::this_thread::get_id()] {
          while (std::this_thread::get_id() == caller) std::this_thread::yield();
          UseUpTheStack(0);
        });
      },
      ::testing::ExitedWithCode(kHandled), "");
}

}  // namespace
}  // namespace crossfold
