// Changes to the file of a catalog that has the store of corpus/archive/run. Each takes 8 bytes:
// what (1; even = a copy of another page, odd = other bytes), the page (1), the other page or the
// place in the page (2), the bytes (4). If more bytes follow, the checksums are made again, as
// someone who forges a catalog would do.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "archive/zip_file.h"
#include "crossfold/store_catalog.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "store/catalog/catalog_schema.h"
#include "store/cells/sqlite.h"
#include "temporary_folder.h"

namespace {

constexpr std::size_t kCatalogPage = 4096;

std::string BytesOf(const std::filesystem::path& file) {
  std::ifstream whole(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(whole), std::istreambuf_iterator<char>()};
}

std::filesystem::path ExtractStore(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "whole.cfdb";
  crossfold::ExtractZipEntry(std::filesystem::path(CROSSFOLD_FUZZ_SCRIPTS) / "corpus/archive/run",
                             "store.cfdb", file);
  return file;
}

std::string MakeCatalog(const std::filesystem::path& store) {
  const std::filesystem::path file = store.parent_path() / "whole.catalog";
  crossfold::CatalogScore score;
  score.dataset = "iris";
  score.learner = "knn";
  score.metric = "accuracy";
  score.score = 0.9;
  crossfold::AddToCatalog(file, store, {"ann", {score}, {}});
  return BytesOf(file);
}

void ChangeCatalog(const std::uint8_t* change, std::string& catalog) {
  const std::size_t n_pages = catalog.size() / kCatalogPage;
  char* page = catalog.data() + change[1] % n_pages * kCatalogPage;
  const std::size_t other = change[2] | change[3] << 8;
  if (change[0] % 2 == 0) {
    std::memcpy(page, std::string(catalog, other % n_pages * kCatalogPage, kCatalogPage).data(),
                kCatalogPage);
  } else {
    std::memcpy(page + other % (kCatalogPage - 3), change + 4, 4);
  }
}

void ResealCatalog(const std::filesystem::path& catalog) {
  try {
    crossfold::Database db(catalog, crossfold::Database::Access::kWrite);
    db.Execute(("UPDATE stores SET checksum = " + crossfold::CatalogChecksum()).c_str());
  } catch (const crossfold::Error&) {  // its pages are damaged
  }
}

template <class F>
void TryCatalog(const F& use) {
  try {
    use();
  } catch (const crossfold::Error& error) {
    crossfold::fuzz::DemandMessage(error);
  }
}

}  // namespace

int crossfold::fuzz::FeedCatalog(const std::uint8_t* bytes, std::size_t size) {
  static const crossfold::test::TemporaryFolder folder;
  static const std::filesystem::path store = ExtractStore(folder.path());
  static const std::string whole = MakeCatalog(store);
  std::string catalog = whole;
  for (std::size_t at = 0; at + 8 <= std::min<std::size_t>(size, 800); at += 8) {
    ChangeCatalog(bytes + at, catalog);
  }
  const auto path = folder.Write("team.catalog", catalog);
  if (size % 8 != 0) ResealCatalog(path);
  TryCatalog([&] { crossfold::BestScores(path, {}); });
  TryCatalog([&] { crossfold::CompareStores(path, true); });
  TryCatalog([&] { crossfold::AddToCatalog(path, store, {}); });
  return 0;
}
