// One process of a learner as the rest of the plugin uses it: requests with their replies, shared
// memory, and what the process knows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "child_process.h"
#include "crossfold_plugin.h"
#include "messages.h"
#include "table_image.h"

namespace crossfold::exec {

using Environment = std::map<std::string, std::string>;

// Returns "python 3.11.2, numpy 1.24.2".
std::string ToText(const Environment& environment);

// Not thread-safe; ChildPool lends a child to one call at a time.
class Child {
 public:
  // Starts the process and waits for its greeting, a minute at most. `threads` is its budget, which
  // libraries read from its environment. `call` may cancel that; null = none does. Throws
  // plugin::Error.
  Child(Launcher& launcher, const std::string& folder, const FolderDescription& description,
        std::uint32_t threads, const cf_call* call);

  const Environment& environment() const { return environment_; }
  std::uint32_t threads() const { return threads_; }
  bool IsAlive() const { return process_.IsAlive(); }

  // Makes a place of `bytes` bytes in the arena for the next request; returns its offset.
  // It may move the arena, so pointers into it are taken after the last Reserve().
  std::size_t Reserve(std::size_t bytes);
  char* arena(std::size_t at);
  // Gives up all places.
  void ClearArena() { reserved_ = BufferLayout(); }

  // Sends the table under this number unless the process has it.
  void Provide(std::uint64_t number, const TableImage& table, const cf_call* call);
  // What the next request begins with: `drops` and, if it has changed, the arena.
  RequestHead Head();
  // The process forgets these before its next request.
  void DropTable(std::uint64_t number);
  void DropModel(std::uint64_t number) { head_.dropped_models.push_back(number); }

  struct Result {
    Answer answer;
    std::string blob;
  };
  // Sends a request and returns the reply. Passes log lines and progress on to the call's host and
  // asks it whether to cancel. Throws plugin::Error for an error that the process replies, and as
  // ChildProcess does.
  Result Ask(const cf_call* call, std::string_view request, std::string_view blob = {});

 private:
  Result Receive(const ChildProcess::Watch& watch, const cf_call* call, double& done);
  Result Hello(const ChildProcess::Watch& watch);
  void Settle();
  void Greet(const cf_call* call);

  ChildProcess process_;
  std::uint32_t threads_;
  Environment environment_;
  std::unique_ptr<MemoryFile> arena_;
  BufferLayout reserved_;
  bool is_arena_new_ = false;
  RequestHead head_;
  std::set<std::uint64_t> tables_;  // that the process has
};

}  // namespace crossfold::exec
