// Counts the threads of this program: its pthread_create is found before that of the C library, by
// plugins and by the libraries they use (sdk/check/thread_counts.h).
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <memory>
#include <new>

#include "check/thread_counts.h"

namespace {

using crossfold::check::ThreadCounts;
using Start = void* (*)(void*);
using Create = int (*)(pthread_t*, const pthread_attr_t*, Start, void*);

struct Beginning {
  Start start;
  void* argument;
};

ThreadCounts& Counts() {
  static ThreadCounts counts;
  return counts;
}

// Exists as long as the function of a thread runs, however that ends.
struct Alive {
  ~Alive() { --Counts().alive; }
};

void CountOne() {
  ThreadCounts& counts = Counts();
  ++counts.started;
  const std::int64_t alive = ++counts.alive;
  std::int64_t most = counts.most_alive;
  while (most < alive && !counts.most_alive.compare_exchange_weak(most, alive)) {
  }
}

void* Run(void* given) {
  const std::unique_ptr<Beginning> beginning(static_cast<Beginning*>(given));
  const Alive alive;
  return beginning->start(beginning->argument);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"))) ThreadCounts* crossfold_checker_threads() {
  return &Counts();
}

__attribute__((visibility("default"))) int pthread_create(pthread_t* thread,
                                                          const pthread_attr_t* attributes,
                                                          Start start, void* argument) {
  static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  auto* beginning = new (std::nothrow) Beginning{start, argument};
  if (beginning == nullptr) return EAGAIN;
  CountOne();
  const int error = create(thread, attributes, &Run, beginning);
  if (error != 0) {
    --Counts().alive;
    delete beginning;
  }
  return error;
}

}  // extern "C"
