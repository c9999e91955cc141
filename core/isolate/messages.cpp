#include "isolate/messages.h"

#include <cstring>

namespace crossfold {
namespace {

constexpr std::size_t kLength = 8;

std::uint64_t LengthAt(std::string_view bytes) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLength);
  return length;
}

}  // namespace

void AppendFrame(MessageType type, std::string_view body, std::string& bytes) {
  const std::uint64_t length = body.size() + 1;
  bytes.append(reinterpret_cast<const char*>(&length), kLength);
  bytes.push_back(static_cast<char>(type));
  bytes.append(body);
}

void FrameBuffer::Append(std::string_view bytes) {
  if (at_ > 0) bytes_.erase(0, at_);
  at_ = 0;
  bytes_.append(bytes);
}

std::optional<Frame> FrameBuffer::Next() {
  const std::string_view rest = std::string_view(bytes_).substr(at_);
  if (rest.size() < kLength) return std::nullopt;
  const std::uint64_t length = LengthAt(rest);
  if (length < 1 || length > most_bytes_) FieldReader::Fail();
  if (rest.size() - kLength < length) return std::nullopt;
  const std::string_view content = rest.substr(kLength, static_cast<std::size_t>(length));
  at_ += kLength + content.size();
  return Frame{static_cast<MessageType>(content.front()), content.substr(1)};
}

void WriteSettings(const WorkerSettings& settings, FieldWriter& fields) {
  fields.Number(settings.share);
  fields.Number(settings.verify);
  fields.Number(settings.locked);
  fields.Number(settings.shared_memory);
  fields.Number(settings.limits.seconds);
  fields.Number(settings.limits.cpu_seconds);
  fields.Number(settings.limits.memory);
  fields.Text(settings.locale);
  fields.Raw({reinterpret_cast<const char*>(&settings.floating_point), sizeof(fenv_t)});
}

WorkerSettings ReadSettings(FieldReader& fields) {
  WorkerSettings settings;
  settings.share = fields.Number<bool>();
  settings.verify = fields.Number<bool>();
  settings.locked = fields.Number<bool>();
  settings.shared_memory = fields.Number<std::uint64_t>();
  settings.limits.seconds = fields.Number<double>();
  settings.limits.cpu_seconds = fields.Number<double>();
  settings.limits.memory = fields.Number<std::uint64_t>();
  settings.locale = fields.Text();
  std::memcpy(&settings.floating_point, fields.Raw(sizeof(fenv_t)).data(), sizeof(fenv_t));
  return settings;
}

void WriteItem(const std::vector<ItemBlock>& blocks, FieldWriter& fields) {
  fields.Length(blocks.size());
  for (const ItemBlock& block : blocks) {
    fields.Number(block.learner);
    fields.Number(block.splits);
    fields.Number(block.metrics);
    fields.Number(block.first);
    fields.Number(block.count);
    fields.Number(block.seed);
    fields.Number(block.keep);
  }
}

std::vector<ItemBlock> ReadItem(FieldReader& fields) {
  return fields.List([&fields] {
    ItemBlock block;
    block.learner = fields.Number<std::uint64_t>();
    block.splits = fields.Number<std::uint64_t>();
    block.metrics = fields.Number<std::uint64_t>();
    block.first = fields.Number<std::int64_t>();
    block.count = fields.Number<std::int64_t>();
    block.seed = fields.Number<std::uint64_t>();
    block.keep = fields.Number<std::uint8_t>();
    return block;
  });
}

}  // namespace crossfold
