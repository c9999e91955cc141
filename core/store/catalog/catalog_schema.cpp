#include "store/catalog/catalog_schema.h"

namespace crossfold {

std::string CatalogChecksum() {
  std::string sum = "(row_checksum('stores', id, path, who, added, modified, bytes, damaged)";
  for (const StoredTable* table : kCatalogTables) {
    const std::string name = table->name;
    sum += " + (SELECT coalesce(sum(" + ChecksumOf(*table) + "), 0) FROM " + name + " WHERE " +
           name + ".store = stores.id)";
  }
  return sum + ")";
}

}  // namespace crossfold
