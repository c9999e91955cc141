#include "store/cells/wanted_rows.h"

#include "store/cells/stored_table.h"

namespace crossfold {

WantedRows::WantedRows(Database& db)
    : find_(db, "SELECT count, " + IsWhole(kWantedTable) +
                    " FROM wanted WHERE run = ?1 AND series = ?2 AND inner = ?3 AND learner = ?4 "
                    "AND dataset = ?5 AND first = ?6"),
      put_(db, InsertInto(kWantedTable, "INSERT OR REPLACE")) {}

void WantedRows::Put(std::int64_t run, const WantedRange& range) {
  for (Statement* statement : {&find_, &put_}) {
    statement->Bind(1, run).Bind(2, range.series).Bind(3, std::int64_t{range.inner});
    statement->BindText(4, range.learner).BindText(5, range.dataset).Bind(6, range.first);
  }
  const ResetAtEnd reset(find_);
  const bool is_there = find_.Step() && find_.Number(1) != 0;
  if (!is_there || find_.Number(0) < range.count) put_.Bind(7, range.count).Run();
}

}  // namespace crossfold
