#include "check/error_reply.h"

#include <algorithm>

#include "engine/plugin/foreign_text.h"
#include "engine/plugin/plugin_call.h"

namespace crossfold::check {
namespace {

// The maximum that a host keeps of a message (engine/plugin/foreign_text.h).
constexpr std::size_t kLongest = 4096;

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

std::string FindBadError(const Reply& reply) {
  if (!reply.escaped.empty()) {
    return "let a C++ exception cross the plugin boundary: " + reply.escaped;
  }
  const std::string status(StatusName(reply.status));
  if (status == "unknown status") {
    return "ended with status " + std::to_string(reply.status) + ", which is not defined";
  }
  if (reply.status == CF_E_UNDEFINED) return "ended with a status that only metrics may use";
  if (!reply.said_why) return "ended with " + status + " and gave no reason to host->fail()";
  if (reply.said_code != reply.status) {
    return "called host->fail() with " + std::string(StatusName(reply.said_code)) +
           " and returned " + status;
  }
  const std::string& text = reply.message;
  if (text.size() > kLongest) {
    return "ended with a message of more than " + std::to_string(kLongest) + " bytes";
  }
  if (std::any_of(text.begin(), text.end(), IsControl)) {
    return "ended with a message that is not one line: '" + CleanText(text.c_str()) + "'";
  }
  if (!IsUtf8Text(text)) {
    return "ended with a message that is not UTF-8: '" + CleanText(text.c_str()) + "'";
  }
  return "";
}

}  // namespace crossfold::check
