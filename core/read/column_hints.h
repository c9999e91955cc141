// The hints of a request about columns, as sources get them.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold/read_data.h"
#include "crossfold_plugin/source.h"

namespace crossfold {

class ColumnHints {
 public:
  explicit ColumnHints(const ReadRequest& request);
  ColumnHints(const ColumnHints&) = delete;
  ColumnHints& operator=(const ColumnHints&) = delete;

  // Returns null if there is no hint for the column.
  const cf_column_hint* Find(std::string_view column) const;
  // Types of the columns that are requested with a type.
  std::set<std::string, std::less<>> unused() const;
  std::span<const cf_column_hint* const> pointers() const { return pointers_; }

 private:
  cf_column_hint& HintOf(const std::string& column);
  void WantLevels(cf_column_hint& hint, const std::vector<std::string>& levels);
  void AddTypes(const ReadRequest& request);
  void AddRoles(const ReadRequest& request);

  std::map<std::string, cf_column_hint, std::less<>> hints_;
  std::vector<const cf_column_hint*> pointers_;
  std::deque<std::string> texts_;
  std::deque<std::vector<const char*>> levels_;
};

}  // namespace crossfold
