// Threads that do one piece of work together.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace crossfold {

// One a core that the process may use.
int DefaultWorkers();

// Calls work() on this thread and on `threads` - 1 others at the same time, as far as they come to
// run before the call on this thread is over. Returns when all calls have, on how many threads. The
// system may give fewer, even none: then half of those that it gave end at once, so that the work
// has memory, and threads of its own. REQUIRES: `work` throws nothing, and one call alone would do
// what all do together.
int CallOnThreads(int threads, const std::function<void()>& work);

// A thread without which `attempt`, as in "open store 'x'", cannot go on. Throws Error(kIo).
std::thread StartThread(const std::string& attempt, const std::function<void()>& work);

}  // namespace crossfold
