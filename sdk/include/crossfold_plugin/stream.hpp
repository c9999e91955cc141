// Streams of bytes for models: little-endian, the same on every machine, and safe to read from
// anywhere.
//
//   void Save(cf::Writer& w) const { w.Write(k_); w.WriteSpan<double>(weights_); }
//   static L Load(cf::Reader& r) {
//     L model;
//     model.k_ = r.Read<std::int64_t>();
//     model.weights_ = r.ReadVector<double>();
//     return model;
//   }
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "crossfold_plugin/capability.h"
#include "crossfold_plugin/error.hpp"

namespace crossfold::plugin {

// Types that are stored in as many bytes as they have. `bool` takes one byte, 0 or 1.
template <class T>
concept Storable = std::same_as<T, double> || std::same_as<T, float> || std::same_as<T, bool> ||
    (std::integral<T> && !std::same_as<T, wchar_t>);

namespace internal {

// FNV-1a with 64 bits. It finds damaged bytes, not forged ones.
class Checksum {
 public:
  void Add(std::span<const unsigned char> bytes) {
    for (const unsigned char b : bytes) value_ = (value_ ^ b) * 0x100000001B3u;
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xCBF29CE484222325u;
};

// The unsigned integer of the same width, so that shifts give the byte order.
template <Storable T>
auto ToBits(T value) {
  if constexpr (std::same_as<T, double>) {
    return std::bit_cast<std::uint64_t>(value);
  } else if constexpr (std::same_as<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else if constexpr (std::same_as<T, bool>) {
    return static_cast<std::uint8_t>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

}  // namespace internal

// Every function throws Error if the host does not take the bytes.
class Writer {
 public:
  explicit Writer(const cf_writer& writer) : writer_(&writer) {}

  template <Storable T>
  void Write(T value) {
    auto bits = internal::ToBits(value);
    std::array<unsigned char, sizeof(bits)> bytes;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<unsigned char>(static_cast<std::uint64_t>(bits) >> (8 * i));
    }
    WriteBytes(bytes);
  }
  // Writes the length, then the entries.
  template <Storable T>
  void WriteSpan(std::span<const T> values) {
    Write(static_cast<std::uint64_t>(values.size()));
    for (const T value : values) Write(value);
  }
  void WriteText(std::string_view text) {
    Write(static_cast<std::uint64_t>(text.size()));
    WriteBytes({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  }

  // Writes only the characters, without their number.
  void WriteRaw(std::string_view text) {
    WriteBytes({reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  }

  // Returns the checksum of everything written so far.
  std::uint64_t checksum() const { return checksum_.value(); }

 private:
  void WriteBytes(std::span<const unsigned char> bytes) {
    checksum_.Add(bytes);
    while (!bytes.empty()) {
      const std::int64_t taken = writer_->write(writer_->stream, bytes.data(), bytes.size());
      if (taken <= 0 || static_cast<std::uint64_t>(taken) > bytes.size()) {
        throw Error(CF_E_INTERNAL, "the host did not take the bytes of the model");
      }
      bytes = bytes.subspan(static_cast<std::size_t>(taken));
    }
  }

  const cf_writer* writer_;
  internal::Checksum checksum_;
};

// Every function throws Error(CF_E_BAD_BLOB) if the bytes end too early or cannot have the
// requested type. Memory grows with the bytes that are there, never with a length that they claim.
class Reader {
 public:
  explicit Reader(const cf_reader& reader) : reader_(&reader) {}

  template <Storable T>
  T Read() {
    using Bits = decltype(internal::ToBits(T{}));
    std::array<unsigned char, sizeof(Bits)> bytes;
    ReadBytes(bytes);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) bits |= std::uint64_t{bytes[i]} << (8 * i);
    if constexpr (std::same_as<T, bool>) {
      if (bits > 1) throw Error(CF_E_BAD_BLOB, "a flag of the saved model is neither 0 nor 1");
      return bits == 1;
    } else if constexpr (std::floating_point<T>) {
      return std::bit_cast<T>(static_cast<Bits>(bits));
    } else {
      return static_cast<T>(static_cast<Bits>(bits));
    }
  }
  template <Storable T>
  std::vector<T> ReadVector() {
    const auto n = Read<std::uint64_t>();
    std::vector<T> values;
    for (std::uint64_t i = 0; i < n; ++i) values.push_back(Read<T>());
    return values;
  }
  std::string ReadText() {
    const auto n = Read<std::uint64_t>();
    std::string text;
    for (std::uint64_t i = 0; i < n; ++i) text.push_back(Read<char>());
    return text;
  }
  // Reads a value that has a range, such as an index or an enum. Throws Error(CF_E_BAD_BLOB)
  // outside low .. high.
  template <Storable T>
  T ReadWithin(T low, T high) {
    const T value = Read<T>();
    if (!(value >= low && value <= high)) {
      throw Error(CF_E_BAD_BLOB, "a number of the saved model is out of range");
    }
    return value;
  }

  // The kFormatVersion that wrote these bytes: at most the reading plugin's own.
  std::uint32_t version() const { return version_; }
  void set_version(std::uint32_t version) { version_ = version; }
  // Returns the checksum of everything read so far.
  std::uint64_t checksum() const { return checksum_.value(); }

 private:
  void ReadBytes(std::span<unsigned char> bytes) {
    std::span<unsigned char> rest = bytes;
    while (!rest.empty()) {
      const std::int64_t given = reader_->read(reader_->stream, rest.data(), rest.size());
      if (given == 0) throw Error(CF_E_BAD_BLOB, "the saved model ends too early");
      if (given < 0 || static_cast<std::uint64_t>(given) > rest.size()) {
        throw Error(CF_E_BAD_BLOB, "the host could not read the saved model");
      }
      rest = rest.subspan(static_cast<std::size_t>(given));
    }
    checksum_.Add(bytes);
  }

  const cf_reader* reader_;
  std::uint32_t version_ = 0;
  internal::Checksum checksum_;
};

}  // namespace crossfold::plugin
