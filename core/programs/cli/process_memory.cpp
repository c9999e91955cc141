#include "programs/cli/process_memory.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

namespace crossfold::cli {
namespace {

struct Memory {
  std::uint64_t own = 0, shared = 0;  // bytes
};

// Of lines as in "RssAnon:	    4504 kB" (proc_pid_status(5)).
Memory MemoryOf(const std::string& process) {
  Memory memory;
  std::ifstream status(process + "/status");
  for (std::string name, rest; status >> name; std::getline(status, rest)) {
    const bool own = name == "RssAnon:" || name == "VmSwap:";
    if (!own && name != "RssShmem:") continue;
    std::uint64_t kilobytes = 0;
    status >> kilobytes;
    (own ? memory.own : memory.shared) += kilobytes * 1024;
  }
  return memory;
}

// Each thread has children of its own.
void AppendChildren(const std::string& process, std::vector<std::string>& out) {
  std::error_code error;
  for (std::filesystem::directory_iterator i(process + "/task", error), end; !error && i != end;
       i.increment(error)) {
    std::ifstream children(i->path() / "children");
    for (std::string child; children >> child;) out.push_back("/proc/" + child);
  }
}

}  // namespace

std::uint64_t MemoryOfTree(pid_t root) {
  std::vector<std::string> processes = {"/proc/" + std::to_string(root)};
  Memory all;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const std::string process = processes[i];
    const Memory memory = MemoryOf(process);
    all.own += memory.own;
    all.shared = std::max(all.shared, memory.shared);
    AppendChildren(process, processes);
  }
  return all.own + all.shared;
}

}  // namespace crossfold::cli
