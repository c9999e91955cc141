// The messages of an Arrow IPC file or stream, verified because the bytes may be anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ipc_tables.h"

namespace crossfold::reading {

// The first and the last bytes of the file format.
constexpr std::string_view kArrowMagic = "ARROW1";
// Whether these first bytes are those of the file format.
bool IsArrowFile(std::string_view head);
// Whether they may be those of the stream format, which has no magic bytes.
bool MayBeArrowStream(std::string_view head);

// A message whose tables have been verified: every offset in them leads into the message.
class IpcMessage {
 public:
  const ipc::Message& table() const { return *table_; }
  // In the file; as long as the table says.
  std::string_view body() const { return body_; }

 private:
  friend class IpcFile;
  std::vector<std::uint64_t> copy_;  // of the table, where it is not aligned in the file
  const ipc::Message* table_ = nullptr;
  std::string_view body_;
};

// The file format has a footer with the schema and the places of the messages: the dictionaries are
// given first. In the stream format the first message is the schema, and the others follow in
// order.
class IpcFile {
 public:
  // `bytes` outlive this and its messages. Throws Error.
  explicit IpcFile(std::string_view bytes);

  // Valid as long as this.
  const ipc::Schema& schema() const { return *schema_; }
  ipc::Version version() const { return version_; }

  // Reads the next message after the schema. Returns false if there are no more. Throws Error.
  bool Next(IpcMessage& message);

  // Whether a later dictionary may replace one of the same number.
  bool may_replace_dictionaries() const { return !has_footer_; }

 private:
  void ReadFooter();
  void ReadFirstMessage();
  void SetSchema(ipc::Version version, const ipc::Schema* schema);
  void AddBlocks(const flatbuffers::Vector<const ipc::Block*>* blocks, std::size_t end);
  // Reads the message at `begin`. Returns where its body ends; 0 = there is the mark of the end.
  std::size_t ReadMessage(std::size_t begin, IpcMessage& message) const;

  std::string_view bytes_;
  bool has_footer_;
  std::vector<std::uint64_t> footer_;  // a copy, where it is not aligned in the file
  IpcMessage first_;                   // of the stream format
  ipc::Version version_ = ipc::Version::V5;
  const ipc::Schema* schema_ = nullptr;
  std::vector<std::size_t> places_;  // of messages, in the order in which they are read
  std::size_t n_read_ = 0;
  std::size_t at_ = 0;  // of the stream format
};

}  // namespace crossfold::reading
