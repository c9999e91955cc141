// Messages between ranks: frames (isolate/messages.h) from rank 0 to each other rank and back.
// Waiting ranks yield the processor, so that they take no time from cells.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isolate/messages.h"

namespace crossfold::mpi {

struct RankFrame {
  int from;
  Frame frame;  // its body is valid until the next call of Receive
};

// The channel of MPI_COMM_WORLD. Must be used only by the thread that called MPI_Init_thread.
class RankChannel {
 public:
  RankChannel();
  ~RankChannel() = default;
  RankChannel(const RankChannel&) = delete;
  RankChannel& operator=(const RankChannel&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  // Sends whole frames; returns at once.
  void Send(int to, std::string frames);
  // The next frame that has come; nothing = there is none.
  std::optional<RankFrame> Receive();
  // The last call, made by all ranks at the same time: waits until everything that was sent has
  // arrived, and drops it.
  void Leave();
  // Sends from rank 0 to all others, which call it at the same point of the messages.
  void Broadcast(char* bytes, std::size_t size);

  std::uint64_t sent() const { return sent_; }          // bytes
  std::uint64_t received() const { return received_; }  // bytes

 private:
  struct Outgoing {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  bool ReceiveMessage();

  int rank_ = 0, size_ = 1;
  std::list<Outgoing> out_;
  std::map<int, FrameBuffer> in_;  // by rank
  int last_from_ = -1;             // whose message came last
  std::uint64_t sent_ = 0, received_ = 0;
};

// The cores of this rank: those that it is bound to, or its share of the machine's, of which rank 0
// takes none. All ranks call it at the same time.
int CountOwnCores();

// Waits a little, and longer each time until something happens.
class Patience {
 public:
  explicit Patience(std::chrono::microseconds most) : most_(most) {}
  void Wait();
  void Reset() { n_ = 0; }

 private:
  const std::chrono::microseconds most_;
  int n_ = 0;
};

}  // namespace crossfold::mpi
