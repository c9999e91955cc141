#include "discovery/program_output.h"

#include <poll.h>
#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <utility>

#include "crossfold/error.h"
#include "discovery/child_program.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{1} << 26;  // bytes
constexpr int kPatience = 50;                             // ms between looks at the token
constexpr int kLastLooks = 20;                            // after a cancellation

// Ends its process, if that has not ended, when it goes away.
class PrintingProcess {
 public:
  explicit PrintingProcess(pid_t pid) : pid_(pid) {}
  ~PrintingProcess() {
    if (pid_ >= 0) KillChild(pid_);
  }
  PrintingProcess(const PrintingProcess&) = delete;
  PrintingProcess& operator=(const PrintingProcess&) = delete;

  void Ask() const { ::kill(pid_, SIGTERM); }
  // REQUIRES: called once.
  Ending End() { return KillChild(std::exchange(pid_, -1)); }

 private:
  pid_t pid_;
};

}  // namespace

std::string OutputOf(const std::filesystem::path& program,
                     const std::vector<std::string>& arguments, const CancelToken* cancel) {
  ChannelEnds output = MakeChildPipe(program), channel = MakeChildPipe(program);
  PrintingProcess child(
      SpawnChild(program, arguments, {}, channel.theirs.get(), output.theirs.get()));
  output.theirs.Close();
  channel.theirs.Close();
  std::string written;
  int looks = -1;  // that are left; -1 = it was not asked to end
  while (output.ours.is_open() && looks != 0) {
    pollfd watched{output.ours.get(), POLLIN, 0};
    ::poll(&watched, 1, kPatience);
    ReadWritten(output.ours, written, kMaxOutput);
    if (looks > 0) --looks;
    if (looks >= 0 || cancel == nullptr || !cancel->cancelled()) continue;
    child.Ask();
    looks = kLastLooks;
  }
  const Ending ending = child.End();
  if (ending.signal == 0 || looks >= 0) return written;
  throw Error(ErrorKind::kIo, "cannot use what '" + program.string() + "' printed: signal " +
                                  std::to_string(ending.signal) + " ended it");
}

}  // namespace crossfold
