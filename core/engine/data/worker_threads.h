// Threads that work on one task together.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace crossfold {

// Number of cores that the process may use.
int DefaultWorkers();

// Calls work() on this thread and on up to `threads` - 1 others at the same time, and returns the
// number of threads when all calls have returned. A thread that has not started when the call on
// this thread returns is left out. If the system allows fewer threads, half of them end at once, to
// leave memory and threads to the work. REQUIRES: `work` throws nothing, and one call alone does
// all of the work.
int CallOnThreads(int threads, const std::function<void()>& work);

// Starts a thread for `attempt`, such as "open store 'x'". Throws Error(kIo).
std::thread StartThread(const std::string& attempt, const std::function<void()>& work);

}  // namespace crossfold
