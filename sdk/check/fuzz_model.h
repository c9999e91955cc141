// Random calls of a learner or transform, as far as a host may make them in any order.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "check/check_context.h"
#include "check/component_calls.h"
#include "check/subject.h"

namespace crossfold::check {

// Plays with up to four models at a time. Not thread-safe.
class ModelPlay {
 public:
  // `tell` gets every step before it is done.
  ModelPlay(CheckContext& context, std::function<void(const std::string&)> tell);

  // One random step. Findings go to the context.
  void Step();

 private:
  struct Kept {
    SpecPtr spec;
    DataPtr data;
    DataView train;
    ModelPtr model;
  };

  void FitOne();
  void FitPathOne(const Kept& kept);
  void FitPreparedOne(const Kept& kept);
  void AskOne(const Kept& kept);
  void SaveAndLoad(Kept& kept);
  void Change(Kept& kept);
  void CrossPredictOne(const Kept& kept);
  void Report(const Kept& kept);

  template <class T>
  const T* Offered(const char* id) const {
    return context_.component().capability<T>(id);
  }
  bool Happens(std::uint64_t one_in) { return random_.Below(one_in) == 0; }
  ProbeOptions DrawOptions();
  DataView DrawRows(const DataPtr& data);
  // Whether it went well. What went wrong otherwise than it may is a finding.
  bool Judge(const std::string& what, const Reply& reply);
  void Keep(const std::string& what, Kept kept, Made made);
  void JudgeAnswer(const std::string& what, const Answer& answer, std::int64_t n_classes);

  CheckContext& context_;
  std::function<void(const std::string&)> tell_;
  plugin::Random random_;
  std::vector<Kept> kept_;
};

}  // namespace crossfold::check
