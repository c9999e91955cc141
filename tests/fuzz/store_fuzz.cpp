// Changes to the file of a store, that of corpus/archive/run. Each takes 8 bytes: what (1; even = a
// copy of another page, odd = other bytes), the page (1), the other page or the place in the page
// (2), the bytes (4).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "archive/zip_file.h"
#include "crossfold/store_ledger.h"
#include "crossfold/store_status.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "temporary_folder.h"

namespace {

constexpr std::size_t kStorePage = 4096;

std::string ReadStore(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "whole.cfdb";
  crossfold::ExtractZipEntry(std::filesystem::path(CROSSFOLD_FUZZ_SCRIPTS) / "corpus/archive/run",
                             "store.cfdb", file);
  std::ifstream whole(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(whole), std::istreambuf_iterator<char>()};
}

void ChangeStore(const std::uint8_t* change, std::string& store) {
  const std::size_t n_pages = store.size() / kStorePage;
  char* page = store.data() + change[1] % n_pages * kStorePage;
  const std::size_t other = change[2] | change[3] << 8;
  if (change[0] % 2 == 0) {
    std::memcpy(page, std::string(store, other % n_pages * kStorePage, kStorePage).data(),
                kStorePage);
  } else {
    std::memcpy(page + other % (kStorePage - 3), change + 4, 4);
  }
}

template <class F>
void TryStore(const F& read) {
  try {
    read();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
  }
}

}  // namespace

int crossfold::fuzz::FeedStore(const std::uint8_t* bytes, std::size_t size) {
  static const crossfold::test::TemporaryFolder folder;
  static const std::string whole = ReadStore(folder.path());
  std::string store = whole;
  for (std::size_t at = 0; at + 8 <= std::min<std::size_t>(size, 800); at += 8) {
    ChangeStore(bytes + at, store);
  }
  const auto path = folder.Write("store.cfdb", store);
  TryStore([&] { crossfold::ReadStoreStatus(path, {}); });
  TryStore([&] {
    std::size_t n = 0;
    crossfold::Ledger(path).Visit(
        1, crossfold::LedgerPart::kAll, [&](const crossfold::LedgerEntry&) {
          crossfold::fuzz::Demand(++n < whole.size(), "a cell takes bytes");
        });
  });
  return 0;
}
