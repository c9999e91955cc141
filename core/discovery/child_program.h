// Starting one of our programs as a child process, with full control of what it inherits, and what
// it prints, for callers that use it as a function.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "crossfold/cancel_token.h"
#include "files/file_descriptor.h"

namespace crossfold {

// The two ends of a channel: ours and the child's.
struct ChannelEnds {
  FileDescriptor ours, theirs;
};
// Throw Error(kIo) "cannot start worker process '<program>': ...".
ChannelEnds MakeChildSocket(const std::filesystem::path& program);
ChannelEnds MakeChildPipe(const std::filesystem::path& program);  // we read, without blocking

// The child's descriptor for its end of the channel.
constexpr int kChildChannel = 3;

// Starts the program with these arguments (without its name) and the environment of this process
// with `variables` ("NAME=value") in it. The child has no input, `output` as standard output and
// error, `channel` as descriptor 3, and no other descriptors. It is in a process group of its own,
// which Ctrl-C does not reach, and blocks or ignores no signal. Throws Error(kIo).
pid_t SpawnChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables, int channel, int output);

// The end of a process.
struct Ending {
  int code = -1;   // exit code; -1 = it did not exit
  int signal = 0;  // signal that ended it; 0 = none
};

// Ends a child started by SpawnChild and its group, waits for it, and returns how it ended, also if
// it had already ended by itself.
Ending KillChild(pid_t pid);

// Reads what a child has written, without waiting and at most a bounded number of bytes. Closes
// `from` when the other side has closed its end. `written` keeps the last `maximum` bytes.
void ReadWritten(FileDescriptor& from, std::string& written, std::size_t maximum = 2048);

// Returns a descriptor that becomes readable when the process ends; -1 with errno if it fails.
int OpenProcess(pid_t pid);

// Runs the program with these arguments (without its name) to its end, with no input, and returns
// what it printed to standard output and error. After a cancellation, which may be null, it gets
// SIGTERM and a second to end. Throws Error(kIo) if it cannot be started, or ended by a signal.
std::string OutputOf(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments,
                     const CancelToken* cancel = nullptr);

}  // namespace crossfold
