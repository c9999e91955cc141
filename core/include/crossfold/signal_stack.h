// The stack on which the handler of a crash runs.
#pragma once

#include <cstddef>
#include <memory>

namespace crossfold {

// While it lives, handlers of this thread that ask for a stack of their own (SA_ONSTACK) have one,
// so that they also run when a plugin has used up the thread's stack. The object does nothing if
// SIGSEGV has no such handler, or if the thread has such a stack already.
class SignalStack {
 public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace crossfold
