#include "check/proper_refusal.h"

namespace crossfold::check {

std::string FindImproper(const Reply& reply) {
  if (reply.ok()) return "";
  if (!reply.escaped.empty()) return reply.Describe();
  switch (reply.status) {
    case CF_E_INVALID_ARGUMENT:
    case CF_E_INVALID_PARAM:
    case CF_E_UNSUPPORTED_DATA:
    case CF_E_NOT_CONVERGED:
    case CF_E_NUMERIC:
    case CF_E_OUT_OF_MEMORY:
    case CF_E_UNSUPPORTED:
    case CF_E_UNDEFINED:
      if (reply.said_why && !reply.message.empty()) return "";
      break;
    default:
      break;
  }
  return "it ended with " + reply.Describe();
}

}  // namespace crossfold::check
