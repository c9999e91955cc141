#include "crossfold/signal_stack.h"

#include <csignal>
#include <new>

namespace crossfold {
namespace {

constexpr std::size_t kBytes = 1 << 16;  // the registers that the kernel stores take up to 11 KiB

bool IsWanted() {
  struct sigaction action {};
  stack_t old{};
  return sigaction(SIGSEGV, nullptr, &action) == 0 && (action.sa_flags & SA_ONSTACK) != 0 &&
         sigaltstack(nullptr, &old) == 0 && (old.ss_flags & SS_DISABLE) != 0;
}

}  // namespace

SignalStack::SignalStack() {
  if (!IsWanted()) return;
  bytes_.reset(new (std::nothrow) std::byte[kBytes]);
  stack_t stack{};
  stack.ss_sp = bytes_.get();
  stack.ss_size = kBytes;
  if (bytes_ == nullptr || sigaltstack(&stack, nullptr) != 0) bytes_.reset();
}

SignalStack::~SignalStack() {
  if (bytes_ == nullptr) return;
  stack_t none{};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
}

}  // namespace crossfold
