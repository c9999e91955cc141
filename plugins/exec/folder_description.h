// What a crossfold.json says (docs/languages.md).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace crossfold::exec {

struct ParamDescription {
  using Default =
      std::variant<std::monostate, double, std::int64_t, std::string, std::vector<std::int64_t>,
                   std::vector<double>, std::vector<std::string>>;
  std::string name, doc, active_if, unit;
  std::int32_t type = 0;    // CF_P_...; an object is a CF_P_STRING
  std::uint32_t flags = 0;  // CF_PF_...
  bool is_object = false;
  Default default_value;  // std::monostate = none; a bool and a choice are an index
  double lo = 0, hi = 0;
  std::int64_t ilo = 0, ihi = 0;
  std::vector<std::string> choices;
};

struct FolderDescription {
  std::string id, version, title, doc, source, vendor, license;
  std::vector<std::string> start;
  std::uint32_t tasks = 0, accepts = 0, determinism = 0;  // CF_TASK_..., CF_ACCEPTS_..., CF_DET_...
  bool has_proba = false, has_serialize = false, has_importance = false, has_validation = false;
  std::vector<ParamDescription> params;
};

// Why a crossfold.json cannot be used: "its crossfold.json: 'tasks' has the entry 'binry'; ...".
class BadDescription : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Parses the text. Throws BadDescription.
FolderDescription ParseDescription(std::string_view text);

}  // namespace crossfold::exec
