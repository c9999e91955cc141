#include "analysis/facts/data_notes.h"

#include <cstddef>
#include <utility>

#include "analysis/facts/column_facts.h"
#include "analysis/facts/level_findings.h"
#include "crossfold_plugin/host.h"

namespace crossfold {
namespace {

constexpr std::size_t kMaxNotes = 20;  // on columns; a file may have thousands of a kind

}  // namespace

std::shared_ptr<const Dataset> WithDataNotes(std::shared_ptr<const Dataset> data,
                                             std::vector<std::string> known,
                                             const std::function<bool(const Column&)>& is_asked,
                                             const LogSink& log) {
  std::vector<std::string> notes = std::move(known);
  std::size_t n_more = 0;
  const auto add = [&](std::string&& note) {
    if (notes.size() < kMaxNotes)
      notes.push_back(std::move(note));
    else
      ++n_more;
  };
  for (const Column& column : data->columns()) {
    if (column.dtype != CF_CAT32 || column.ordered || is_asked(column)) continue;
    const ColumnContent content = CountLevels({data, nullptr}, column, {});
    if (!content.is_feature() && content.facts.role != "target") continue;
    for (DataFinding& finding : FindNumbersAsText(content)) {
      add(std::move(finding.message));
    }
  }
  if (n_more > 0) {
    notes.push_back("there are " + std::to_string(n_more) +
                    " more such notes on columns; describe the data to see them");
  }
  if (notes.empty()) return data;
  for (const std::string& note : notes) {
    if (log) log(CF_LOG_WARN, "data '" + data->name() + "': " + note);
  }
  return Dataset::WithNotes(*data, std::move(notes));
}

}  // namespace crossfold
