#include "text_chunks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "../reading/part_threads.h"

namespace crossfold::reading {
namespace {

// The counts of a block before it is known whether it begins between quotes.
struct BlockCounts {
  std::int64_t quotes = 0, nuls = 0;
  bool is_ascii = true;
  std::array<std::int64_t, 2> lines = {0, 0};  // line feeds after an even, an odd number of quotes
};

// 16 bytes that are compared and added at once (a vector type of GCC and Clang).
using Lanes = std::uint8_t __attribute__((vector_size(16)));

constexpr Lanes AllLanes(char c) { return Lanes{} + static_cast<std::uint8_t>(c); }

std::int64_t Sum(Lanes lanes) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < sizeof lanes; ++i) sum += lanes[i];
  return sum;
}

// Counts three characters in one pass.
struct PlainCounts {
  std::int64_t quotes = 0, nuls = 0, lines = 0;
  bool is_ascii = true;

  void Add(std::string_view text, char quote_sign) {
    constexpr std::size_t kMostRounds = 255;  // what a byte can count
    const Lanes quote_lanes = AllLanes(quote_sign);
    while (text.size() >= sizeof(Lanes)) {
      Lanes quote{}, nul{}, line{}, all{};
      const std::size_t rounds = std::min(text.size() / sizeof(Lanes), kMostRounds);
      for (std::size_t round = 0; round < rounds; ++round) {
        Lanes bytes;
        std::memcpy(&bytes, text.data() + round * sizeof bytes, sizeof bytes);
        // True is -1 in each lane.
        quote -= reinterpret_cast<Lanes>(bytes == quote_lanes);
        nul -= reinterpret_cast<Lanes>(bytes == AllLanes('\0'));
        line -= reinterpret_cast<Lanes>(bytes == AllLanes('\n'));
        all |= bytes;
      }
      quotes += Sum(quote);
      nuls += Sum(nul);
      lines += Sum(line);
      is_ascii = is_ascii && Sum(all & AllLanes('\x80')) == 0;
      text.remove_prefix(rounds * sizeof(Lanes));
    }
    for (const char c : text) {
      quotes += c == quote_sign ? 1 : 0;
      nuls += c == '\0' ? 1 : 0;
      lines += c == '\n' ? 1 : 0;
      is_ascii = is_ascii && static_cast<unsigned char>(c) < 0x80;
    }
  }
};

BlockCounts CountBlock(std::string_view block, char quote_sign) {
  PlainCounts plain;
  plain.Add(block, quote_sign);
  BlockCounts counts{.quotes = plain.quotes,
                     .nuls = plain.nuls,
                     .is_ascii = plain.is_ascii,
                     .lines = {plain.lines, 0}};
  if (quote_sign == RecordEnds::kNoQuotes) counts.quotes = 0;
  if (counts.quotes == 0) return counts;
  counts.lines = {0, 0};
  std::size_t parity = 0;
  while (!block.empty()) {
    const std::size_t quote = std::min(block.find(quote_sign), block.size());
    counts.lines[parity] += std::count(block.begin(), block.begin() + quote, '\n');
    block.remove_prefix(std::min(quote + 1, block.size()));
    parity ^= 1;
  }
  return counts;
}

}  // namespace

RecordEnds::RecordEnds(std::string_view text, char quote, const ChunkedReading& reading)
    : text_(text), quote_(quote), block_bytes_(reading.chunk_bytes) {
  assert(block_bytes_ > 0);
  const std::size_t n_blocks = (text.size() + block_bytes_ - 1) / block_bytes_;
  std::vector<BlockCounts> counts(n_blocks);
  ForEachPart(reading.threads, n_blocks, [&](std::size_t i) {
    if (reading.check) reading.check();
    counts[i] = CountBlock(text.substr(i * block_bytes_, block_bytes_), quote);
  });
  bool in_quotes = false;
  for (std::size_t i = 0; i < n_blocks; ++i) {
    blocks_.push_back({n_ends_, in_quotes});
    n_ends_ += counts[i].lines[in_quotes ? 1 : 0];
    in_quotes ^= counts[i].quotes % 2 != 0;
    is_ascii_ = is_ascii_ && counts[i].is_ascii;
    if (counts[i].nuls > 0 && !first_nul_) first_nul_ = text.find('\0', i * block_bytes_);
  }
}

std::optional<std::size_t> RecordEnds::FirstLongRecord(std::size_t most_bytes) const {
  std::size_t begin = 0;  // of the current blocks, in which no record ends
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::int64_t after = i + 1 < blocks_.size() ? blocks_[i + 1].records_before : n_ends_;
    if (after > blocks_[i].records_before) begin = i + 1;
    const std::size_t end = std::min((i + 1) * block_bytes_, text_.size());
    if (end > begin * block_bytes_ + most_bytes) return begin * block_bytes_;
  }
  return std::nullopt;
}

bool RecordEnds::EndsRecord(char c, bool* in_quotes) const {
  if (c == quote_ && quote_ != kNoQuotes) *in_quotes = !*in_quotes;
  return c == '\n' && !*in_quotes;
}

std::int64_t RecordEnds::RecordsBefore(std::size_t position) const {
  if (position >= text_.size()) return n_ends_;
  const std::size_t block = position / block_bytes_;
  std::int64_t count = blocks_[block].records_before;
  bool in_quotes = blocks_[block].in_quotes;
  for (std::size_t i = block * block_bytes_; i < position; ++i) {
    count += EndsRecord(text_[i], &in_quotes) ? 1 : 0;
  }
  return count;
}

// After the first end of a record in the block or later.
std::size_t RecordEnds::FirstRecordFrom(std::size_t block) const {
  bool in_quotes = blocks_[block].in_quotes;
  for (std::size_t i = block * block_bytes_; i < text_.size(); ++i) {
    if (EndsRecord(text_[i], &in_quotes)) return i + 1;
  }
  return text_.size();
}

std::vector<TextChunk> RecordEnds::ChunksFrom(std::size_t first, std::size_t least_bytes) const {
  std::vector<TextChunk> chunks;
  if (first >= text_.size()) return chunks;
  const char* const end = text_.data() + text_.size();
  const std::int64_t rows_before = RecordsBefore(first);
  chunks.push_back({text_.data() + first, end, 0});
  std::size_t begin = first;
  for (std::size_t block = first / block_bytes_ + 1; block < blocks_.size(); ++block) {
    if (block * block_bytes_ < begin + least_bytes) continue;
    begin = FirstRecordFrom(block);
    if (begin == text_.size()) break;
    chunks.back().end = text_.data() + begin;
    // One record ends between the begin of the block and the chunk.
    chunks.push_back({text_.data() + begin, end, blocks_[block].records_before + 1 - rows_before});
  }
  return chunks;
}

std::int64_t RecordEnds::MaxRecordsFrom(std::size_t first) const {
  return n_ends_ - RecordsBefore(first) + 1;
}

}  // namespace crossfold::reading
