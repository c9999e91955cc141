// Threads of oneTBB. A file of its own because it is built without the thread sanitizer, which does
// not see how libtbb hands work over and takes its own headers for racy; so who uses it makes the
// hand-over visible with atomics.
#pragma once

namespace crossfold {

// One a core that the process may use.
int DefaultWorkers();

// Calls work(data) `workers` times, at the same time as far as there are threads, and returns when
// all have returned. REQUIRES: workers > 0; `work` throws nothing, and one call alone would do what
// all do together.
void CallOnThreads(int workers, void (*work)(void*), void* data);

}  // namespace crossfold
