#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "analysis/facts/column_facts.h"
#include "analysis/facts/content_keys.h"
#include "analysis/facts/equal_rows.h"
#include "analysis/facts/level_findings.h"
#include "analysis/facts/part_threads.h"
#include "crossfold/data_report.h"
#include "crossfold/error.h"
#include "engine/text/format_number.h"
#include "engine/text/shown_text.h"

namespace crossfold {
namespace {

std::string Count(std::int64_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string Extreme(double value, const std::optional<std::int64_t>& whole) {
  return whole ? std::to_string(*whole) : FormatShortest(value);
}

// Names of columns, shortened if there are many.
std::string Names(const std::vector<const ColumnContent*>& columns) {
  constexpr std::size_t kMaxShown = 8;
  const std::size_t shown = columns.size() <= kMaxShown + 1 ? columns.size() : kMaxShown;
  std::string names;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == columns.size();
    names += (i == 0 ? "" : last ? " and " : ", ") + Quoted(columns[i]->facts.name);
  }
  if (shown < columns.size()) {
    names += " and " + std::to_string(columns.size() - shown) + " more";
  }
  return names;
}

std::vector<std::string> NameList(const std::vector<const ColumnContent*>& columns) {
  std::vector<std::string> names;
  for (const ColumnContent* column : columns) names.push_back(column->facts.name);
  return names;
}

constexpr std::int64_t kFewestForIds = 10;  // rows

// All entries differ, in a column where that means that they name the row.
bool IsIdLike(const ColumnContent& column) {
  const ColumnFacts& facts = column.facts;
  if (facts.n_distinct != column.n_present || column.n_present < kFewestForIds) return false;
  const bool is_real = facts.type == "f64" || facts.type == "f32";
  return !is_real || IsNamedId(facts.name);
}

class DataDescription {
 public:
  DataDescription(const DataView& view, const DataReportOptions& options)
      : view_(view), options_(options) {}

  DataReport Run() {
    const Dataset& data = *view_.data;
    report_.name = data.name();
    report_.n_rows = view_.num_rows();
    report_.n_features = data.num_features();
    report_.n_dropped_rows = data.num_dropped_rows();
    report_.task = data.task() == Task::kClassification ? "classification"
                   : data.task() == Task::kRegression   ? "regression"
                                                        : "none";
    Examine();
    AddTargetRelations();
    FindLevels();
    AddNames();
    AddRows();
    AddClasses();
    AddColumns();
    AddEqualColumns();
    std::move(level_findings_.begin(), level_findings_.end(), std::back_inserter(report_.findings));
    AddNotes();
    std::stable_partition(report_.findings.begin(), report_.findings.end(),
                          [](const DataFinding& finding) { return finding.is_warning; });
    for (ColumnContent& column : columns_) report_.columns.push_back(std::move(column.facts));
    return std::move(report_);
  }

 private:
  using Columns = std::vector<const ColumnContent*>;

  void Add(const char* kind, bool is_warning, std::vector<std::string> columns,
           std::string message) {
    report_.findings.push_back({kind, is_warning, std::move(columns), std::move(message)});
  }

  std::string Share(std::int64_t n) const {
    return Percent(static_cast<double>(n) / static_cast<double>(report_.n_rows));
  }

  void Examine() {
    const auto columns = view_.data->columns();
    const std::string& target = view_.data->roles().target;
    if (!target.empty()) target_ = ContentKeys(view_, view_.data->column(target)).All();
    columns_.resize(columns.size());
    ForEachPart(options_.threads, columns.size(), [&](std::size_t i) {
      columns_[i] = ExamineColumn(view_, columns[i], target_, options_);
    });
  }

  void FindLevels() {
    for (const ColumnContent& column : columns_) {
      for (DataFinding& finding : FindInLevels(column)) {
        if (finding.kind == "numbers_as_text" || finding.kind == "dates_as_text") {
          are_quantities_.insert(column.facts.name);
        }
        level_findings_.push_back(std::move(finding));
      }
    }
  }

  template <class Wanted>
  Columns Where(Wanted is_wanted) const {
    Columns found;
    for (const ColumnContent& column : columns_) {
      if (is_wanted(column)) found.push_back(&column);
    }
    return found;
  }

  template <class Wanted>
  Columns FeaturesWhere(Wanted is_wanted) const {
    return Where([&](const ColumnContent& c) { return c.is_feature() && is_wanted(c); });
  }

  void AddTargetRelations() {
    const std::string target = Quoted(view_.data->roles().target);
    for (const ColumnContent& column : columns_) {
      const std::string name = Quoted(column.facts.name);
      if (column.relation == TargetRelation::kSame) {
        Add("target_copy", true, {column.facts.name},
            name + " is the target " + target +
                " under other names: each of its values corresponds to one value of the target, "
                "and vice "
                "versa; leave it out");
      } else if (column.relation == TargetRelation::kDetermines) {
        Add("target_known", true, {column.facts.name},
            name + " reveals the target " + target + ": each of its " +
                std::to_string(column.facts.n_distinct) +
                " values corresponds to one value of the target; is it known before the target is? "
                "Leave it out if not");
      }
    }
  }

  // Ids make every row different, so they are ignored here.
  void AddRows() {
    std::vector<ContentKeys> features;
    Columns ids;
    for (const ColumnContent& column : columns_) {
      if (!column.is_feature()) continue;
      if (IsIdLike(column)) {
        ids.push_back(&column);
      } else {
        features.emplace_back(view_, *column.column);
      }
    }
    const DuplicateRows equal = FindDuplicateRows(view_, features, target_, options_.threads);
    report_.n_duplicate_rows = equal.n_duplicates;
    const std::string but_for = ids.empty() ? "" : " (without " + Names(ids) + ")";
    if (equal.n_duplicates > 0) {
      Add("duplicate_rows", true, {},
          Count(equal.n_duplicates, "row equals", "rows equal") + " an earlier one" + but_for +
              ", " + Share(equal.n_duplicates) +
              " of all; if they are copies of one case, scores are too good where some train and "
              "some test: leave them out, or keep them together with groups");
    }
    if (report_.task != "classification") return;
    report_.n_contradicting_rows = equal.n_contradicting;
    if (equal.n_contradicting == 0) return;
    Add("contradicting_rows", true, {},
        std::to_string(equal.n_contradicting) + " rows, " + Share(equal.n_contradicting) +
            " of all, have the features of another row and another class" + but_for +
            "; no learner gets all of them right");
  }

  void AddClasses() {
    if (report_.task == "regression") AddNumericClasses();
    if (report_.task != "classification") return;
    const auto target = std::find_if(columns_.begin(), columns_.end(), [](const ColumnContent& c) {
      return c.facts.role == "target";
    });
    const auto names = view_.data->class_names();
    for (std::size_t i = 0; i < names.size(); ++i) {
      report_.classes.push_back({names[i], target->level_counts[i]});
    }
    const std::string& name = target->facts.name;
    if (target->facts.n_distinct == 1) {
      Add("one_class", true, {name},
          "all rows have the class " + Quoted(target->facts.most_frequent[0].value) +
              "; there is nothing to learn");
      return;
    }
    AddRareClasses(name);
    const ValueCount& most = target->facts.most_frequent[0];
    if (10 * most.count >= 9 * report_.n_rows) {
      Add("imbalance", true, {name},
          "the class " + Quoted(most.value) + " has " + Share(most.count) +
              " of the rows, which is the accuracy of always predicting it; use metrics that "
              "account for "
              "that, such as balanced_accuracy, mcc or the area under the precision-recall curve");
    }
  }

  void AddRareClasses(const std::string& target) {
    std::vector<std::string> rare;
    for (const ValueCount& c : report_.classes) {
      if (c.count >= options_.folds || c.count == 0) continue;
      rare.push_back(Quoted(c.value) + " (" + std::to_string(c.count) + ")");
    }
    if (rare.empty()) return;
    constexpr std::size_t kMaxShown = 5;
    std::string list;
    for (std::size_t i = 0; i < std::min(rare.size(), kMaxShown); ++i) {
      list += (i == 0 ? "" : ", ") + rare[i];
    }
    if (rare.size() > kMaxShown)
      list += " and " + std::to_string(rare.size() - kMaxShown) + " more";
    Add("rare_class", true, {target},
        Count(static_cast<std::int64_t>(rare.size()), "class has", "classes have") +
            " fewer rows than " + std::to_string(options_.folds) +
            " folds, so that some test folds have none of them: " + list +
            "; use fewer folds, or join classes");
  }

  void AddNumericClasses() {
    const ColumnContent* target = nullptr;
    for (const ColumnContent& c : columns_) {
      if (c.facts.role == "target") target = &c;
    }
    const bool whole = target->facts.type == "i64" || target->facts.type == "i32";
    if (!whole || target->facts.n_distinct > 20 || 5 * target->facts.n_distinct > report_.n_rows) {
      return;
    }
    Add("numeric_classes", true, {target->facts.name},
        "the target " + Quoted(target->facts.name) + " is a whole number with " +
            Count(target->facts.n_distinct, "value", "values") +
            ", so this is a regression; if they are classes, give it the type categorical");
  }

  void AddColumns() {
    AddIds();
    AddConstant();
    AddMissing();
    AddInfinite();
    AddRounded();
    AddPlaceholders();
    AddFewIntegers();
    AddCodes();
  }

  // One finding for all columns of a kind.
  void AddGroup(const char* kind, bool is_warning, const Columns& columns, const std::string& one,
                const std::string& many) {
    if (columns.empty()) return;
    Add(kind, is_warning, NameList(columns),
        Names(columns) + " " + (columns.size() == 1 ? one : many));
  }

  void AddIds() {
    AddGroup("id", true, FeaturesWhere([&](const ColumnContent& c) {
               return IsIdLike(c) && !are_quantities_.contains(c.facts.name);
             }),
             "has a different value in every row, like an id; leave it out (type ignore), or a "
             "learner may memorize the rows",
             "have a different value in every row, like ids; leave them out (type ignore), or a "
             "learner may memorize the rows");
  }

  void AddConstant() {
    AddGroup("empty", true, FeaturesWhere([](const ColumnContent& c) { return c.n_present == 0; }),
             "has no entries; leave it out", "have no entries; leave them out");
    const auto is_constant = [](const ColumnContent& c) { return c.facts.n_distinct == 1; };
    AddGroup("constant", true, FeaturesWhere([&](const ColumnContent& c) {
               return is_constant(c) && c.facts.n_missing == 0;
             }),
             "has the same value in every row; leave it out",
             "have the same value in every row; leave them out");
    AddGroup(
        "constant", true, FeaturesWhere([&](const ColumnContent& c) {
          return is_constant(c) && c.facts.n_missing > 0;
        }),
        "has one value where it has any; only whether an entry is missing can be informative",
        "have one value where they have any; only whether an entry is missing can be informative");
    AddGroup("nearly_constant", false, FeaturesWhere([&](const ColumnContent& c) {
               return c.facts.n_distinct > 1 && 100 * c.most_frequent_count >= 99 * report_.n_rows;
             }),
             "has the same value in 99% of the rows or more",
             "have the same value in 99% of the rows or more");
  }

  void AddMissing() {
    AddGroup("many_missing", true, FeaturesWhere([&](const ColumnContent& c) {
               return c.n_present > 0 && 2 * c.facts.n_missing >= report_.n_rows;
             }),
             "is missing in half of the rows or more; is there another word for it, or should it "
             "be left out?",
             "are missing in half of the rows or more; is there another word for it, or should "
             "they be left out?");
  }

  void AddInfinite() {
    for (const ColumnContent& column : columns_) {
      if (column.n_infinite == 0) continue;
      Add("infinite", true, {column.facts.name},
          Quoted(column.facts.name) + " is infinite in " + Count(column.n_infinite, "row", "rows") +
              "; most learners refuse that");
    }
    for (const ColumnContent& column : columns_) {
      if (!column.is_feature() || column.n_far == 0 || column.facts.n_distinct <= 20) continue;
      Add("outliers", false, {column.facts.name},
          Quoted(column.facts.name) + " has " + Count(column.n_far, "value", "values") +
              " more than 10 interquartile ranges outside the quartiles (from " +
              Extreme(column.first, column.facts.whole_min) + " to " +
              Extreme(column.last, column.facts.whole_max) + ")");
    }
  }

  // Digits beyond 2^53 that a double does not have; more than 20 digits are quantities.
  void AddRounded() {
    constexpr double kExact = 9007199254740992.0, kLongest = 1e20;
    AddGroup("rounded", true, FeaturesWhere([&](const ColumnContent& c) {
               const double most = std::max(std::abs(c.first), std::abs(c.last));
               return c.facts.type == "f64" && c.all_whole && most > kExact && most < kLongest;
             }),
             "has whole numbers beyond 2^53, which f64 rounds; if they are ids or codes, give it "
             "the type categorical or ignore",
             "have whole numbers beyond 2^53, which f64 rounds; if they are ids or codes, give "
             "them the type categorical or ignore");
    AddGroup("rounded", true, FeaturesWhere([&](const ColumnContent& c) {
               const double most = std::max(std::abs(c.first), std::abs(c.last));
               return c.facts.whole_max && most > kExact && !IsIdLike(c);
             }),
             "has whole numbers beyond 2^53, which learners round as they compute with f64; if "
             "they are ids or codes, give it the type categorical or ignore",
             "have whole numbers beyond 2^53, which learners round as they compute with f64; if "
             "they are ids or codes, give them the type categorical or ignore");
  }

  // What was noted when the data came in, unless a finding says the same.
  void AddNotes() {
    for (const std::string& note : view_.data->notes()) {
      if (std::ranges::find(report_.findings, note, &DataFinding::message) ==
          report_.findings.end()) {
        Add("reading", true, {}, note);
      }
    }
  }

  // A first row that was taken for names.
  void AddNames() {
    std::vector<std::string> numbers;
    for (const ColumnContent& column : columns_) {
      const std::string& name = column.facts.name;
      if (ParseDouble(name)) numbers.push_back(name);
    }
    const ColumnContent& only = columns_[0];
    if (columns_.size() == 1 && !only.is_number() &&
        only.facts.name.find_first_of(" :,;|\t") != std::string::npos) {
      Add("one_column", true, {only.facts.name},
          "there is one column, " + Quoted(only.facts.name) +
              "; if it holds several, name what separates them, as in separator = \"space\"");
    }
    if (numbers.empty() || 2 * numbers.size() < columns_.size()) return;
    Add("header", true, numbers,
        "columns have numbers as names, such as " + Quoted(numbers[0]) +
            "; if the first line of the file is a row, read it with header = false");
  }

  // Numbers that are usual codes of missing values.
  void AddPlaceholders() {
    const auto is_placeholder = [](double value) {
      for (const double known : {-99.0, -999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0}) {
        if (value == known) return true;
      }
      return false;
    };
    for (const ColumnContent& column : columns_) {
      if (!column.is_feature() || !column.facts.min || column.n_far == 0) continue;
      for (const bool at_end : {false, true}) {
        const double value = at_end ? column.last : column.first;
        const std::int64_t n = at_end ? column.n_last : column.n_first;
        if (!is_placeholder(value) || n < 2) continue;
        Add("placeholder", true, {column.facts.name},
            Quoted(column.facts.name) + " is " + FormatShortest(value) + " in " +
                std::to_string(n) +
                " rows, far from all others; if that means that there is no value, name it in "
                "'missing'");
      }
    }
  }

  void AddFewIntegers() {
    AddGroup("few_integers", false, FeaturesWhere([&](const ColumnContent& c) {
               const bool whole = c.facts.type == "i64" || c.facts.type == "i32";
               return whole && c.facts.n_distinct > 2 && c.facts.n_distinct <= 10 &&
                      20 * c.facts.n_distinct <= c.n_present;
             }),
             "is a whole number with 3 to 10 values; if they are codes without an order, give it "
             "the type categorical",
             "are whole numbers with 3 to 10 values; if they are codes without an order, give them "
             "the type categorical");
  }

  // The leading zero of 01067 is lost at this point.
  void AddCodes() {
    AddGroup("codes", false, FeaturesWhere([](const ColumnContent& c) {
               const bool whole = c.is_number() && c.all_whole;
               return whole && c.facts.n_distinct > 10 && !IsIdLike(c) && IsNamedCode(c.facts.name);
             }),
             "is read as a number; if it is a code, as postal codes are, give it the type "
             "categorical, which also keeps leading zeros",
             "are read as numbers; if they are codes, as postal codes are, give them the type "
             "categorical, which also keeps leading zeros");
  }

  void AddEqualColumns() {
    for (const EqualColumns& equal : FindEqualColumns(view_, columns_)) {
      const bool two = equal.columns.size() == 2;
      if (equal.same_content) {
        Add("equal_columns", true, NameList(equal.columns),
            Names(equal.columns) + " are equal; keep one of them");
      } else {
        Add("renamed_columns", true, NameList(equal.columns),
            Names(equal.columns) +
                " hold the same information: each value of one corresponds to one value of "
                "the other" +
                (two ? "" : "s") + "; keep one of them");
      }
    }
  }

  const DataView& view_;
  const DataReportOptions& options_;
  DataReport report_;
  std::vector<std::uint64_t> target_;
  std::vector<ColumnContent> columns_;
  std::vector<DataFinding> level_findings_;
  std::set<std::string> are_quantities_;  // columns of strings that are numbers or dates
};

}  // namespace

DataReport DescribeData(const DataView& view, const DataReportOptions& options) {
  const std::string attempt = "cannot describe '" + view.data->name() + "': ";
  if (view.num_rows() == 0) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "it has no rows");
  }
  if (options.folds < 2) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "folds must be at least 2");
  }
  if (options.most_frequent < 1) {
    throw Error(ErrorKind::kInvalidArgument, attempt + "most_frequent must be at least 1");
  }
  return DataDescription(view, options).Run();
}

}  // namespace crossfold
