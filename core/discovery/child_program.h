// Starting a program of ours as a child process: what it inherits, and nothing else.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "files/file_descriptor.h"

namespace crossfold {

// The two ends of a channel: ours, and that which the child will have.
struct ChannelEnds {
  FileDescriptor ours, theirs;
};
// Throw Error(kIo) "cannot start worker process '<program>': ...".
ChannelEnds MakeChildSocket(const std::filesystem::path& program);
ChannelEnds MakeChildPipe(const std::filesystem::path& program);  // we read, without blocking

// The descriptor of the child that is the channel's end.
constexpr int kChildChannel = 3;

// Starts the program with the arguments behind its name, this process's environment with
// `variables` ("NAME=value") in it, no input, `output` as standard output and error, `channel` as
// descriptor 3 and no others; in a process group of its own, which Ctrl-C does not reach, no signal
// blocked or ignored. Throws Error(kIo).
pid_t SpawnChild(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                 const std::vector<std::string>& variables, int channel, int output);

// How a process ended.
struct Ending {
  int code = -1;   // what it exited with; -1 = it did not
  int signal = 0;  // what it died of; 0 = none
};

// Ends a child started by SpawnChild and its group, waits for it, and says how it ended: by itself,
// if it already has.
Ending KillChild(pid_t pid);

// The end of what a child writes. Reads what is there without waiting, a bounded number of bytes;
// closes `from` when the other side has. `written` keeps the last `most` bytes.
void ReadWritten(FileDescriptor& from, std::string& written, std::size_t most = 2048);

// A descriptor that becomes readable when the process ends. -1 with errno if there is none.
int OpenProcess(pid_t pid);

}  // namespace crossfold
