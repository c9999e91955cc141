// Objects that are destroyed after main has ended, of the static library and of libcrossfold.so;
// one of them even works then.
//   after_main PLUGIN_FOLDER FILE
#include <memory>

#include "crossfold/fitted_model.h"
#include "crossfold/plugin_host.h"
#include "crossfold/read_data.h"
#include "crossfold/run.h"
#include "crossfold/spec_text.h"
#include "experiment.h"

namespace {

std::shared_ptr<const crossfold::Dataset> data;
std::shared_ptr<const crossfold::FittedModel> model;
std::unique_ptr<crossfold::PluginHost> plugins;
std::unique_ptr<Session> session;
thread_local std::unique_ptr<Session> session_of_thread;

}  // namespace

int main(int argc, char** argv) {
  return Report([&] {
    Demand(argc == 3, "two arguments are needed");
    crossfold::PluginHostOptions options;
    options.paths = {argv[1]};
    plugins = std::make_unique<crossfold::PluginHost>(options);
    crossfold::ReadRequest request;
    request.roles.target = "class";
    data = crossfold::ReadData(*plugins, argv[2], request);
    const auto learner = crossfold::Pipeline::Make(
        {crossfold::ParseSpec(crossfold::Kind::kLearner, "random_forest{trees=3}", *plugins)});
    model = crossfold::FittedModel::Fit(learner, {data, nullptr}, 1, crossfold::RunOptions{});
    session = std::make_unique<Session>(Linked(), argv[1]);
    session->Run(argv[2]);
    session_of_thread = std::make_unique<Session>(Linked(), argv[1]);
    session_of_thread->Run(argv[2]);
  });
}
