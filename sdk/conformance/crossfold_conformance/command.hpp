// Runs the program and reads its output.
#pragma once

#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace crossfold::conformance {

struct CommandResult {
  int status = 0;      // exit code; 128 + the signal if one ended it
  std::string output;  // standard output; standard error is that of this process
};

namespace internal {

inline std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace internal

// Returns the words as a line for a shell.
inline std::string LineOf(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + internal::Quoted(word);
  return line;
}

// Runs words[0] with the other words as arguments and waits. Throws std::system_error.
inline CommandResult RunCommand(const std::vector<std::string>& words) {
  const std::string line = LineOf(words);
  std::FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr)
    throw std::system_error(errno, std::generic_category(), "cannot run " + line);
  CommandResult result;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof(buffer), pipe)) > 0;) {
    result.output.append(buffer, n);
  }
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace crossfold::conformance
