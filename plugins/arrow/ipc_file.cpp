#include "ipc_file.h"

#include <cstring>
#include <limits>
#include <string>

#include "../reading/refusal.h"

namespace crossfold::reading {
namespace {

constexpr std::size_t kFirstMessage = 8;                        // after the magic, padded
constexpr std::size_t kFooterEnd = 4 + kArrowMagic.size();      // its size and the magic again
constexpr std::uint32_t kContinued = 0xFFFFFFFF;                // before the size of a message
constexpr std::int32_t kMostDepth = 64, kMostTables = 1 << 22;  // of the fields of a schema

std::uint32_t NumberAt(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

[[noreturn]] void RefuseDamage(const std::string& finding) {
  RefuseContent("the file is damaged: " + finding + "; write it again");
}

// Returns the table of type T in `bytes`, which are copied if they are not aligned. Null = it is
// invalid.
template <class T>
const T* VerifiedTable(std::string_view bytes, std::vector<std::uint64_t>& copy) {
  if (bytes.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return nullptr;
  }
  const void* begin = bytes.data();
  if (reinterpret_cast<std::uintptr_t>(begin) % sizeof(std::uint64_t) != 0) {
    copy.resize(bytes.size() / sizeof(std::uint64_t) + 1);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    begin = copy.data();
  }
  flatbuffers::Verifier verifier(static_cast<const std::uint8_t*>(begin), bytes.size(), kMostDepth,
                                 kMostTables);
  return verifier.VerifyBuffer<T>(nullptr) ? flatbuffers::GetRoot<T>(begin) : nullptr;
}

}  // namespace

bool IsArrowFile(std::string_view head) { return head.starts_with(kArrowMagic); }

bool MayBeArrowStream(std::string_view head) {
  if (head.size() < 16 || NumberAt(head, 0) != kContinued) return false;
  const std::uint32_t size = NumberAt(head, 4), root = NumberAt(head, 8);
  return size % 8 == 0 && size >= 16 && size <= std::numeric_limits<std::int32_t>::max() &&
         root >= 4 && root < size;
}

IpcFile::IpcFile(std::string_view bytes) : bytes_(bytes), has_footer_(IsArrowFile(bytes)) {
  if (bytes.starts_with("FEA1")) {
    RefuseContent("it is a Feather file of version 1; write it as version 2 (Arrow IPC)");
  }
  if (has_footer_) {
    ReadFooter();
  } else {
    ReadFirstMessage();
  }
}

void IpcFile::SetSchema(ipc::Version version, const ipc::Schema* schema) {
  if (version != ipc::Version::V4 && version != ipc::Version::V5) {
    RefuseContent(
        "it has a version of the Arrow IPC format that is not supported; write it with version 4 "
        "or 5");
  }
  if (schema == nullptr) RefuseContent("it is not an Arrow IPC file: it has no schema");
  version_ = version;
  schema_ = schema;
}

void IpcFile::ReadFirstMessage() {
  if (bytes_.size() < 8) {
    RefuseContent("it is not an Arrow IPC file: it has " + std::to_string(bytes_.size()) +
                  " bytes");
  }
  at_ = ReadMessage(0, first_);
  if (at_ == 0) RefuseContent("it is not an Arrow IPC file: it has no schema");
  SetSchema(first_.table().version(), first_.table().header_as_Schema());
}

void IpcFile::ReadFooter() {
  const bool is_whole =
      bytes_.size() >= kFirstMessage + kFooterEnd && bytes_.ends_with(kArrowMagic);
  if (!is_whole) {
    RefuseContent("it is cut off: the end of an Arrow IPC file is missing; write it again");
  }
  const std::size_t end = bytes_.size() - kFooterEnd;
  const std::size_t size = NumberAt(bytes_, end);
  if (size > end - kFirstMessage) RefuseDamage("its footer has an impossible size");
  const auto* footer = VerifiedTable<ipc::Footer>(bytes_.substr(end - size, size), footer_);
  if (footer == nullptr) RefuseDamage("its footer is invalid");
  SetSchema(footer->version(), footer->schema());
  AddBlocks(footer->dictionaries(), end - size);
  AddBlocks(footer->batches(), end - size);
  bytes_ = bytes_.substr(0, end - size);
}

void IpcFile::AddBlocks(const flatbuffers::Vector<const ipc::Block*>* blocks, std::size_t end) {
  if (blocks == nullptr) return;
  for (std::size_t i = 0; i < blocks->size(); ++i) {
    const std::int64_t offset = EntryOf<ipc::Block>(*blocks, i).offset();
    if (offset < static_cast<std::int64_t>(kFirstMessage) ||
        offset > static_cast<std::int64_t>(end)) {
      RefuseDamage("its footer points outside the file");
    }
    places_.push_back(static_cast<std::size_t>(offset));
  }
}

bool IpcFile::Next(IpcMessage& message) {
  if (has_footer_) {
    if (n_read_ == places_.size()) return false;
    if (ReadMessage(places_[n_read_], message) == 0) {
      RefuseDamage("its footer points to a place without a message");
    }
    ++n_read_;
    return true;
  }
  if (at_ == bytes_.size()) return false;
  const std::size_t end = ReadMessage(at_, message);
  at_ = end == 0 ? bytes_.size() : end;
  return end != 0;
}

std::size_t IpcFile::ReadMessage(std::size_t begin, IpcMessage& message) const {
  const std::size_t end = bytes_.size();
  const auto require = [](bool is_there) {
    if (!is_there) RefuseContent("it is cut off inside a message; write it again");
  };
  require(end - begin >= 4);
  std::uint32_t size = NumberAt(bytes_, begin);
  std::size_t at = begin + 4;
  if (size == kContinued) {  // files of Arrow before 0.15 lack it
    require(end - at >= 4);
    size = NumberAt(bytes_, at);
    at += 4;
  }
  if (size == 0) return 0;
  if (begin == 0 && size > end - at) {
    RefuseContent("it is not an Arrow IPC file, or cut off in its schema");
  }
  require(size <= end - at);
  message.table_ = VerifiedTable<ipc::Message>(bytes_.substr(at, size), message.copy_);
  if (message.table_ == nullptr) {
    if (begin == 0) RefuseContent("it is not an Arrow IPC file");
    RefuseDamage("a message is invalid");
  }
  at += size;
  const std::int64_t body = message.table_->body_size();
  require(body >= 0 && static_cast<std::uint64_t>(body) <= end - at);
  message.body_ = bytes_.substr(at, static_cast<std::size_t>(body));
  return at + static_cast<std::size_t>(body);
}

}  // namespace crossfold::reading
