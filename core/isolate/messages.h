// What a program and its worker processes say to each other over a socket: frames of length (8
// bytes, of what follows), type (1) and body, in packed fields (encoding/fields.h).
#pragma once

#include <fenv.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/isolation.h"
#include "encoding/fields.h"

namespace crossfold {

enum class MessageType : std::uint8_t {
  // To the worker. Definitions have a number (8), by which items name them, and a body.
  kSettings = 1,   // of a run
  kDataset,        // number, size (8); a file descriptor of its image comes along
  kForgetDataset,  // number
  kSplits,         // number, dataset (8), splits (encoding/split_fields.h)
  kLearner,        // number, list of specs and of their files (encoding/spec_fields.h)
  kMetrics,        // number, list of specs and of their libraries
  kItem,           // cells to run
  kEndRun,         // forget splits, learners and metrics
  kCancelRun,      // between ranks (core/programs/mpi): give up the items that are not done
  kQuit,           // between ranks: the program is over
  kBroadcast,      // between ranks: type (1), size (8) of a body that comes to all at once
  // From the worker.
  kReady = 65,  // version (text); the first message
  kOutcome,     // place of the cell in the item (8), outcome (encoding/outcome_fields.h)
  kLog,         // level (4), line (text)
  kItemDone,    // seconds that it took (8); every cell had its outcome
  kItemBegun,   // data and plugins are there; sent if there is a limit of time
  kRefusal      // between ranks: number of an item (8), why its cells cannot run there (text)
};

struct Frame {
  MessageType type;
  std::string_view body;
};

// Appends a frame to `bytes`.
void AppendFrame(MessageType type, std::string_view body, std::string& bytes);

// Bytes that came, cut into frames.
class FrameBuffer {
 public:
  // The maximum length of a frame; a longer one is invalid.
  explicit FrameBuffer(std::uint64_t most_bytes) : most_bytes_(most_bytes) {}

  void Append(std::string_view bytes);
  // The next frame, whose body is valid until Append; nothing if it is not whole yet. Throws
  // plugin::Error for an impossible length.
  std::optional<Frame> Next();
  bool has_bytes() const { return at_ < bytes_.size(); }

 private:
  std::uint64_t most_bytes_;
  std::string bytes_;
  std::size_t at_ = 0;  // of the next frame
};

// What all cells of a run have in common.
struct WorkerSettings {
  bool share = true, verify = false;
  // Whether every plugin is to be loaded as under a PluginLock that has the ids and hashes of the
  // records, and from the copies that were hashed.
  bool locked = false;
  std::uint64_t shared_memory = 0;  // bytes
  CellLimits limits;
  std::string locale;  // as setlocale gives it
  fenv_t floating_point = {};
};

void WriteSettings(const WorkerSettings& settings, FieldWriter& fields);
WorkerSettings ReadSettings(FieldReader& fields);

// A block or a part of one, as it is sent to a worker process. Pointers mean nothing there: these
// are the numbers of the learner, splits and metrics that were sent before; 0 = no metrics.
struct ItemBlock {
  std::uint64_t learner = 0, splits = 0, metrics = 0;
  std::int64_t first = 0, count = 1;
  std::uint64_t seed = 0;
  std::uint8_t keep = 0;
};

void WriteItem(const std::vector<ItemBlock>& blocks, FieldWriter& fields);
std::vector<ItemBlock> ReadItem(FieldReader& fields);

}  // namespace crossfold
