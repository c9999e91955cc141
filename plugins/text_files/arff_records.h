// An ARFF text cut into its attributes and the values of its data lines, without looking at their
// meaning.
//   https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable/
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace crossfold::reading {

struct ArffAttribute {
  std::string name = {};
  std::string type = {};  // in lower case: "numeric"; empty if it is a list of values
  std::vector<std::string> values = {};  // of a list, as written
  std::string pattern = {};              // of dates; empty if it has none
};

// One value of a data line.
struct ArffValue {
  std::string text = {};
  bool quoted = false;
  std::size_t attribute = 0;

  bool is_missing() const { return !quoted && text == "?"; }
};

class ArffReader {
 public:
  // Reads up to @data. `text` must live as long as the reader. Throws Error "line 3 ...".
  explicit ArffReader(std::string_view text);

  const std::vector<ArffAttribute>& attributes() const { return attributes_; }

  // The next data line: as many values as there are attributes; false at the end of the text.
  // Sparse lines ("{1 red, 4 2.5}") have only the values that they name, attributes ascending;
  // `is_sparse` says so. A line that ends with its weight in braces has one value more, which is
  // that of an attribute after the last one.
  bool NextRow(std::vector<ArffValue>& row, bool& is_sparse);

  // The text that is left to read, and a reader for a part of it that begins with a line,
  // `lines_before` lines further down.
  std::string_view rest() const { return text_; }
  ArffReader Part(std::string_view part, std::size_t lines_before) const;
  // Steps to the next line with data; sets `has_weight` if it has one. Returns false at the end.
  bool SkipRow(bool& has_weight);
  std::size_t line() const { return line_; }

  // Throws Error "line <the last one read><finding>".
  [[noreturn]] void Refuse(const std::string& finding) const;

 private:
  enum class Between { kCommas, kBlanksOrCommas };

  // The next line that is neither blank nor a comment, without blanks around.
  bool NextLine(std::string_view& line);
  void ReadAttribute(std::string_view rest);
  void ReadType(std::string_view& rest, ArffAttribute& attribute);
  void SkipRelation(const std::string& name);
  void ReadDeclaredValues(std::string_view& rest, ArffAttribute& attribute) const;
  ArffValue ReadToken(std::string_view& rest, std::string_view ends) const;
  void AppendEscape(std::string_view text, std::size_t& at, std::string& value) const;
  char32_t ReadUnicode(std::string_view text, std::size_t& at) const;
  bool ReadList(std::string_view& rest, char end, Between between,
                std::vector<ArffValue>& values) const;
  void ReadDense(std::string_view line, std::vector<ArffValue>& row) const;
  void ReadSparse(std::string_view rest, std::vector<ArffValue>& row) const;
  void ReadRow(std::string_view line, std::vector<ArffValue>& row) const;
  bool TakeWeight(std::vector<ArffValue>& row, std::size_t n_values) const;

  std::string_view text_;  // what is not read yet
  std::size_t line_ = 0;   // 1-based
  int depth_ = 0;          // of relations
  std::vector<ArffAttribute> attributes_;
};

}  // namespace crossfold::reading
