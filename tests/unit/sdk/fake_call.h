// A call into a plugin without a host: keeps what the plugin says.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crossfold_plugin/host.h"

namespace crossfold::plugin {

class FakeCall {
 public:
  explicit FakeCall(std::uint64_t seed = 1) {
    host_.struct_size = sizeof(cf_host);
    host_.host_data = this;
    host_.log = [](const cf_host* host, std::int32_t, const char* message) {
      static_cast<FakeCall*>(host->host_data)->logged.emplace_back(message);
    };
    host_.fail = [](const cf_call* call, cf_status code, const char* message) {
      auto* self = static_cast<FakeCall*>(call->call_data);
      if (!self->message.empty()) return code;  // the first one counts
      self->message = message;
      self->code = code;
      return code;
    };
    host_.progress = [](const cf_call* call, double done) -> std::int32_t {
      auto* self = static_cast<FakeCall*>(call->call_data);
      self->progress = done;
      return self->cancel ? 1 : 0;
    };
    call_.struct_size = sizeof(cf_call);
    call_.n_threads = 1;
    call_.host = &host_;
    call_.call_data = this;
    call_.seed = seed;
  }
  FakeCall(const FakeCall&) = delete;
  FakeCall& operator=(const FakeCall&) = delete;

  const cf_call* get() const { return &call_; }
  cf_call& call() { return call_; }
  cf_host& host() { return host_; }

  std::string message;  // of the failure; "" = none
  cf_status code = 0;
  std::vector<std::string> logged;
  double progress = -1;
  bool cancel = false;

 private:
  cf_host host_{};
  cf_call call_{};
};

}  // namespace crossfold::plugin
