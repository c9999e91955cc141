// What a call says when it throws an Error.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "crossfold/error.h"

namespace crossfold::test {

// The message of the Error that the call throws, which must be of that kind if one is given; "" =
// it throws none.
template <class Call>
std::string MessageOf(const Call& call, std::optional<ErrorKind> kind = {}) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind.value_or(error.kind()));
    return error.what();
  }
}

}  // namespace crossfold::test
