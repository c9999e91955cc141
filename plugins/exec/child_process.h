// A running program of a learner, and the channel to it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "descriptor.h"
#include "launcher.h"

namespace crossfold::exec {

// Not thread-safe. Every function but the constructor throws plugin::Error if the process has ended
// (CF_E_INTERNAL, or CF_E_IO if the machine or someone else has ended it) or sends
// something that is not a frame (CF_E_INTERNAL); the message says how it ended and has the end of
// what it wrote. Afterwards IsAlive() is false.
class ChildProcess {
 public:
  // Is called some times per second while this process waits. Returns true if the request is to be
  // cancelled: the process gets SIGINT, and is killed if it does not answer within 2 seconds.
  using Watch = std::function<bool()>;

  // Starts `arguments` in `folder`. An argument 0 without a slash is looked up in the PATH.
  // `variables` ("NAME=value") replace those of the environment. Throws as Launcher::Start does.
  ChildProcess(Launcher& launcher, const std::string& folder,
               const std::vector<std::string>& arguments,
               const std::vector<std::string>& variables);
  // Kills the process and its process group.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Whether the process runs.
  bool IsAlive() const;
  // Whether the watch has cancelled the last request. The answer may be older than that.
  bool is_cancelled() const { return is_cancelled_; }

  // Sends a frame, its length and `text`, and then the bytes of `blob`.
  void Send(std::string_view text, std::string_view blob, const Watch& watch);
  // Waits for a frame and returns its text.
  std::string Receive(const Watch& watch);
  // Waits for bytes that follow a frame.
  std::string ReceiveBytes(std::size_t n, const Watch& watch);
  // Ends the process and its group, if it has not ended before. Returns how it ended.
  std::string Kill();
  // Kills the process, and throws: `what` and what the process wrote.
  [[noreturn]] void Reject(const std::string& what);

 private:
  using Clock = std::chrono::steady_clock;

  void FollowMemoryLimit();
  void Wait(short events, const Watch& watch);
  void CheckCancel(const Watch& watch);
  void ReadText();
  void SendSome(std::string_view& bytes);
  [[noreturn]] void ThrowEnded();
  std::string WithText(std::string what) const;

  pid_t pid_ = -1;
  Descriptor to_, from_, text_;
  Descriptor process_;    // readable when the process has ended
  std::string received_;  // of from_, not used yet
  std::string written_;   // the end of what it wrote to its standard output and error
  Clock::time_point next_watch_ = Clock::now();
  bool has_ended_ = false;   // or has closed its end of the channel
  bool is_limited_ = false;  // in its memory
  bool was_ended_from_outside_ = false;
  bool is_cancelled_ = false;       // SIGINT was sent
  Clock::time_point kill_at_ = {};  // if is_cancelled_
};

}  // namespace crossfold::exec
