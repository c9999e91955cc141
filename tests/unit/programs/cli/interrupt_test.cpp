#include "programs/cli/interrupt.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#ifdef __SANITIZE_THREAD__
// The thread sanitizer lets _exit() wait a second for other threads' reports, which is longer than
// an Interrupt's patience: the watcher would then speak after a second signal.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "atexit_sleep_ms=0";
}
#endif

namespace crossfold::cli {
namespace {

using std::chrono::milliseconds;

const testing::ExitedWithCode kLeaves(130);

InterruptOptions Options(std::function<bool()> save) {
  return {std::make_shared<CancelToken>(), nullptr, std::move(save), "crossfold run x.lua"};
}

// What a command does that never comes back.
[[noreturn]] void InterruptAndHang(std::function<bool()> save) {
  const Interrupt interrupt(Options(std::move(save)));
  std::raise(SIGINT);
  for (;;) std::this_thread::sleep_for(milliseconds(50));
}

class InterruptTest : public testing::Test {
 protected:
  // Death tests begin as processes of their own: there are threads.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(InterruptTest, WithoutASignalNothingIsSavedOrTold) {
  bool saved = false;
  Interrupt interrupt(Options([&] { return saved = true; }));
  testing::internal::CaptureStderr();
  EXPECT_FALSE(interrupt.Finish());
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(saved);
}

TEST_F(InterruptTest, ACommandThatComesBackIsSavedAndToldOnce) {
  int saved = 0;
  const InterruptOptions options = Options([&] { return ++saved > 0; });
  testing::internal::CaptureStderr();
  Interrupt interrupt(options);
  EXPECT_FALSE(options.cancel->cancelled());
  std::raise(SIGINT);
  EXPECT_TRUE(options.cancel->cancelled());
  EXPECT_TRUE(interrupt.Finish());
  EXPECT_TRUE(interrupt.Finish());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "crossfold: interrupted; to go on: crossfold run x.lua\n");
  EXPECT_EQ(saved, 1);
}

TEST_F(InterruptTest, WithoutAStoreItTellsHowToHaveOne) {
  for (const auto& save : {std::function<bool()>(), std::function<bool()>([] { return false; })}) {
    testing::internal::CaptureStderr();
    Interrupt interrupt(Options(save));
    std::raise(SIGTERM);
    EXPECT_TRUE(interrupt.Finish());
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "crossfold: interrupted; nothing was stored; with --store FILE a run can go on where "
              "it stopped\n");
  }
}

TEST_F(InterruptTest, ASecondInterruptBeginsAnew) {
  for (int i = 0; i < 2; ++i) {
    testing::internal::CaptureStderr();
    Interrupt interrupt(Options(nullptr));
    std::raise(SIGINT);
    EXPECT_TRUE(interrupt.Finish());
    testing::internal::GetCapturedStderr();
  }
  Interrupt interrupt(Options(nullptr));
  EXPECT_FALSE(interrupt.Finish());
}

TEST_F(InterruptTest, AfterwardsSignalsDoWhatTheyDidBefore) {
  struct sigaction before {
  }, after{};
  sigaction(SIGINT, nullptr, &before);
  { const Interrupt interrupt(Options(nullptr)); }
  sigaction(SIGINT, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

std::atomic<int> stopped_on_this_thread{0};
thread_local bool makes_interrupt = false;

TEST_F(InterruptTest, StopIsCalledOnTheThreadOfTheInterruptWhateverThreadGetsTheSignal) {
  makes_interrupt = true;
  InterruptOptions options = Options(nullptr);
  options.stop = [] { stopped_on_this_thread += makes_interrupt ? 1 : 1000; };
  testing::internal::CaptureStderr();
  Interrupt interrupt(options);
  std::thread([] { std::raise(SIGINT); }).join();
  for (int i = 0; i < 1000 && stopped_on_this_thread == 0; ++i) {
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_TRUE(interrupt.Finish());
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(stopped_on_this_thread, 1);
}

TEST_F(InterruptTest, ACommandThatDoesNotComeBackInTimeIsSavedAndLeft) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EXIT(InterruptAndHang([] { return true; }), kLeaves,
              "^crossfold: interrupted; to go on: crossfold run x.lua\n$");
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(900));
}

TEST_F(InterruptTest, WhatGoesWrongInSavingIsTold) {
  EXPECT_EXIT(InterruptAndHang([]() -> bool { throw std::runtime_error("the disk is full"); }),
              kLeaves,
              "^crossfold: the disk is full\n"
              "crossfold: interrupted; to go on: crossfold run x.lua\n$");
}

TEST_F(InterruptTest, SavingThatHangsIsLeftToo) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EXIT(InterruptAndHang([]() -> bool {
                for (;;) std::this_thread::sleep_for(milliseconds(50));
              }),
              kLeaves, "^crossfold: interrupted; to go on: crossfold run x.lua\n$");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST_F(InterruptTest, TheSecondSignalLeavesWithoutAWord) {
  EXPECT_EXIT(
      {
        const Interrupt interrupt(Options([] { return true; }));
        std::raise(SIGINT);
        std::raise(SIGTERM);
      },
      kLeaves, "^$");
}

TEST(ShellTextTest, WordsAreQuotedForAShell) {
  const std::vector<const char*> words = {"crossfold", "run", "--store", "my file.cfs", "it's", ""};
  const std::string text = ShellText(words);
  EXPECT_EQ(text, "crossfold run --store 'my file.cfs' 'it'\\''s' ''");
  FILE* shell = popen(("printf '%s|' " + text).c_str(), "r");
  ASSERT_NE(shell, nullptr);
  std::string read(100, '\0');
  read.resize(fread(read.data(), 1, read.size(), shell));
  EXPECT_EQ(pclose(shell), 0);
  EXPECT_EQ(read, "crossfold|run|--store|my file.cfs|it's||");
}

}  // namespace
}  // namespace crossfold::cli
