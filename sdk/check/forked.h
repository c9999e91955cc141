// Work in a copy of this process, which may crash, hang or run out of memory without harm.
#pragma once

#include <functional>
#include <string>

namespace crossfold::check {

// Of a copy that was started and has been waited for.
struct Forked {
  std::string text;   // what the work returned, if the process ended as it should
  std::string ended;  // "it ended with signal 11 (Segmentation fault)", "it took more than 5 s"; ""
};

// Both run at once: `work` in the copy, with what `here` returns as its argument; then waits. What
// `work` throws is an ending. REQUIRES: the process has no other thread that holds a lock which
// `work` takes, and nothing that works with threads was called before (OpenMP does not survive it).
Forked RunForked(const std::function<std::string()>& here,
                 const std::function<std::string(const std::string&)>& work, double seconds = 5);

}  // namespace crossfold::check
