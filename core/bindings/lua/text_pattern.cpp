#include "bindings/lua/text_pattern.h"

#include <cstring>

namespace crossfold::lua {
namespace {

constexpr int kMaxDepth = 200;           // of calls within calls, as in Lua
constexpr std::size_t kAskEvery = 4096;  // steps

bool IsIn(unsigned char c, unsigned char low, unsigned char high) { return low <= c && c <= high; }
bool IsDigit(unsigned char c) { return IsIn(c, '0', '9'); }
bool IsLower(unsigned char c) { return IsIn(c, 'a', 'z'); }
bool IsUpper(unsigned char c) { return IsIn(c, 'A', 'Z'); }
bool IsLetter(unsigned char c) { return IsLower(c) || IsUpper(c); }
bool IsVisible(unsigned char c) { return IsIn(c, '!', '~'); }

// The classes of ASCII, whatever the locale. A letter that names no class stands for itself.
bool IsOfClass(unsigned char c, unsigned char name) {
  bool found = false;
  switch (IsUpper(name) ? name - 'A' + 'a' : name) {
    case 'a':
      found = IsLetter(c);
      break;
    case 'c':
      found = c < ' ' || c == 127;
      break;
    case 'd':
      found = IsDigit(c);
      break;
    case 'g':
      found = IsVisible(c);
      break;
    case 'l':
      found = IsLower(c);
      break;
    case 'p':
      found = IsVisible(c) && !IsLetter(c) && !IsDigit(c);
      break;
    case 's':
      found = c == ' ' || IsIn(c, '\t', '\r');
      break;
    case 'u':
      found = IsUpper(c);
      break;
    case 'w':
      found = IsLetter(c) || IsDigit(c);
      break;
    case 'x':
      found = IsDigit(c) || IsIn(c, 'a', 'f') || IsIn(c, 'A', 'F');
      break;
    default:
      return c == name;
  }
  return found != IsUpper(name);
}

// Whether `c` is in the set between `open`, its '[', and `close`, its ']'.
bool IsInSet(unsigned char c, const char* open, const char* close) {
  const char* p = open + 1;
  const bool wanted = *p != '^';
  if (!wanted) ++p;
  while (p < close) {
    if (*p == '%') {
      if (IsOfClass(c, static_cast<unsigned char>(p[1]))) return wanted;
      p += 2;
    } else if (p + 2 < close && p[1] == '-') {
      if (IsIn(c, static_cast<unsigned char>(p[0]), static_cast<unsigned char>(p[2]))) {
        return wanted;
      }
      p += 3;
    } else {
      if (c == static_cast<unsigned char>(*p)) return wanted;
      ++p;
    }
  }
  return !wanted;
}

}  // namespace

const char* TextPattern::Fail(const char* problem, int number) {
  problem_ = problem;
  problem_number_ = number;
  return nullptr;
}

bool TextPattern::Spend(std::size_t steps) {
  since_asked_ += steps;
  const bool stopped = since_asked_ >= kAskEvery && stop_(context_);
  if (since_asked_ >= kAskEvery) since_asked_ = 0;
  if (stopped || steps > steps_) {
    out_of_steps_ = true;
    Fail("too many steps");
    return false;
  }
  steps_ -= steps;
  return true;
}

const char* TextPattern::MatchAt(const char* s) {
  level_ = 0;
  depth_ = 0;
  return Here(s, pattern_);
}

const char* TextPattern::Here(const char* s, const char* p) {
  if (depth_ == kMaxDepth) return Fail("pattern too complex");
  ++depth_;
  const char* found = FromHere(s, p);
  --depth_;
  return found;
}

const char* TextPattern::FromHere(const char* s, const char* p) {
  while (p != pattern_end_) {
    if (*p == '(') {
      const bool position = p[1] == ')';
      return Open(s, p + (position ? 2 : 1), position ? kPosition : kUnclosed);
    }
    if (*p == ')') return Close(s, p + 1);
    if (*p == '$' && p + 1 == pattern_end_) return s == end_ ? s : nullptr;
    if (*p == '%' && (p[1] == 'b' || p[1] == 'f' || IsDigit(static_cast<unsigned char>(p[1])))) {
      if (!Special(s, p)) return nullptr;
      continue;
    }
    const char* after = ItemEnd(p);
    if (after == nullptr || !Spend(static_cast<std::size_t>(after - p))) return nullptr;
    const char repeat = after == pattern_end_ ? '\0' : *after;
    if (repeat == '*') return Longest(s, p, after);
    if (repeat == '-') return Shortest(s, p, after);
    const bool fits = Single(s, p, after);
    if (repeat == '+') return fits ? Longest(s + 1, p, after) : nullptr;
    if (repeat == '?') {
      if (fits) {
        const char* found = Here(s + 1, after + 1);
        if (found != nullptr || problem_ != nullptr) return found;
      }
      p = after + 1;
      continue;
    }
    if (!fits) return nullptr;
    ++s;
    p = after;
  }
  return s;
}

const char* TextPattern::Longest(const char* s, const char* item, const char* after) {
  const char* last = s;
  while (Single(last, item, after)) {
    if (!Spend(static_cast<std::size_t>(after - item))) return nullptr;
    ++last;
  }
  for (; last >= s; --last) {
    if (!Spend(1)) return nullptr;
    const char* found = Here(last, after + 1);
    if (found != nullptr || problem_ != nullptr) return found;
  }
  return nullptr;
}

const char* TextPattern::Shortest(const char* s, const char* item, const char* after) {
  for (;; ++s) {
    if (!Spend(static_cast<std::size_t>(after - item))) return nullptr;
    const char* found = Here(s, after + 1);
    if (found != nullptr || problem_ != nullptr) return found;
    if (!Single(s, item, after)) return nullptr;
  }
}

const char* TextPattern::Open(const char* s, const char* p, std::ptrdiff_t length) {
  if (level_ == kMaxCaptures) return Fail("too many captures");
  captures_[level_++] = {s, length};
  const char* found = Here(s, p);
  if (found == nullptr) --level_;
  return found;
}

const char* TextPattern::Close(const char* s, const char* p) {
  int i = level_ - 1;
  while (i >= 0 && captures_[i].length != kUnclosed) --i;
  if (i < 0) return Fail("invalid pattern capture");
  captures_[i].length = s - captures_[i].start;
  const char* found = Here(s, p);
  if (found == nullptr) captures_[i].length = kUnclosed;
  return found;
}

bool TextPattern::Special(const char*& s, const char*& p) {
  if (!Spend(1)) return false;
  if (p[1] == 'b') {
    s = Balanced(s, p + 2);
    p += 4;
    return s != nullptr;
  }
  if (p[1] == 'f') {
    p = Frontier(s, p + 2);
    return p != nullptr;
  }
  s = BackReference(s, p[1]);
  p += 2;
  return s != nullptr;
}

const char* TextPattern::Balanced(const char* s, const char* p) {
  if (pattern_end_ - p < 2) return Fail("malformed pattern (missing arguments to '%%b')");
  if (s == end_ || *s != p[0]) return nullptr;
  std::size_t open = 1;
  while (++s != end_) {
    if (!Spend(1)) return nullptr;
    if (*s == p[1]) {
      if (--open == 0) return s + 1;
    } else if (*s == p[0]) {
      ++open;
    }
  }
  return nullptr;
}

// Returns the pattern after the set at `p` if `s` is at a border of the set.
const char* TextPattern::Frontier(const char* s, const char* p) {
  if (p == pattern_end_ || *p != '[') return Fail("missing '[' after '%%f' in pattern");
  const char* after = ItemEnd(p);
  if (after == nullptr || !Spend(static_cast<std::size_t>(after - p))) return nullptr;
  const auto before = static_cast<unsigned char>(s == begin_ ? '\0' : s[-1]);
  const auto now = static_cast<unsigned char>(s == end_ ? '\0' : *s);
  return !IsInSet(before, p, after - 1) && IsInSet(now, p, after - 1) ? after : nullptr;
}

const char* TextPattern::BackReference(const char* s, char digit) {
  const int i = digit - '1';
  if (i < 0 || i >= level_ || captures_[i].length == kUnclosed) {
    return Fail("invalid capture index %%%d", i + 1);
  }
  // A position has no text; like Lua's library, nothing is as long as that.
  const std::ptrdiff_t length = captures_[i].length;
  if (length < 0 || end_ - s < length) return nullptr;
  if (!Spend(static_cast<std::size_t>(length) / 16 + 1)) return nullptr;
  const auto size = static_cast<std::size_t>(length);
  return std::memcmp(captures_[i].start, s, size) == 0 ? s + length : nullptr;
}

const char* TextPattern::ItemEnd(const char* item) {
  const char* p = item + 1;
  if (*item == '%') {
    if (p == pattern_end_) return Fail("malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (*item != '[') return p;
  if (p != pattern_end_ && *p == '^') ++p;
  do {  // a ']' at the start is one of the set
    if (p == pattern_end_) return Fail("malformed pattern (missing ']')");
    p += *p == '%' && p + 1 != pattern_end_ ? 2 : 1;
  } while (p == pattern_end_ || *p != ']');
  return p + 1;
}

bool TextPattern::Single(const char* s, const char* item, const char* after) {
  if (s == end_) return false;
  const auto c = static_cast<unsigned char>(*s);
  if (*item == '.') return true;
  if (*item == '%') return IsOfClass(c, static_cast<unsigned char>(item[1]));
  if (*item == '[') return IsInSet(c, item, after - 1);
  return c == static_cast<unsigned char>(*item);
}

}  // namespace crossfold::lua
