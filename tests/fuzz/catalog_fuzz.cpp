// Changes to the pages of a catalog that has one store (changed_pages.h). If bytes are left over,
// the checksums are made again, as someone who forges a catalog would do.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "crossfold/store_catalog.h"
#include "fuzz/changed_pages.h"
#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "store/catalog/catalog_schema.h"
#include "store/cells/sqlite.h"
#include "temporary_folder.h"

namespace {

std::string MakeCatalog(const std::filesystem::path& store) {
  const std::filesystem::path file = store.parent_path() / "whole.catalog";
  crossfold::CatalogScore score;
  score.dataset = "iris";
  score.learner = "knn";
  score.metric = "accuracy";
  score.score = 0.9;
  crossfold::AddToCatalog(file, store, {"ann", {score}, {}});
  return crossfold::fuzz::BytesOf(file);
}

void ResealCatalog(const std::filesystem::path& catalog) {
  try {
    crossfold::Database db(catalog, crossfold::Database::Access::kWrite);
    db.Execute(("UPDATE stores SET checksum = " + crossfold::CatalogChecksum()).c_str());
  } catch (const crossfold::Error&) {  // its pages are damaged
  }
}

}  // namespace

int crossfold::fuzz::FeedCatalog(const std::uint8_t* bytes, std::size_t size) {
  static const crossfold::test::TemporaryFolder folder;
  static const std::filesystem::path store = ExtractStore(folder.path());
  static const std::string whole = MakeCatalog(store);
  const auto path = folder.Write("team.catalog", ChangedPages(whole, bytes, size));
  if (size % 8 != 0) ResealCatalog(path);
  Attempted([&] { crossfold::BestScores(path, {}); });
  Attempted([&] { crossfold::CompareStores(path, true); });
  Attempted([&] { crossfold::AddToCatalog(path, store, {}); });
  return 0;
}
