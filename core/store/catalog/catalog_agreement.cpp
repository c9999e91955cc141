#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "crossfold/error.h"
#include "crossfold/store_catalog.h"
#include "crossfold/store_diff.h"
#include "crossfold_plugin/error.hpp"
#include "store/catalog/catalog_file.h"
#include "store/catalog/store_entry.h"
#include "store/ledger/cell_diff.h"
#include "store/ledger/store_reader.h"

namespace crossfold {
namespace {

// The cells of one learner on the rows of one repeat in one store.
struct AskedSeries {
  std::int64_t store = 0, series = 0;
  std::string key, dataset, learner, settings, crossfold;
  std::int64_t repeat = 0, seed = 0;
  bool inner = false;
  std::map<std::int64_t, std::string> results;  // by fold
};

struct StoreName {
  std::string path, who;
};

// Two stores, opened when cells of them differ in the catalog.
class OpenPair {
 public:
  OpenPair(const std::string& a, const std::string& b)
      : place_a_(a), place_b_(b), a_(place_a_.path()), b_(place_b_.path()), cells_(a_, b_) {}

  CellDiff& cells() { return cells_; }
  // Whether the series have these keys. In a store that was made again they may be others.
  bool HasKeys(const AskedSeries& a, const AskedSeries& b) {
    return HexOfKey(a_.Series(a.series).key) == a.key && HexOfKey(b_.Series(b.series).key) == b.key;
  }

 private:
  StorePlace place_a_, place_b_;
  StoreReader a_, b_;
  CellDiff cells_;
};

// A row of the table.
struct Agreement {
  std::int64_t cells = 0, same_inputs = 0, equal = 0, different = 0, unknown = 0;
  std::string reason, finding;  // of the first that is not equal
};

class Comparer {
 public:
  Comparer(Database& db, const CancelToken* cancel) : db_(db), cancel_(cancel) {
    Statement row(db_, "SELECT id, path, who FROM stores");
    while (row.Step()) stores_[row.Number(0)] = {row.Text(1), row.Text(2)};
  }

  Table Run(bool inner) {
    ReadSharedSeries(inner);
    for (auto& [question, series] : asked_) CompareAll(series);
    return MakeTable();
  }

 private:
  // By dataset, learner, settings, inner, first store, second store.
  using Key = std::tuple<std::string, std::string, std::string, bool, std::int64_t, std::int64_t>;

  void ReadSharedSeries(bool inner) {
    Statement row(
        db_,
        std::string("SELECT store, series, key, coalesce(s.dataset, ''), coalesce(learner, ''), "
                    "settings, repeat, s.seed, inner, coalesce(crossfold, ''), question "
                    "FROM series s LEFT JOIN runs USING (store, run) WHERE question IN "
                    "(SELECT question FROM series GROUP BY question HAVING min(store) < "
                    "max(store)) ") +
            (inner ? "" : "AND inner = 0 ") + "ORDER BY store, series");
    // A cell that was stopped has no result.
    Statement cells(db_,
                    "SELECT fold, result FROM cells WHERE store = ?1 AND series = ?2 AND "
                    "status <> 'stopped'");
    while (row.Step()) {
      AskedSeries one;
      one.store = row.Number(0);
      one.series = row.Number(1);
      one.key = row.Text(2);
      one.dataset = row.Text(3);
      one.learner = row.Text(4);
      one.settings = row.Text(5);
      one.repeat = row.Number(6);
      one.seed = row.Number(7);
      one.inner = row.Number(8) != 0;
      one.crossfold = row.Text(9);
      const ResetAtEnd reset(cells);
      cells.Bind(1, one.store).Bind(2, one.series);
      while (cells.Step()) one.results[cells.Number(0)] = cells.Text(1);
      asked_[row.Text(10)].push_back(std::move(one));
    }
  }

  // Compares each cell with that of the first store that has it: what was compared is left out of
  // the later store's series.
  void CompareAll(std::vector<AskedSeries>& series) {
    std::map<std::int64_t, std::vector<AskedSeries*>> by_store;
    for (AskedSeries& one : series) by_store[one.store].push_back(&one);
    for (auto& [store, others] : by_store) {
      for (auto& [earlier, firsts] : by_store) {
        if (earlier == store || !HaveCells(others)) break;
        ComparePairs(firsts, others);
      }
    }
  }

  // Whether cells are left that no earlier store has.
  static bool HaveCells(const std::vector<AskedSeries*>& series) {
    return std::ranges::any_of(series,
                               [](const AskedSeries* one) { return !one->results.empty(); });
  }

  // Those with equal inputs first, then those with equal seeds, then the rest.
  void ComparePairs(const std::vector<AskedSeries*>& firsts,
                    const std::vector<AskedSeries*>& others) {
    for (int least = 2; least >= 0; --least) {
      for (const AskedSeries* a : firsts) {
        for (AskedSeries* b : others) {
          if (Likeness(*a, *b) >= least) Compare(*a, *b);
        }
      }
    }
  }

  static int Likeness(const AskedSeries& a, const AskedSeries& b) {
    return a.key == b.key ? 2 : a.seed == b.seed ? 1 : 0;
  }

  void Compare(const AskedSeries& a, AskedSeries& b) {
    Agreement& found = found_[Key(a.dataset, a.learner, a.settings, a.inner, a.store, b.store)];
    for (const auto& [fold, result] : a.results) {
      const auto other = b.results.find(fold);
      if (other == b.results.end()) continue;
      StopIfCancelled(cancel_);
      ++found.cells;
      if (a.key == b.key) ++found.same_inputs;
      if (result == other->second) {
        ++found.equal;
      } else {
        Explain(a, b, fold, found);
      }
      b.results.erase(other);
    }
  }

  // The stores say whether and why two cells differ: the catalog only has hashes, which also differ
  // if one store has more metrics.
  void Explain(const AskedSeries& a, const AskedSeries& b, std::int64_t fold, Agreement& found) {
    const std::string place =
        "repeat " + std::to_string(a.repeat) + ", fold " + std::to_string(fold) + ": ";
    try {
      OpenPair& pair = PairOf(a.store, b.store);
      const std::string changed = place + "a store has changed; add it again";
      if (!pair.HasKeys(a, b)) return Count(found.unknown, "changed", changed, found);
      const std::string versions =
          a.crossfold == b.crossfold ? "" : a.crossfold + " and " + b.crossfold;
      const CellDifference difference =
          pair.cells().Of({a.series, fold - 1}, {b.series, fold - 1}, versions);
      if (!difference.is_in_a || !difference.is_in_b) {
        return Count(found.unknown, "changed", changed, found);
      }
      if (!difference.reason) {
        ++found.equal;
        return;
      }
      Count(found.different, NameOf(*difference.reason), place + difference.finding, found);
    } catch (const plugin::Error& e) {
      Count(found.unknown, "not readable", place + e.what(), found);
    } catch (const Error& e) {
      if (e.kind() == ErrorKind::kCancelled) throw;
      Count(found.unknown, "not readable", place + e.what(), found);
    }
  }

  static void Count(std::int64_t& n, const std::string& reason, const std::string& finding,
                    Agreement& found) {
    ++n;
    if (!found.reason.empty()) return;
    found.reason = reason;
    found.finding = finding;
  }

  // One pair is open at a time.
  OpenPair& PairOf(std::int64_t a, std::int64_t b) {
    const std::pair wanted(a, b);
    if (open_ == nullptr || open_stores_ != wanted) {
      open_ = std::make_unique<OpenPair>(stores_[a].path, stores_[b].path);
      open_stores_ = wanted;
    }
    return *open_;
  }

  Table MakeTable() {
    Table table;
    table.columns = {"dataset",     "learner",   "settings",     "inner",  "first",
                     "first_store", "second",    "second_store", "cells",  "same_inputs",
                     "equal",       "different", "unknown",      "reason", "finding"};
    for (const auto& [key, found] : found_) {
      if (found.cells == 0) continue;
      const auto& [dataset, learner, settings, inner, a, b] = key;
      const auto text = [](const std::string& value) {
        return value.empty() ? TableCell() : TableCell(value);
      };
      table.rows.push_back({dataset, learner, settings, inner, stores_[a].who, stores_[a].path,
                            stores_[b].who, stores_[b].path, found.cells, found.same_inputs,
                            found.equal, found.different, found.unknown, text(found.reason),
                            text(found.finding)});
    }
    return table;
  }

  Database& db_;
  const CancelToken* cancel_;
  std::map<std::int64_t, StoreName> stores_;
  std::map<std::string, std::vector<AskedSeries>> asked_;  // by question
  std::map<Key, Agreement> found_;
  std::unique_ptr<OpenPair> open_;
  std::pair<std::int64_t, std::int64_t> open_stores_;
};

}  // namespace

Table CompareStores(const std::filesystem::path& catalog, bool inner, const CancelToken* cancel) {
  return OnCatalog(catalog, [&] {
    const std::unique_ptr<Database> db = OpenCatalogToRead(catalog);
    return Comparer(*db, cancel).Run(inner);
  });
}

}  // namespace crossfold
