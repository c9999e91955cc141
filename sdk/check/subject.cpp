#include "check/subject.h"

#include <utility>

#include "check/forked.h"
#include "engine/text/format_number.h"

namespace crossfold::check {

namespace {

Subject MakeSubject(CheckContext& context, DataShape shape, std::int64_t n_rows) {
  shape.n_rows = n_rows;
  Subject subject;
  subject.spec = context.Defaults();
  subject.shape = shape;
  subject.data = MakeData(shape, context.SeedOf("data"));
  subject.all = AllRows(subject.data);
  subject.train = RowsOf(subject.data, RowRange(0, n_rows * 2 / 3));
  return subject;
}

// One for every task.
std::vector<DataShape> AllShapes(const Component& component) {
  std::vector<DataShape> shapes;
  for (const DataShape& usual : UsualShapes(component)) {
    for (const DataShape& shape : ShapesToTry(component, usual)) shapes.push_back(shape);
  }
  return shapes;
}

bool SameTask(const DataShape& a, const DataShape& b) {
  return a.task == b.task && a.n_classes == b.n_classes;
}

[[noreturn]] void SkipFor(CheckContext& context, const std::string& why) {
  context.Skip("there is nothing to try it on: " + why);
}

}  // namespace

std::vector<Subject> UsableSubjects(CheckContext& context, std::int64_t n_rows, bool weights) {
  std::vector<Subject> subjects;
  std::string why = "it declares no task";
  for (DataShape shape : AllShapes(context.component())) {
    if (!subjects.empty() && SameTask(subjects.back().shape, shape)) continue;
    shape.weights = weights;
    shape.weights = weights && Accepts(context.component(), shape);
    Subject subject = MakeSubject(context, shape, n_rows);
    const Made made = Fit(*subject.spec, subject.train);
    if (made.reply.ok()) {
      subjects.push_back(std::move(subject));
    } else {
      why = "fit " + subject.Where() + " ended with " + made.reply.Describe();
    }
  }
  if (subjects.empty()) SkipFor(context, why);
  return subjects;
}

Subject FirstUsable(CheckContext& context, std::int64_t n_rows) {
  const std::vector<DataShape> shapes = AllShapes(context.component());
  const auto work = [&]() -> std::string {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const Subject subject = MakeSubject(context, shapes[i], n_rows);
      if (Fit(*subject.spec, subject.train).reply.ok()) return std::to_string(i);
    }
    return "";
  };
  const Forked forked = RunForked(work);
  const auto i = ParseInteger(forked.text);
  if (!i) SkipFor(context, forked.ended.empty() ? "no fit works" : forked.ended);
  return MakeSubject(context, shapes[static_cast<std::size_t>(*i)], n_rows);
}

Answer Ask(const Spec& spec, const cf_model* model, const DataView& rows,
           const ProbeOptions& options) {
  Answer answer;
  if (spec.component().learner != nullptr) {
    answer.predicted = Predict(spec, model, rows, options);
    answer.reply = answer.predicted.reply;
  } else {
    answer.applied = Apply(spec, model, rows, options);
    answer.reply = answer.applied.reply;
  }
  return answer;
}

Answer AskFitted(const Spec& spec, const Made& made, const DataView& rows,
                 const ProbeOptions& options) {
  if (made.reply.ok()) return Ask(spec, made.model.get(), rows, options);
  Answer failed;
  failed.reply = failed.predicted.reply = failed.applied.reply = made.reply;
  return failed;
}

Answer FitAsk(const Spec& spec, const DataView& train, const DataView& rows,
              const ProbeOptions& options) {
  return AskFitted(spec, Fit(spec, train, options), rows, options);
}

std::string Difference(const Answer& got, const Answer& expected, double tolerance) {
  const std::string text = Difference(got.predicted, expected.predicted, tolerance);
  return text.empty() ? Difference(got.applied, expected.applied, tolerance) : text;
}

std::vector<double> NumbersOf(const Answer& answer) {
  std::vector<double> numbers(answer.predicted.labels.begin(), answer.predicted.labels.end());
  for (const auto* more : {&answer.predicted.values, &answer.predicted.probabilities}) {
    numbers.insert(numbers.end(), more->begin(), more->end());
  }
  for (const Applied::Column& column : answer.applied.columns) {
    numbers.insert(numbers.end(), column.entries.begin(), column.entries.end());
  }
  return numbers;
}

bool IsDeterministic(const Component& component) {
  return (component.determinism & (CF_DET_SEEDED | CF_DET_THREADS | CF_DET_UNSEEDED)) != 0;
}

}  // namespace crossfold::check
