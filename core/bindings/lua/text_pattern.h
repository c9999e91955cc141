// Lua's string patterns with a bound on the work: matching backtracks, so the library's own takes
// 2^n steps for patterns like ("a?"):rep(n) .. ("a"):rep(n), and nothing can stop it.
// Plain memory without destructors: callers may raise Lua errors while one is alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace crossfold::lua {

class TextPattern {
 public:
  static constexpr int kMaxCaptures = 32;
  static constexpr std::ptrdiff_t kUnclosed = -1, kPosition = -2;

  struct Capture {
    const char* start;
    std::ptrdiff_t length;  // or one of the two above
  };

  // Asked now and then while matching; true = give up.
  using Stop = bool (*)(const void* context);

  // Both texts must be followed by a readable byte, as Lua's strings are. A '^' at the start of
  // `pattern` means nothing here: callers cut it off.
  TextPattern(std::string_view subject, std::string_view pattern, std::uint64_t steps, Stop stop,
              const void* context)
      : begin_(subject.data()),
        end_(begin_ + subject.size()),
        pattern_end_(pattern.data() + pattern.size()),
        pattern_(pattern.data()),
        steps_(steps),
        stop_(stop),
        context_(context) {}

  // The end of the match that starts at `s`; null = none, or a problem.
  const char* MatchAt(const char* s);

  // Of the last match.
  int num_captures() const { return level_; }
  const Capture& capture(int i) const { return captures_[i]; }

  // What is wrong with the pattern, in the words of Lua; null = nothing. A %d stands for
  // problem_number().
  const char* problem() const { return problem_; }
  int problem_number() const { return problem_number_; }
  // The problem is that the steps were used up.
  bool out_of_steps() const { return out_of_steps_; }

 private:
  const char* Here(const char* s, const char* p);
  const char* FromHere(const char* s, const char* p);
  const char* Longest(const char* s, const char* item, const char* after);
  const char* Shortest(const char* s, const char* item, const char* after);
  const char* Open(const char* s, const char* p, std::ptrdiff_t length);
  const char* Close(const char* s, const char* p);
  // The four items after '%' that are not classes advance `s` and `p`; false = no match.
  bool Special(const char*& s, const char*& p);
  const char* Balanced(const char* s, const char* p);
  const char* Frontier(const char* s, const char* p);
  const char* BackReference(const char* s, char digit);
  const char* ItemEnd(const char* item);
  bool Single(const char* s, const char* item, const char* after);
  bool Spend(std::size_t steps);
  const char* Fail(const char* problem, int number = 0);

  const char* begin_;
  const char* end_;
  const char* pattern_end_;
  const char* pattern_;
  std::uint64_t steps_;
  Stop stop_;
  const void* context_;
  const char* problem_ = nullptr;
  int problem_number_ = 0;
  bool out_of_steps_ = false;
  std::size_t since_asked_ = 0;
  int depth_ = 0;
  int level_ = 0;
  Capture captures_[kMaxCaptures];
};

}  // namespace crossfold::lua
