// The threads that plugins start. The program crossfold-checker counts them exactly: it replaces
// the C library's pthread_create by one of its own (sdk/check/thread_counting.cpp).
#pragma once

#include <atomic>
#include <cstdint>

namespace crossfold::check {

struct ThreadCounts {
  std::atomic<std::int64_t> started{0};     // since it was last set to 0
  std::atomic<std::int64_t> alive{0};       // of those started by pthread_create
  std::atomic<std::int64_t> most_alive{0};  // at the same time, since it was last set
};

}  // namespace crossfold::check
