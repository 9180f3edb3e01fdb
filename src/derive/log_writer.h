// Writes facts of one handed-in text, each with the line it was read from.
#pragma once

#include <string>
#include <utility>

#include "capture/pasted_logs.h"
#include "facts/fact_set.h"

namespace gpuwhy {

class LogWriter {
 public:
  LogWriter(const std::string& name, FactSet& facts)
      : name_(name), subject_{SubjectKind::kInput, name}, facts_(facts) {}

  [[nodiscard]] const Subject& Input() const { return subject_; }

  /// A line as evidence; nothing where there is none.
  void Line(FactId id, const QuotedLine& quote, const Subject& subject) {
    if (quote.text.empty()) return;
    Fact fact = Start(id, subject, StatKind::kLast, 0);
    fact.value = FactValue(quote.text);
    fact.provenance.source = name_ + ":" + std::to_string(quote.line);
    facts_.Add(std::move(fact));
  }
  void Line(FactId id, const QuotedLine& quote) { Line(id, quote, subject_); }

  void Number(FactId id, StatKind kind, std::uint64_t n, double value, Origin origin,
              const Subject& subject) {
    Fact fact = Start(id, subject, kind, n);
    fact.value = FactValue(value);
    fact.interval = {value, value};
    fact.provenance.origin = origin;
    facts_.Add(std::move(fact));
  }
  void Computed(FactId id, StatKind kind, std::uint64_t n, double value) {
    Number(id, kind, n, value, Origin::kComputed, subject_);
  }
  void Text(FactId id, std::string text, const Subject& subject) {
    Fact fact = Start(id, subject, StatKind::kLast, 0);
    fact.value = FactValue(std::move(text));
    fact.provenance.origin = Origin::kComputed;
    facts_.Add(std::move(fact));
  }

 private:
  [[nodiscard]] Fact Start(FactId id, const Subject& subject, StatKind kind,
                           std::uint64_t n) const {
    Fact fact;
    fact.id = id;
    fact.subject = subject;
    fact.scope = facts_.window;
    fact.stat = {kind, n, 1};
    fact.provenance = {"log", name_, Origin::kRead};
    return fact;
  }

  std::string name_;
  Subject subject_;
  FactSet& facts_;
};

}  // namespace gpuwhy
