#include "programs/mpi/rank_channel.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace crossfold::mpi {
namespace {

constexpr std::uint64_t kMaxFrame = std::uint64_t{1} << 36;
// MPI counts in int.
constexpr std::size_t kMaxMessage = std::size_t{1} << 28;

}  // namespace

RankChannel::RankChannel() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

void RankChannel::Send(int to, std::string frames) {
  for (std::size_t at = 0; at < frames.size(); at += kMaxMessage) {
    Outgoing& message = out_.emplace_back();
    message.bytes =
        frames.size() <= kMaxMessage ? std::move(frames) : frames.substr(at, kMaxMessage);
    sent_ += message.bytes.size();
    MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to, 0,
              MPI_COMM_WORLD, &message.request);
    if (frames.empty()) return;  // it was moved
  }
}

std::optional<RankFrame> RankChannel::Receive() {
  do {  // all frames of a message before the next message
    const auto buffer = in_.find(last_from_);
    if (buffer == in_.end()) continue;
    if (const auto frame = buffer->second.Next()) return RankFrame{last_from_, *frame};
  } while (ReceiveMessage());
  std::erase_if(out_, [](Outgoing& message) {
    int is_done = 0;
    MPI_Test(&message.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
  return std::nullopt;
}

bool RankChannel::ReceiveMessage() {
  int is_there = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status{};
  MPI_Improbe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &is_there, &message, &status);
  if (is_there == 0) return false;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Mrecv(bytes.data(), size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  received_ += bytes.size();
  last_from_ = status.MPI_SOURCE;
  in_.try_emplace(status.MPI_SOURCE, kMaxFrame).first->second.Append(bytes);
  return true;
}

void RankChannel::Leave() {
  constexpr std::chrono::microseconds kLongestWait(1000);
  Patience patience(kLongestWait);
  MPI_Request everyone = MPI_REQUEST_NULL;
  for (int is_over = 0; is_over == 0; patience.Wait()) {
    while (Receive()) {  // a rank whose message is not received would wait for ever
    }
    if (everyone != MPI_REQUEST_NULL) {
      MPI_Test(&everyone, &is_over, MPI_STATUS_IGNORE);
    } else if (out_.empty()) {
      MPI_Ibarrier(MPI_COMM_WORLD, &everyone);
    }
  }
}

void RankChannel::Broadcast(char* bytes, std::size_t size) {
  for (std::size_t at = 0; at < size; at += kMaxMessage) {
    const auto n = static_cast<int>(std::min(kMaxMessage, size - at));
    MPI_Bcast(bytes + at, n, MPI_BYTE, 0, MPI_COMM_WORLD);
  }
}

int CountOwnCores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  const int bound = ::sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
  const auto all = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  MPI_Comm here = MPI_COMM_NULL;
  int rank = 0, busy = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  const int is_busy = rank == 0 ? 0 : 1;
  MPI_Allreduce(&is_busy, &busy, 1, MPI_INT, MPI_SUM, here);
  MPI_Comm_free(&here);
  return std::max(bound < all ? bound : all / std::max(busy, 1), 1);
}

void Patience::Wait() {
  constexpr int kYields = 20;
  if (++n_ <= kYields) return std::this_thread::yield();
  const std::chrono::microseconds longer(10 << std::min(n_ - kYields, 10));
  std::this_thread::sleep_for(std::min(longer, most_));
}

}  // namespace crossfold::mpi
