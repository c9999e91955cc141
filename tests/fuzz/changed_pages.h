// Stores and catalogs with changes to the pages of their files.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "archive/zip_file.h"

namespace crossfold::fuzz {

inline std::string BytesOf(const std::filesystem::path& file) {
  std::ifstream whole(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(whole), std::istreambuf_iterator<char>()};
}

// The store of corpus/archive/run, as a file of the folder.
inline std::filesystem::path ExtractStore(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "whole.cfdb";
  ExtractZipEntry(std::filesystem::path(CROSSFOLD_FUZZ_SCRIPTS) / "corpus/archive/run",
                  "store.cfdb", file);
  return file;
}

// The file with at most 100 changes. Each takes 8 bytes: what (1; even = a copy of another page,
// odd = other bytes), the page (1), the other page or the place in the page (2), the bytes (4).
inline std::string ChangedPages(std::string file, const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kPage = 4096;
  const std::size_t n_pages = file.size() / kPage;
  for (std::size_t at = 0; at + 8 <= std::min<std::size_t>(size, 800); at += 8) {
    const std::uint8_t* change = bytes + at;
    char* page = file.data() + change[1] % n_pages * kPage;
    const std::size_t other = change[2] | change[3] << 8;
    if (change[0] % 2 == 0) {
      std::memcpy(page, std::string(file, other % n_pages * kPage, kPage).data(), kPage);
    } else {
      std::memcpy(page + other % (kPage - 3), change + 4, 4);
    }
  }
  return file;
}

}  // namespace crossfold::fuzz
