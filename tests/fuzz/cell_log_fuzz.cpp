// Any bytes as a finished cell of a store's log, and its notes and prediction as an outcome. What
// is read is written back to the very bytes that it was read from.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/law.h"
#include "fuzz/targets.h"
#include "store/cells/cell_row.h"

int crossfold::fuzz::FeedCellLog(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(bytes), size);
  crossfold::FieldReader reader(body);
  crossfold::FieldWriter writer;
  crossfold::FinishedCell cell;
  try {
    cell = crossfold::ReadFinishedCell(reader);
  } catch (const crossfold::plugin::Error&) {
    return 0;
  }
  crossfold::WriteFinishedCell(cell, writer);
  crossfold::fuzz::Demand(writer.bytes() == body.substr(0, body.size() - reader.rest().size()),
                          "cells are written as they were read");
  if (!cell.row) return 0;
  try {
    crossfold::ToOutcome(*cell.row);
  } catch (const crossfold::plugin::Error&) {
  }
  return 0;
}
