#include "class_rules.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

namespace crossfold::bundled::ripper {
namespace {

// Cohen 1995: no more rules once a list takes this number of bits more than the shortest one.
constexpr double kMostExtraBits = 64;

Rows Without(const Rows& rows, const Rows& covered) {
  Rows rest;
  std::set_difference(rows.begin(), rows.end(), covered.begin(), covered.end(),
                      std::back_inserter(rest));
  return rest;
}

Rows Both(const Rows& a, const Rows& b) {
  Rows both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

// Returns the rows that no rule from `first` to before `end` covers.
Rows LeftBy(const std::vector<Rule>& rules, std::size_t first, std::size_t end, Rows rows) {
  for (std::size_t i = first; i < end; ++i) rows = Without(rows, rules[i].covered);
  return rows;
}

}  // namespace

ClassRules::ClassRules(const RipperParams& params, const Table& table, std::int32_t label,
                       Rows rows, double expected)
    : params_(params),
      table_(table),
      target_{label, params.min_rows},
      rows_(std::move(rows)),
      expected_(expected) {}

std::vector<Rule> ClassRules::Learn(Course& course) const {
  std::vector<Rule> rules;
  AddRules(course, rules);
  if (!params_.prune) return rules;
  Simplify(rules);
  for (std::int64_t pass = 0; pass < params_.optimizations; ++pass) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
      course.Report();
      Replace(i, course, rules);
    }
    AddRules(course, rules);
    Simplify(rules);
  }
  return rules;
}

ClassRules::Split ClassRules::Draw(const Rows& rows, plugin::Random& random) const {
  std::vector<Rows> classes;
  for (const std::uint32_t row : rows) {
    const auto label = static_cast<std::size_t>(table_.labels[row]);
    if (label >= classes.size()) classes.resize(label + 1);
    classes[label].push_back(row);
  }
  // In the order of their first rows, as the order of the classes says nothing.
  std::erase_if(classes, [](const Rows& of_class) { return of_class.empty(); });
  std::ranges::sort(classes, {}, [](const Rows& of_class) { return of_class.front(); });
  Split split;
  const auto folds = static_cast<std::size_t>(params_.folds);
  std::size_t place = 0;
  for (Rows& of_class : classes) {
    random.Shuffle(std::span<std::uint32_t>(of_class));
    for (const std::uint32_t row : of_class) {
      (++place % folds == 0 ? split.prune : split.grow).push_back(row);
    }
  }
  std::sort(split.grow.begin(), split.grow.end());
  std::sort(split.prune.begin(), split.prune.end());
  return split;
}

Rule ClassRules::MakeRule(Conditions conditions) const {
  Rows covered = CoveredRows(table_, conditions, rows_);
  return {std::move(conditions), std::move(covered)};
}

Conditions ClassRules::GrowOne(const Rows& rows, plugin::Random& random) const {
  Conditions conditions;
  if (!params_.prune) {
    Grow(table_, target_, rows, conditions);
    return conditions;
  }
  const Split split = Draw(rows, random);
  Grow(table_, target_, split.grow, conditions);
  Prune(table_, target_.label, split.prune, Worth::kPrecision, conditions);
  return conditions;
}

void ClassRules::AddRules(Course& course, std::vector<Rule>& rules) const {
  Rows left = LeftBy(rules, 0, rules.size(), rows_);
  double fewest_bits = Bits(rules);
  while (WeighClass(table_, target_.label, left).hits > 0) {
    course.Report();
    Rule rule = MakeRule(GrowOne(left, course.random));
    if (rule.conditions.empty()) return;  // nothing separates the class from the others
    const ClassWeight covered = WeighClass(table_, target_.label, Both(left, rule.covered));
    if (covered.hits == 0 || ErrsTooOften(covered)) return;
    left = Without(left, rule.covered);
    rules.push_back(std::move(rule));
    const double bits = Bits(rules);
    fewest_bits = std::min(fewest_bits, bits);
    if (bits > fewest_bits + kMostExtraBits) {
      rules.pop_back();
      return;
    }
  }
}

void ClassRules::Replace(std::size_t i, Course& course, std::vector<Rule>& rules) const {
  const Rows left = LeftBy(rules, 0, i, rows_);
  if (Both(left, rules[i].covered).empty()) return;
  const Split split = Draw(left, course.random);
  const Rows prune = LeftBy(rules, i + 1, rules.size(), split.prune);
  Conditions revision = rules[i].conditions, replacement;
  Grow(table_, target_, Both(split.grow, rules[i].covered), revision);
  Grow(table_, target_, split.grow, replacement);
  const auto bits_with = [&](const Rule& rule) {
    std::vector<Rule> list = rules;
    list[i] = rule;
    return Simplify(list);
  };
  double fewest_bits = bits_with(rules[i]);
  for (Conditions* conditions : {&revision, &replacement}) {
    Prune(table_, target_.label, prune, Worth::kAccuracy, *conditions);
    if (conditions->empty()) continue;
    Rule rule = MakeRule(*conditions);
    const double bits = bits_with(rule);
    if (!(bits < fewest_bits)) continue;
    fewest_bits = bits;
    rules[i] = std::move(rule);
  }
}

double ClassRules::Simplify(std::vector<Rule>& rules) const {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> first(table_.num_rows(), kNone), count(table_.num_rows());
  for (std::size_t i = 0; i < rules.size(); ++i) {
    for (const std::uint32_t row : rules[i].covered) {
      first[row] = std::min(first[row], i);
      ++count[row];
    }
  }
  Errors errors = ErrorsOf(rules);
  for (std::size_t i = rules.size(); i-- > 0;) {
    Rows answered, alone;  // rows that no earlier rule covers, and that no other one does
    for (const std::uint32_t row : rules[i].covered) {
      if (first[row] == i) answered.push_back(row);
      if (count[row] == 1) alone.push_back(row);
    }
    const ClassWeight weight = WeighClass(table_, target_.label, alone);
    const Errors without = {errors.covered - weight.all, errors.left + weight.all,
                            errors.covered_wrong - (weight.all - weight.hits),
                            errors.left_wrong + weight.hits};
    const bool pays =
        ErrorBits(errors, expected_) + BitsOfRule(rules[i]) < ErrorBits(without, expected_);
    if (pays && !ErrsTooOften(WeighClass(table_, target_.label, answered))) continue;
    errors = without;
    for (const std::uint32_t row : rules[i].covered) --count[row];
    rules.erase(rules.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return Bits(rules);
}

Errors ClassRules::ErrorsOf(const std::vector<Rule>& rules) const {
  const ClassWeight all = WeighClass(table_, target_.label, rows_);
  const ClassWeight left = WeighClass(table_, target_.label, LeftBy(rules, 0, rules.size(), rows_));
  return {all.all - left.all, left.all, (all.all - left.all) - (all.hits - left.hits), left.hits};
}

double ClassRules::Bits(const std::vector<Rule>& rules) const {
  double bits = ErrorBits(ErrorsOf(rules), expected_);
  for (const Rule& rule : rules) bits += BitsOfRule(rule);
  return bits;
}

double ClassRules::BitsOfRule(const Rule& rule) const {
  return RuleBits(static_cast<double>(rule.conditions.size()), table_.n_conditions);
}

bool ClassRules::ErrsTooOften(const ClassWeight& covered) const {
  return params_.check_error && 2 * covered.hits <= covered.all;
}

}  // namespace crossfold::bundled::ripper
