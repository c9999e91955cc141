// A text of records cut into chunks that can be read at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace crossfold::reading {

// How a text is read. Nothing here changes the result.
struct ChunkedReading {
  int threads = 1;
  std::size_t chunk_bytes = 1 << 20;      // about; at least 1
  std::size_t bytes_per_column = 4096;    // chunks of wide text are larger: parts cost memory too
  std::function<void()> check = nullptr;  // called before each chunk; may throw
};

struct TextChunk {
  const char* begin = nullptr;
  const char* end = nullptr;   // after the line feed of its last record, or the end of the text
  std::int64_t first_row = 0;  // records before it
};

// Where the records of a text end: at every line feed, but not between quotes. A quoted field holds
// an even number of quotes, as those inside are doubled, so a line feed ends a record exactly if
// the number of quotes before it is even. In a text that breaks the rules of quotes this holds up
// to the first break.
class RecordEnds {
 public:
  static constexpr char kNoQuotes = '\0';

  // Counts quotes and line feeds of blocks, at the same time.
  RecordEnds(std::string_view text, char quote, const ChunkedReading& reading);

  std::optional<std::size_t> first_nul() const { return first_nul_; }
  // A place in the first record longer than about `most_bytes` (to within two blocks).
  std::optional<std::size_t> FirstLongRecord(std::size_t most_bytes) const;
  // Whether every byte is below 0x80.
  bool is_ascii() const { return is_ascii_; }
  // Chunks of everything after `first`, which must be the start of a record; none is empty, and all
  // but the last have at least `least_bytes`.
  std::vector<TextChunk> ChunksFrom(std::size_t first, std::size_t least_bytes = 0) const;
  // At least the number of records from `first` on, and at most one more.
  std::int64_t MaxRecordsFrom(std::size_t first) const;

 private:
  struct Block {
    std::int64_t records_before = 0;
    bool in_quotes = false;  // where it begins
  };
  bool EndsRecord(char c, bool* in_quotes) const;
  std::int64_t RecordsBefore(std::size_t position) const;
  std::size_t FirstRecordFrom(std::size_t block) const;

  std::string_view text_;
  char quote_;
  std::size_t block_bytes_;
  std::vector<Block> blocks_;
  std::int64_t n_ends_ = 0;
  std::optional<std::size_t> first_nul_;
  bool is_ascii_ = true;
};

}  // namespace crossfold::reading
