// The whole message of a refused argument.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "crossfold/error.h"

namespace crossfold::stats {

inline std::string Refusal(const std::function<void()>& attempt) {
  try {
    attempt();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInvalidArgument);
    return error.what();
  }
  return "no refusal";
}

}  // namespace crossfold::stats
