// A watch tells every change of the process, and says nothing when there is none.
#include "check/process_snapshot.h"

#include <fcntl.h>
#include <fenv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <thread>

namespace crossfold::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> ChangesBy(const std::function<void()>& deed) {
  std::vector<std::string> texts;
  ProcessWatch watch;
  deed();
  for (const ProcessChange& change : watch.Finish()) texts.push_back(change.text);
  return texts;
}

TEST(ProcessWatchTest, WorkThatLeavesEverythingAsItWasIsNoChange) {
  EXPECT_THAT(ChangesBy([] {
                std::vector<double> numbers(1000, 0.1);
                std::thread([&numbers] { numbers[0] = 1.0 / 3; }).join();
                const int file = ::open("/dev/null", O_RDONLY);
                ::close(file);
              }),
              IsEmpty());
}

TEST(ProcessWatchTest, TakingASnapshotDoesNotDisturbRand) {
  std::srand(5);
  const int first = std::rand(), second = std::rand();
  std::srand(5);
  EXPECT_EQ(std::rand(), first);
  TakeSnapshot();
  EXPECT_EQ(std::rand(), second);
}

TEST(ProcessWatchTest, TheLocaleIsTold) {
  EXPECT_THAT(ChangesBy([] { std::setlocale(LC_ALL, "C.UTF-8"); }),
              ElementsAre("changed the locale from 'C' to 'C.UTF-8'"));
  std::setlocale(LC_ALL, "C");
}

TEST(ProcessWatchTest, FloatingPointIsTold) {
  EXPECT_THAT(ChangesBy([] { fesetround(FE_UPWARD); }), ElementsAre("changed the rounding mode"));
  fesetround(FE_TONEAREST);
}

TEST(ProcessWatchTest, SignalsAndTimersAreTold) {
  const auto changes = ChangesBy([] {
    std::signal(SIGUSR1, SIG_IGN);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
    ::alarm(1000);
  });
  std::signal(SIGUSR1, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  ::alarm(0);
  EXPECT_THAT(changes, ElementsAre("changed what happens on SIGUSR1",
                                   "changed which signals its thread blocks",
                                   "set or stopped the alarm of the process"));
}

TEST(ProcessWatchTest, UmaskFolderAndDescriptorsAreTold) {
  const mode_t umask = ::umask(022);
  const auto folder = std::filesystem::current_path();
  int left_open = -1;
  const auto changes = ChangesBy([&left_open] {
    ::umask(027);
    std::filesystem::current_path("/");
    left_open = ::open("/dev/null", O_RDONLY);
  });
  ::umask(umask);
  std::filesystem::current_path(folder);
  ::close(left_open);
  EXPECT_THAT(
      changes,
      ElementsAre("changed the umask from 022 to 027",
                  "changed the current folder from '" + folder.string() + "' to '/'",
                  "left descriptor " + std::to_string(left_open) + " open, on '/dev/null'"));
}

TEST(ProcessWatchTest, TheEnvironmentIsTold) {
  ::setenv("CF_KEPT", "1", 1);
  ::setenv("CF_GONE", "1", 1);
  const auto changes = ChangesBy([] {
    ::setenv("CF_KEPT", "2", 1);
    ::setenv("CF_NEW", "3", 1);
    ::unsetenv("CF_GONE");
  });
  ::unsetenv("CF_KEPT");
  ::unsetenv("CF_NEW");
  EXPECT_THAT(changes, ElementsAre("changed the environment variable CF_KEPT from '1' to '2'",
                                   "set the environment variable CF_NEW to '3'",
                                   "removed the environment variable CF_GONE"));
}

TEST(ProcessWatchTest, AThreadThatStaysIsTold) {
  std::atomic<bool> may_end = false;
  std::thread thread;
  const auto changes =
      ChangesBy([&] { thread = std::thread([&may_end] { may_end.wait(false); }); });
  may_end = true;
  may_end.notify_all();
  thread.join();
  EXPECT_THAT(changes, ElementsAre(testing::MatchesRegex("left 1 thread running: '.*'")));
}

TEST(ProcessWatchTest, LimitsAreTold) {
  rlimit was{};
  ::getrlimit(RLIMIT_CORE, &was);
  rlimit other = was;
  other.rlim_cur = was.rlim_cur == 0 ? was.rlim_max : 0;
  if (other.rlim_cur == was.rlim_cur) GTEST_SKIP() << "no core dumps are allowed here";
  const auto changes = ChangesBy([&other] { ::setrlimit(RLIMIT_CORE, &other); });
  ::setrlimit(RLIMIT_CORE, &was);
  EXPECT_THAT(changes,
              ElementsAre("changed the limit of resource " +
                          std::to_string(static_cast<int>(RLIMIT_CORE)) + " (see getrlimit)"));
}

TEST(ProcessWatchTest, RandIsTold) {
  EXPECT_THAT(ChangesBy([] { std::rand(); }),
              ElementsAre("used the random numbers of the C library, which belong to the host"));
}

TEST(ProcessWatchTest, HandlersAreTold) {
  const auto was = std::get_terminate();
  const auto changes = ChangesBy([] { std::set_terminate([] { std::abort(); }); });
  std::set_terminate(was);
  EXPECT_THAT(changes, ElementsAre("changed the C++ terminate handler"));
}

TEST(ProcessWatchTest, WhatIsWrittenIsToldEvenIfItIsStillInABuffer) {
  EXPECT_THAT(ChangesBy([] {
                std::printf("fold 1");
                std::cerr << "slow\n";
              }),
              ElementsAre("wrote to stdout: 'fold 1'", "wrote to stderr: 'slow '"));
}

}  // namespace
}  // namespace crossfold::check
