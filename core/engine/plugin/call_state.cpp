#include "engine/plugin/call_state.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "crossfold/version.h"
#include "engine/plugin/foreign_text.h"

namespace crossfold {
namespace {

CallState* StateOf(const cf_call* call) {
  return call == nullptr ? nullptr : static_cast<CallState*>(call->call_data);
}

// Plugins, which may be written in C, call the functions of the table, so no exception leaves them.

void CF_CALL Log(const cf_host* host, std::int32_t level, const char* message) noexcept {
  if (host == nullptr || host->host_data == nullptr) return;
  const auto& sink = *static_cast<const LogSink*>(host->host_data);
  if (!sink) return;
  try {
    sink(std::clamp<std::int32_t>(level, CF_LOG_DEBUG, CF_LOG_ERROR), CleanText(message));
  } catch (...) {  // a sink that cannot take a line must not end the plugin's call
  }
}

const void* CF_CALL GetExtension(const cf_host*, const char*) noexcept { return nullptr; }

cf_status CF_CALL Fail(const cf_call* call, cf_status code, const char* message) noexcept {
  CallState* state = StateOf(call);
  if (state == nullptr) return code;
  try {
    state->Fail(message);
  } catch (...) {  // no memory for the text: the status is still returned
  }
  return code;
}

std::int32_t CF_CALL Progress(const cf_call* call, double) noexcept {
  const CallState* state = StateOf(call);
  return state != nullptr && state->cancelled() ? 1 : 0;
}

void CF_CALL RandomU64(const cf_call* call, std::uint64_t* out, std::size_t n) noexcept {
  CallState* state = StateOf(call);
  if (state != nullptr && out != nullptr) state->Draw(out, n);
}

void* CF_CALL Scratch(const cf_call* call, std::size_t bytes, std::size_t align) noexcept {
  CallState* state = StateOf(call);
  return state == nullptr ? nullptr : state->Allocate(bytes, align);
}

}  // namespace

CallState::~CallState() {
  while (blocks_ != nullptr) {
    Block* next = blocks_->next;
    std::free(blocks_);
    blocks_ = next;
  }
}

void CallState::Fail(const char* message) {
  const std::lock_guard lock(mutex_);
  if (has_failed_) return;
  has_failed_ = true;
  message_ = CleanText(message);
}

void CallState::Draw(std::uint64_t* out, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) out[i] = random_.Next();
}

void* CallState::Allocate(std::size_t bytes, std::size_t align) noexcept {
  constexpr std::size_t kLimit = std::numeric_limits<std::ptrdiff_t>::max();
  if (align == 0 || (align & (align - 1)) != 0 || align > kLimit / 2) return nullptr;
  const std::size_t overhead = sizeof(Block) + align;
  if (bytes > kLimit - overhead) return nullptr;
  void* memory = std::calloc(1, bytes + overhead);
  if (memory == nullptr) return nullptr;
  auto* block = static_cast<Block*>(memory);
  {
    const std::lock_guard lock(mutex_);
    block->next = blocks_;
    blocks_ = block;
  }
  const auto first = reinterpret_cast<std::uintptr_t>(block + 1);
  const std::uintptr_t aligned = (first + align - 1) & ~static_cast<std::uintptr_t>(align - 1);
  return reinterpret_cast<char*>(block + 1) + (aligned - first);
}

cf_host MakeHostTable(const LogSink* log) {
  cf_host host{};
  host.struct_size = sizeof(cf_host);
  host.abi_minor = CF_ABI_MINOR;
  host.host_data = const_cast<LogSink*>(log);  // it is only read
  host.name = "crossfold";
  host.version = Version().data();
  host.log = &Log;
  host.get_extension = &GetExtension;
  host.fail = &Fail;
  host.progress = &Progress;
  host.random_u64 = &RandomU64;
  host.scratch = &Scratch;
  return host;
}

}  // namespace crossfold
