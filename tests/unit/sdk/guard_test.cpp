#include "crossfold_plugin/error.hpp"

#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>

#include "gtest/gtest.h"
#include "unit/sdk/fake_call.h"

namespace crossfold::plugin {
namespace {

TEST(GuardTest, ABodyThatReturnsIsOkAndSaysNothing) {
  FakeCall call;
  EXPECT_EQ(Guard(call.get(), [] {}), CF_OK);
  EXPECT_EQ(call.message, "");
}

TEST(GuardTest, AnErrorKeepsItsCodeAndText) {
  FakeCall call;
  EXPECT_EQ(Guard(call.get(), [] { throw Error(CF_E_NUMERIC, "singular matrix"); }), CF_E_NUMERIC);
  EXPECT_EQ(call.code, CF_E_NUMERIC);
  EXPECT_EQ(call.message, "singular matrix");
}

TEST(GuardTest, UndefinedIsAStatusOfItsOwn) {
  FakeCall call;
  EXPECT_EQ(Guard(call.get(), [] { throw Undefined("no positives"); }), CF_E_UNDEFINED);
  EXPECT_EQ(call.message, "no positives");
}

TEST(GuardTest, BadAllocIsOutOfMemory) {
  FakeCall call;
  EXPECT_EQ(Guard(call.get(), [] { throw std::bad_alloc(); }), CF_E_OUT_OF_MEMORY);
  EXPECT_EQ(call.message, "out of memory");
}

TEST(GuardTest, AStandardExceptionIsInternalWithItsText) {
  FakeCall call;
  EXPECT_EQ(Guard(call.get(), [] { throw std::out_of_range("index 9"); }), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "index 9");
}

TEST(GuardTest, AFullOrBrokenDiskIsAnErrorOfInputAndOutput) {
  for (const int error : {ENOSPC, EDQUOT, EIO, ENOENT}) {
    FakeCall call;
    const std::system_error thrown(error, std::generic_category(), "cannot write");
    EXPECT_EQ(Guard(call.get(), [&] { throw thrown; }), error == ENOENT ? CF_E_INTERNAL : CF_E_IO);
    EXPECT_EQ(call.message, thrown.what());
  }
}

TEST(GuardTest, AnythingElseIsInternal) {
  FakeCall call;
  EXPECT_EQ(Guard(call.get(), [] { throw 42; }), CF_E_INTERNAL);
  EXPECT_EQ(call.message, "unknown C++ exception");
}

TEST(GuardTest, AnOlderHostWithoutFailGetsTheStatusAlone) {
  FakeCall call;
  call.host().struct_size = offsetof(cf_host, fail);
  EXPECT_EQ(Guard(call.get(), [] { throw Error(CF_E_NUMERIC, "x"); }), CF_E_NUMERIC);
  EXPECT_EQ(call.message, "");
}

TEST(GuardTest, WithoutACallTheStatusIsReturnedAllTheSame) {
  EXPECT_EQ(Guard(nullptr, [] { throw Error(CF_E_NUMERIC, "x"); }), CF_E_NUMERIC);
}

}  // namespace
}  // namespace crossfold::plugin
