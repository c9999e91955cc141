#include "analysis/facts/id_names.h"

#include <algorithm>
#include <array>
#include <string>

#include "engine/text/ascii.h"

namespace crossfold {
namespace {

// Whether one of the words of a name, in lower case, satisfies a condition: "PostalCode" and
// "postal_code" have the words "postal" and "code".
template <class Wanted>
bool AnyWord(std::string_view name, Wanted is_wanted) {
  std::string word;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_letter = IsUpper(name[i]) || IsLower(name[i]);
    const bool begins = i > 0 && IsUpper(name[i]) && IsLower(name[i - 1]);
    if ((!is_letter || begins) && is_wanted(word)) return true;
    if (!is_letter || begins) word.clear();
    if (is_letter) word += LowerCase(name[i]);
  }
  return is_wanted(word);
}

}  // namespace

bool IsNamedId(std::string_view name) {
  const std::string lower = LowerCase(name);
  for (const std::string_view known : {"id", "key", "index", "uuid", "guid", "rowid", "row"}) {
    if (lower == known) return true;
  }
  for (const std::string_view ending : {"_id", "-id", ".id", " id", "_key", "_uuid"}) {
    if (lower.ends_with(ending)) return true;
  }
  return name.size() > 2 && name.ends_with("ID") && IsLower(name[name.size() - 3]);
}

bool IsNamedCode(std::string_view name) {
  constexpr std::array<std::string_view, 17> kWords = {
      "zip",          "zipcode", "plz",    "postcode",  "postal", "postalcode",
      "postleitzahl", "phone",   "phones", "telephone", "fips",   "ean",
      "upc",          "isbn",    "ssn",    "sku",       "code"};
  return AnyWord(name, [&](std::string_view word) {
    return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
  });
}

}  // namespace crossfold
