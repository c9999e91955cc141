// A dataset has named columns of equal length and knows which of them is the target, a weight or a
// group. It is immutable once made, so any number of threads may read it.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crossfold_plugin/data.h"

namespace crossfold {

// One column. The buffers belong to `owner`, so a host can lend its own memory without a copy.
struct Column {
  std::string name;
  std::int32_t dtype = CF_F64;  // CF_F64 ... CF_CAT32
  std::int64_t n_rows = 0;
  const void* data = nullptr;              // n_rows elements; bool is one byte, 0 or 1
  const std::uint8_t* validity = nullptr;  // Arrow bitmap or null = all present
  std::int64_t validity_offset = 0;
  std::vector<std::string> levels;  // CF_CAT32: level names; codes -1 or 0 .. size-1
  bool ordered = false;
  std::shared_ptr<const void> owner;  // keeps data and validity alive

  // Make columns that own their memory. NaN and code -1 are missing values; `present` (empty = all)
  // holds one bool per row.
  static Column Doubles(std::string name, std::vector<double> values);
  static Column Floats(std::string name, std::vector<float> values);
  static Column Integers(std::string name, std::vector<std::int64_t> values,
                         const std::vector<bool>& present = {});
  static Column Integers32(std::string name, std::vector<std::int32_t> values,
                           const std::vector<bool>& present = {});
  static Column Booleans(std::string name, const std::vector<bool>& values,
                         const std::vector<bool>& present = {});
  static Column Categories(std::string name, std::vector<std::int32_t> codes,
                           std::vector<std::string> levels);

  // Returns a copy with these rows. A row of -1 gets 0, false or the first level, which is not
  // missing.
  Column Selected(std::span<const std::int64_t> rows) const;

  bool is_missing(std::int64_t row) const;
  std::int64_t CountMissing() const;
};

// The declaration of a column, without its entries.
struct ColumnDeclaration {
  std::string name = {};
  std::int32_t dtype = CF_F64;           // CF_F64 ... CF_CAT32
  bool ordered = false;                  // the levels have an order
  std::vector<std::string> levels = {};  // CF_CAT32
};

// Names of columns with a role, and of the positive class; empty = none. A column with a role is
// not a feature.
struct Roles {
  std::string target = {};   // categorical or bool: classification; numeric: regression
  std::string weights = {};  // numeric, finite, >= 0
  std::string groups = {};   // rows of one group stay together; any type but float
  std::string time = {};     // numeric
  std::string folds = {};    // predefined fold numbers: integers >= 0, or -1 = never tested
  std::string strata = {};   // spread evenly by splitters that stratify; any type but float
  std::vector<std::string> coordinates = {};  // of places, for spatial splitters; numeric, finite
  // Maps each class to a column (numeric, finite) of what it costs to predict that class in a row.
  // It has all classes or none.
  std::map<std::string, std::string> row_costs = {};
  // The class of the target that metrics, thresholds and curves of one class are of; "" = not said.
  // Learners and splitters never see it.
  std::string positive = {};
};

// The cost of predicting a class when another one is true. Rows are true classes, columns are
// predicted classes, in class order.
struct CostMatrix {
  std::int64_t n_rows = 0, n_columns = 0;
  std::vector<double> costs;  // row-major
};

struct RoleColumn;

enum class Task { kNone, kClassification, kRegression };

class Dataset {
 public:
  // Throws Error(kBadData) if columns differ in length, share a name or have a level out of range;
  // if a role names a column that does not exist or has the wrong type; or if a target, weight,
  // group, time or fold is missing somewhere. Before that, it leaves out rows without an entry in a
  // column of `drop_missing`, which lists names of columns or of roles ("target").
  static std::shared_ptr<const Dataset> Create(std::string name, std::vector<Column> columns,
                                               const Roles& roles,
                                               std::span<const std::string> drop_missing = {});
  // Makes a dataset of other columns and roles, with the name and the cost matrix of `data`. Throws
  // as Create does.
  static std::shared_ptr<const Dataset> Rebuild(const Dataset& data, std::vector<Column> columns,
                                                const Roles& roles);
  // Makes a dataset of the same columns with other roles. The cost matrix stays unless the target
  // changes.
  static std::shared_ptr<const Dataset> WithRoles(const Dataset& data, const Roles& roles);
  // Makes a dataset of the same data in which these costs of wrong predictions replace the old
  // ones. Throws Error if the matrix is not classes x classes, if an entry is not finite, or if the
  // target is not categorical.
  static std::shared_ptr<const Dataset> WithCosts(const Dataset& data, const CostMatrix& costs);
  // Makes a dataset of the same data that says where its rows come from. Datasets that are made of
  // it say so, too.
  static std::shared_ptr<const Dataset> WithOrigin(const Dataset& data, std::string origin);
  // Makes a dataset of the same data with these notes. Datasets that are made of it have them, too.
  static std::shared_ptr<const Dataset> WithNotes(const Dataset& data,
                                                  std::vector<std::string> notes);
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;
  ~Dataset();

  const std::string& name() const { return name_; }
  std::int64_t num_rows() const { return n_rows_; }
  // Number of rows that `drop_missing` left out. It is not part of the content.
  std::int64_t num_dropped_rows() const { return past_.n_dropped; }
  // Where its rows come from, for a host: the id of the lockbox that they were left out of; "" =
  // not known. It is not part of the content, and a file does not keep it.
  const std::string& origin() const { return past_.origin; }
  // What a reader of scores should know of the data, as sentences: what was changed or guessed when
  // they were read. They are not part of the content, and a file does not keep them.
  const std::vector<std::string>& notes() const { return past_.notes; }
  const Roles& roles() const { return roles_; }
  // All columns, including those with roles, in the order given.
  std::span<const Column> columns() const { return columns_; }
  // Throws Error with the known columns and the nearest one.
  const Column& column(std::string_view name) const;
  // Null = there is no such column.
  const Column* FindColumn(std::string_view name) const;

  // The features as plugins see them, in the order given. They are valid as long as the dataset.
  std::span<const cf_column> features() const { return features_; }
  std::int64_t num_features() const { return static_cast<std::int64_t>(features_.size()); }

  Task task() const { return task_; }
  // The target as plugins see it, CF_CAT32 (classification) or CF_F64 (regression); null if there
  // is none.
  const cf_column* target() const { return task_ == Task::kNone ? nullptr : &target_; }
  // In classification, the class index of each row, and the class names in their fixed order (as
  // declared; false before true).
  std::span<const std::int32_t> labels() const { return labels_; }
  std::span<const std::string> class_names() const { return class_names_; }
  std::span<const char* const> class_name_pointers() const { return class_name_pointers_; }
  std::int64_t num_classes() const { return static_cast<std::int64_t>(class_names_.size()); }
  // In regression, the target of each row.
  std::span<const double> values() const { return values_; }

  // These have one entry per row, or are empty if there is no such role.
  std::span<const double> weights() const { return weights_; }
  std::span<const std::int64_t> groups() const { return groups_; }
  std::span<const double> time() const { return time_; }
  // The times of time() as whole ticks, without rounding; empty if time() is exact.
  std::span<const std::int64_t> time_exact() const { return time_exact_; }
  double seconds_per_tick() const { return seconds_per_tick_; }  // NaN = not known
  std::span<const std::int64_t> folds() const { return folds_; }
  std::span<const std::int64_t> strata() const { return strata_; }

  // The cost matrix, classes x classes (rows by truth), and the row costs, rows x classes; empty =
  // none. Only classification has them.
  std::span<const double> costs() const { return costs_; }
  std::span<const double> row_costs() const { return row_costs_; }

  // SHA-256 (hex) over names, types, levels, roles and entries. All missing entries hash alike; the
  // dataset's own name, the origin of its buffers and the positive class do not matter: what was
  // fitted on one of two data that differ in these is what would be fitted on the other. It is
  // computed at the first call.
  const std::string& content_hash() const;
  // The same with the positive class: of data with the same hash, all scores are the same, too.
  std::string hash_with_positive() const;

 private:
  // What is known of the data beside their content.
  struct Past {
    std::int64_t n_dropped = 0;
    std::string origin = {};
    std::vector<std::string> notes = {};
  };
  Dataset() = default;
  static std::shared_ptr<const Dataset> Make(std::string name, std::vector<Column> columns,
                                             const Roles& roles, std::vector<double> costs,
                                             Past past);
  void AssignRoles();
  void AssignTarget(const Column& column);
  void CheckPositive() const;
  void AssignTime(const RoleColumn& role);
  void AssignFeatures();
  void AssignRowCosts();

  std::string name_;
  Past past_;
  std::int64_t n_rows_ = 0;
  Roles roles_;
  std::vector<Column> columns_;
  std::vector<std::vector<const char*>> level_pointers_;  // what cf_column.levels point to
  std::vector<cf_column> features_;
  Task task_ = Task::kNone;
  cf_column target_{};
  // Columns that have the requested type are used in place, because worker processes map them
  // read-only; others are converted here.
  std::span<const std::int32_t> labels_;
  std::span<const double> values_, weights_;
  std::vector<std::int32_t> made_labels_;
  std::vector<double> made_values_, made_weights_;
  std::vector<std::string> class_names_;
  std::vector<const char*> class_name_pointers_;
  std::vector<std::int64_t> groups_;
  std::vector<double> time_;
  std::vector<std::int64_t> time_exact_;
  double seconds_per_tick_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::int64_t> folds_, strata_;
  std::vector<double> costs_, row_costs_;
  mutable std::once_flag content_hash_made_;
  mutable std::string content_hash_;
};

// Some rows of a dataset, in some order; rows may repeat. A view is cheap to copy.
struct DataView {
  std::shared_ptr<const Dataset> data;
  std::shared_ptr<const std::vector<std::int64_t>> rows;  // 0-based row ids; null = all rows

  std::int64_t num_rows() const {
    return rows ? static_cast<std::int64_t>(rows->size()) : data->num_rows();
  }
  std::int64_t row_id(std::int64_t i) const {
    return rows ? (*rows)[static_cast<std::size_t>(i)] : i;
  }
  // Returns the hash of the dataset; for some of its rows, a hash over it and their ids.
  std::string content_hash() const;
};

}  // namespace crossfold
