// The functions that a sealed library gets instead of those of the C library: see sealed_library.h.
// The linker sends its calls of NAME to __wrap_NAME. The functions of these libraries that write
// files are never called, so everything that is written goes to the log.
#include "sealed_library.h"

#include <cassert>
#include <cstdio>

namespace crossfold::bundled {
namespace {

thread_local SealedCall* current_call = nullptr;

// Longer lines are cut, because dots of progress have no end of line.
constexpr std::size_t kLongestLine = 200;

void PrintToCurrent(std::string_view text) {
  if (SealedCall* const call = SealedCall::Current()) call->Print(text);
}

}  // namespace

SealedCall::SealedCall(const plugin::Context& context, std::string_view library)
    : context_(context), library_(library), random_(context.MakeRandom()) {
  assert(current_call == nullptr);
  current_call = this;
}

SealedCall::~SealedCall() {
  current_call = nullptr;
  if (!line_.empty()) LogLine();
}

SealedCall* SealedCall::Current() { return current_call; }

void SealedCall::Print(std::string_view text) {
  for (const char c : text) {
    if (c != '\n') line_.push_back(c);
    if (!line_.empty() && (c == '\n' || line_.size() >= kLongestLine)) LogLine();
  }
}

void SealedCall::LogLine() {
  const bool warning = line_.find("WARNING") != std::string::npos;
  std::string message = std::string(library_) + ": " + line_;
  // The message of both libraries about a solver that gave up, to which a way out is added.
  if (line_.find("reaching max number of iterations") != std::string::npos) {
    message +=
        "; the fit is not at its optimum: scale the features, or take a smaller c, a larger "
        "tolerance "
        "or another solver";
  }
  context_.Log(warning ? CF_LOG_WARN : CF_LOG_DEBUG, message.c_str());
  line_.clear();
}

}  // namespace crossfold::bundled

using crossfold::bundled::PrintToCurrent;
using crossfold::bundled::SealedCall;

extern "C" {

// Streams that are not read.
FILE* __wrap_stdout = nullptr;
FILE* __wrap_stderr = nullptr;

int __wrap_rand() {
  SealedCall* const call = SealedCall::Current();
  assert(call != nullptr);
  return call != nullptr ? call->Draw() : 0;
}

int __wrap_fputs(const char* text, FILE*) {
  PrintToCurrent(text);
  return 0;
}
int __wrap_puts(const char* text) {
  PrintToCurrent(text);
  PrintToCurrent("\n");
  return 0;
}
std::size_t __wrap_fwrite(const void* data, std::size_t size, std::size_t count, FILE*) {
  PrintToCurrent({static_cast<const char*>(data), size * count});
  return count;
}
int __wrap_fputc(int c, FILE*) {
  const char text = static_cast<char>(c);
  PrintToCurrent({&text, 1});
  return c;
}
int __wrap_putchar(int c) { return __wrap_fputc(c, nullptr); }
int __wrap_fflush(FILE*) { return 0; }

// Formatted messages are logged with their placeholders: the numbers in them would be written as
// the locale wants, and none says more than that something was wrong.
int __wrap_printf(const char* format, ...) {
  PrintToCurrent(format);
  return 0;
}
int __wrap_fprintf(FILE*, const char* format, ...) {
  PrintToCurrent(format);
  return 0;
}
int __wrap___printf_chk(int, const char* format, ...) {
  PrintToCurrent(format);
  return 0;
}
int __wrap___fprintf_chk(FILE*, int, const char* format, ...) {
  PrintToCurrent(format);
  return 0;
}
}
