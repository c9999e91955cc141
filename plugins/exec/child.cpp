#include "child.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "crossfold_plugin/error.hpp"

namespace crossfold::exec {
namespace {

constexpr std::size_t kFirstArena = std::size_t{1} << 20;
constexpr std::chrono::seconds kGreeting(60), kSettling(2);

// The budget of the libraries that the program may use, which they read when they are loaded. The
// rest keeps the program from changing its own folder and from random orders of its own.
std::vector<std::string> VariablesFor(std::uint32_t threads) {
  std::vector<std::string> variables = {"PYTHONDONTWRITEBYTECODE=1", "PYTHONHASHSEED=0"};
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                           "BLIS_NUM_THREADS", "NUMEXPR_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"}) {
    variables.push_back(std::string(name) + "=" + std::to_string(threads));
  }
  return variables;
}

}  // namespace

std::string ToText(const Environment& environment) {
  std::string text;
  for (const auto& [name, version] : environment) {
    text += (text.empty() ? "" : ", ") + name + " " + version;
  }
  return text;
}

Child::Child(Launcher& launcher, const std::string& folder, const FolderDescription& description,
             std::uint32_t threads, const cf_call* call)
    : process_(launcher, folder, description.start, VariablesFor(threads)), threads_(threads) {
  Greet(call);
}

void Child::Greet(const cf_call* call) {
  const auto until = std::chrono::steady_clock::now() + kGreeting;
  const auto is_late = [until] { return std::chrono::steady_clock::now() >= until; };
  const auto watch = [&] {
    return is_late() || (call != nullptr && call->host->progress(call, 0) != 0);
  };
  Result hello;
  try {
    hello = Hello(watch);
  } catch (const plugin::Error&) {
    if (!is_late()) throw;
    process_.Reject("did not answer its first request within a minute");
  }
  if (process_.is_cancelled()) throw plugin::Error(CF_E_CANCELLED, "cancelled");
  if (hello.answer.protocol != 1) process_.Reject("does not speak version 1 of the protocol");
  environment_ = hello.answer.environment;
}

Child::Result Child::Hello(const ChildProcess::Watch& watch) {
  double done = 0;
  process_.Send(HelloRequest(), {}, watch);
  return Receive(watch, nullptr, done);
}

// The process may have answered before SIGINT reached it. It is asked once more, so that a program
// that SIGINT ends has ended before someone else's request. Such a process is not alive afterwards.
void Child::Settle() {
  const auto until = std::chrono::steady_clock::now() + kSettling;
  try {
    Hello([until] { return std::chrono::steady_clock::now() >= until; });
  } catch (const plugin::Error&) {
    process_.Kill();
  }
}

std::size_t Child::Reserve(std::size_t bytes) {
  const std::size_t at = reserved_.Add(bytes);
  if (arena_ == nullptr) {
    arena_ = std::make_unique<MemoryFile>(std::max(reserved_.end(), kFirstArena));
    is_arena_new_ = true;
  } else if (arena_->size() < reserved_.end()) {
    arena_->Grow(std::max(reserved_.end(), 2 * arena_->size()));
    is_arena_new_ = true;
  }
  return at;
}

char* Child::arena(std::size_t at) { return arena_->data() + at; }

void Child::Provide(std::uint64_t number, const TableImage& table, const cf_call* call) {
  if (tables_.contains(number)) return;
  try {
    Ask(call, TableRequest(Head(), number, table));
  } catch (...) {
    head_.dropped_tables.push_back(number);  // the process may have it
    throw;
  }
  tables_.insert(number);
}

RequestHead Child::Head() {
  RequestHead head = std::exchange(head_, {});
  if (std::exchange(is_arena_new_, false)) {
    head.arena_path = arena_->path();
    head.arena_bytes = arena_->size();
  }
  return head;
}

void Child::DropTable(std::uint64_t number) {
  if (tables_.erase(number) > 0) head_.dropped_tables.push_back(number);
}

Child::Result Child::Ask(const cf_call* call, std::string_view request, std::string_view blob) {
  double done = 0;
  const auto watch = [&] { return call->host->progress(call, done) != 0; };
  try {
    process_.Send(request, blob, watch);
    Result result = Receive(watch, call, done);
    if (process_.is_cancelled()) throw plugin::Error(CF_E_CANCELLED, "cancelled");
    return result;
  } catch (...) {
    is_arena_new_ = arena_ != nullptr;  // the process may not have it yet
    if (process_.is_cancelled()) Settle();
    throw;
  }
}

Child::Result Child::Receive(const ChildProcess::Watch& watch, const cf_call* call, double& done) {
  for (;;) {
    std::optional<Answer> answer = ParseAnswer(process_.Receive(watch));
    if (!answer) process_.Reject("sent something that is not a message");
    switch (answer->kind) {
      case Answer::Kind::kLog:
        if (call != nullptr) call->host->log(call->host, answer->level, answer->message.c_str());
        break;
      case Answer::Kind::kProgress:
        done = std::clamp(answer->progress, 0.0, 1.0);
        break;
      case Answer::Kind::kError:
        if (process_.is_cancelled()) throw plugin::Error(CF_E_CANCELLED, "cancelled");
        throw plugin::Error(answer->status, answer->message);
      case Answer::Kind::kResult:
        std::string blob = process_.ReceiveBytes(answer->blob, watch);
        return {*std::move(answer), std::move(blob)};
    }
  }
}

}  // namespace crossfold::exec
