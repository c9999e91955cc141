#include "engine/plugin/plugin_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace crossfold {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

CallResult Call(const std::function<cf_status(const cf_call*)>& body,
                const CallOptions& options = {}) {
  return CallPlugin(Component{}, options, body);
}

TEST(PluginCallTest, SuccessHasNoMessage) {
  const CallResult result = Call([](const cf_call*) { return CF_OK; });
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(result.message, "");
  EXPECT_THAT(result.warnings, IsEmpty());
}

TEST(PluginCallTest, TheFirstReasonWins) {
  const CallResult result = Call([](const cf_call* call) {
    call->host->fail(call, CF_E_NUMERIC, "column 3 has no variance");
    call->host->fail(call, CF_E_NUMERIC, "the fit failed");
    return CF_E_NUMERIC;
  });
  EXPECT_EQ(result.status, CF_E_NUMERIC);
  EXPECT_EQ(result.message, "column 3 has no variance");
}

TEST(PluginCallTest, AReasonIsCopiedAndMadeOneLineOfUtf8) {
  const CallResult result = Call([](const cf_call* call) {
    std::string text = "line 1\nline 2 \xFF";
    call->host->fail(call, CF_E_NUMERIC, text.c_str());
    text.assign(text.size(), '#');
    return CF_E_NUMERIC;
  });
  EXPECT_EQ(result.message, "line 1 line 2 ?");
}

TEST(PluginCallTest, AFailureWithoutAReasonIsSaidToHaveNone) {
  EXPECT_EQ(Call([](const cf_call*) { return CF_E_INVALID_PARAM; }).message,
            "the plugin gave no reason (status: invalid parameter)");
  EXPECT_EQ(Call([](const cf_call* call) {
              call->host->fail(call, CF_E_UNSUPPORTED, nullptr);
              return CF_E_UNSUPPORTED;
            }).message,
            "the plugin gave no reason (status: unsupported)");
  EXPECT_EQ(Call([](const cf_call*) { return cf_status{-7}; }).message,
            "the plugin gave no reason (status: unknown status -7)");
}

TEST(PluginCallTest, SuccessAfterAReasonToFailIsAWarning) {
  const CallResult result = Call([](const cf_call* call) {
    call->host->fail(call, CF_E_NUMERIC, "no finite answer");
    return CF_OK;
  });
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.warnings,
              ElementsAre("reported success after it had called fail() with 'no finite answer'"));
}

TEST(PluginCallTest, AnEscapedExceptionIsAFailure) {
  const CallResult result =
      Call([](const cf_call*) -> cf_status { throw std::runtime_error("singular matrix"); });
  EXPECT_EQ(result.status, CF_E_INTERNAL);
  EXPECT_EQ(result.message, "a C++ exception crossed the plugin boundary: singular matrix");
}

TEST(PluginCallTest, AnEscapedExceptionOfAnyTypeIsAFailure) {
  const CallResult result = Call([](const cf_call*) -> cf_status { throw 42; });
  EXPECT_EQ(result.status, CF_E_INTERNAL);
  EXPECT_EQ(result.message, "a C++ exception crossed the plugin boundary: of an unknown type");
}

TEST(PluginCallTest, ProgressTellsWhenToStop) {
  CancelToken cancel;
  CallOptions options;
  options.cancel = &cancel;
  std::vector<std::int32_t> answers;
  Call(
      [&](const cf_call* call) {
        answers.push_back(call->host->progress(call, 0.25));
        cancel.Cancel();
        answers.push_back(call->host->progress(call, 0.5));
        return CF_E_CANCELLED;
      },
      options);
  EXPECT_THAT(answers, ElementsAre(0, 1));
}

TEST(PluginCallTest, WithoutATokenNothingIsCancelled) {
  std::int32_t answer = 7;
  Call([&](const cf_call* call) {
    answer = call->host->progress(call, 1);
    return CF_OK;
  });
  EXPECT_EQ(answer, 0);
}

// The first numbers of SplitMix64 for the seed 1234567, as published at
// https://rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64.
TEST(PluginCallTest, RandomNumbersAreSplitMix64FromTheSeedAndContinue) {
  CallOptions options;
  options.seed = 1234567;
  std::vector<std::uint64_t> numbers(5);
  Call(
      [&](const cf_call* call) {
        EXPECT_EQ(call->seed, 1234567u);
        call->host->random_u64(call, numbers.data(), 2);
        call->host->random_u64(call, numbers.data() + 2, 3);
        return CF_OK;
      },
      options);
  EXPECT_THAT(numbers, ElementsAre(6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                   4593380528125082431u, 16408922859458223821u));
}

TEST(PluginCallTest, ScratchIsZeroedAndAligned) {
  Call([](const cf_call* call) {
    for (const std::size_t align : {1u, 8u, 64u, 4096u}) {
      const auto* bytes = static_cast<const unsigned char*>(call->host->scratch(call, 1000, align));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % align, 0u);
      for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(bytes[i], 0);
    }
    return CF_OK;
  });
}

TEST(PluginCallTest, ScratchThatCannotBeIsNull) {
  Call([](const cf_call* call) {
    EXPECT_EQ(call->host->scratch(call, SIZE_MAX, 8), nullptr);
    EXPECT_EQ(call->host->scratch(call, SIZE_MAX / 2, 8), nullptr);
    EXPECT_EQ(call->host->scratch(call, 8, 0), nullptr);
    EXPECT_EQ(call->host->scratch(call, 8, 24), nullptr);
    EXPECT_EQ(call->host->scratch(call, 8, SIZE_MAX / 2 + 1), nullptr);
    return CF_OK;
  });
}

TEST(PluginCallTest, ThreadsOfOneCallShareTheHost) {
  const CallResult result = Call([](const cf_call* call) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([call] {
        for (int i = 0; i < 100; ++i) {
          auto* number = static_cast<std::int64_t*>(call->host->scratch(call, 8, 8));
          *number = i;
        }
        call->host->fail(call, CF_E_NUMERIC, "no finite answer");
      });
    }
    for (std::thread& thread : threads) thread.join();
    return CF_E_NUMERIC;
  });
  EXPECT_EQ(result.message, "no finite answer");
}

TEST(PluginCallTest, TheLogGetsOneLineAndAKnownLevel) {
  std::vector<std::pair<std::int32_t, std::string>> lines;
  const LogSink log = [&](std::int32_t level, const std::string& line) {
    lines.emplace_back(level, line);
  };
  CallOptions options;
  options.log = &log;
  Call(
      [](const cf_call* call) {
        call->host->log(call->host, CF_LOG_INFO, "12 trees\nof 100");
        call->host->log(call->host, 99, "wild");
        return CF_OK;
      },
      options);
  EXPECT_THAT(lines, ElementsAre(Pair(CF_LOG_INFO, "12 trees of 100"), Pair(CF_LOG_ERROR, "wild")));
}

TEST(PluginCallTest, ASinkThatThrowsDoesNotReachThePlugin) {
  const LogSink log = [](std::int32_t, const std::string&) { throw std::runtime_error("full"); };
  CallOptions options;
  options.log = &log;
  const CallResult result = Call(
      [](const cf_call* call) {
        call->host->log(call->host, CF_LOG_INFO, "line");
        return CF_OK;
      },
      options);
  EXPECT_TRUE(result.ok());
}

TEST(PluginCallTest, TheHostIntroducesItself) {
  Call([](const cf_call* call) {
    EXPECT_EQ(call->struct_size, sizeof(cf_call));
    EXPECT_EQ(call->n_threads, 1u);
    EXPECT_EQ(call->host->struct_size, sizeof(cf_host));
    EXPECT_STREQ(call->host->name, "crossfold");
    EXPECT_STREQ(call->host->version, "0.1.0");
    EXPECT_EQ(call->host->get_extension(call->host, "crossfold.dense/1"), nullptr);
    return CF_OK;
  });
}

TEST(PluginCallTest, AChangedRoundingModeIsPutBackAndTold) {
  const CallResult result = Call([](const cf_call*) {
    std::fesetround(FE_UPWARD);
    return CF_OK;
  });
  EXPECT_TRUE(result.ok());
  EXPECT_THAT(result.warnings, ElementsAre("changed the rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(PluginCallTest, TheStateIsPutBackAfterAnEscapedExceptionToo) {
  const CallResult result = Call([](const cf_call*) -> cf_status {
    std::fesetround(FE_UPWARD);
    throw std::runtime_error("singular matrix");
  });
  EXPECT_THAT(result.warnings, ElementsAre("changed the rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

// Whether another thread could call into the same library now.
bool IsFree(const LoadedPlugin& plugin) {
  bool is_free = false;
  std::thread([&] {
    is_free = plugin.call_lock.try_lock();
    if (is_free) plugin.call_lock.unlock();
  }).join();
  return is_free;
}

TEST(PluginCallTest, ALibraryThatTakesOneCallAtATimeIsLocked) {
  const auto plugin = std::make_shared<LoadedPlugin>();
  Component component;
  component.plugin = plugin;
  component.threading = CF_MT_NONE;
  CallPlugin(component, {}, [&](const cf_call*) {
    EXPECT_FALSE(IsFree(*plugin));
    return CF_OK;
  });
  EXPECT_TRUE(IsFree(*plugin));
}

TEST(PluginCallTest, OtherLibrariesAreNotLocked) {
  const auto plugin = std::make_shared<LoadedPlugin>();
  Component component;
  component.plugin = plugin;
  component.threading = CF_MT_OBJECTS;
  CallPlugin(component, {}, [&](const cf_call*) {
    EXPECT_TRUE(IsFree(*plugin));
    return CF_OK;
  });
}

cf_model* SomeModel() {
  static char model;
  return reinterpret_cast<cf_model*>(&model);
}

std::vector<std::string> Destroy(void(CF_CALL* destroy)(const cf_info*, cf_model*),
                                 cf_model* model) {
  cf_learner learner{};
  learner.destroy = destroy;
  Component component;
  component.learner = &learner;
  return DestroyModel(component, model);
}

TEST(DestroyModelTest, AnExceptionStaysInsideAndIsTold) {
  EXPECT_THAT(Destroy([](const cf_info*, cf_model*) { throw std::runtime_error("still in use"); },
                      SomeModel()),
              ElementsAre("a C++ exception crossed the plugin boundary: still in use"));
}

TEST(DestroyModelTest, TheProcessIsPutBack) {
  EXPECT_THAT(Destroy([](const cf_info*, cf_model*) { std::fesetround(FE_UPWARD); }, SomeModel()),
              ElementsAre("changed the rounding mode"));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(DestroyModelTest, NoModelIsNotDestroyed) {
  EXPECT_THAT(Destroy([](const cf_info*, cf_model*) { throw 42; }, nullptr), IsEmpty());
}

}  // namespace
}  // namespace crossfold
