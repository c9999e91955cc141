// Any bytes as what comes through the socket of a worker process: whole, and in pieces of some
// bytes, there are the same frames; and the bodies of settings, items and outcomes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "encoding/outcome_fields.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "isolate/messages.h"

namespace {

using crossfold::FieldReader;
using crossfold::FieldWriter;
using crossfold::MessageType;
using crossfold::fuzz::Demand;

constexpr std::uint64_t kMostBytes = 1 << 16;

// The frames as bytes, and "nonsense" where a length cannot be.
std::string FramesOf(std::string_view bytes, std::size_t piece) {
  std::string frames;
  crossfold::FrameBuffer buffer(kMostBytes);
  try {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
      buffer.Append(bytes.substr(0, piece));
      while (const auto frame = buffer.Next()) {
        crossfold::AppendFrame(frame->type, frame->body, frames);
      }
    }
  } catch (const crossfold::plugin::Error&) {
    frames += "nonsense";
  }
  return frames;
}

void ReadBody(std::string_view body) {
  try {
    FieldReader fields(body);
    FieldWriter writer;
    crossfold::WriteItem(crossfold::ReadItem(fields), writer);
    Demand(writer.bytes() == body.substr(0, body.size() - fields.rest().size()),
           "items are written as they were read");
  } catch (const crossfold::plugin::Error&) {
  }
  try {
    FieldReader fields(body);
    FieldWriter writer;
    crossfold::WriteSettings(crossfold::ReadSettings(fields), writer);
    Demand(writer.bytes() == body.substr(0, body.size() - fields.rest().size()),
           "settings are written as they were read");
  } catch (const crossfold::plugin::Error&) {
  }
}

}  // namespace

int crossfold::fuzz::FeedWorkerMessages(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::string whole = FramesOf(text, kMostBytes * 2);
  Demand(whole == FramesOf(text, 7), "frames do not depend on the pieces that came");
  ReadBody(text);
  return 0;
}
