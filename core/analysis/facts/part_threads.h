// Runs work on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace crossfold {

// Calls work(0) ... work(n - 1), begun in this order, on up to `threads` threads (0 = one per
// core). If calls throw, rethrows what the first of them in this order threw; those after it may
// not have run.
void ForEachPart(int threads, std::size_t n, const std::function<void(std::size_t)>& work);

}  // namespace crossfold
