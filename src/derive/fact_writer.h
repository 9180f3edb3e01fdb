// Writes facts of one reader and window, so that each is one line where it is computed.
#pragma once

#include <string>
#include <utility>

#include "facts/fact_set.h"

namespace gpuwhy {

struct FactSource {
  std::string reader, source;
  Origin origin = Origin::kComputed;
};

class FactWriter {
 public:
  FactWriter(FactSet& facts, Scope scope, FactSource source)
      : facts_(facts), scope_(scope), source_(std::move(source)) {}

  /// Counted exactly: its interval has equal ends. coverage: share of the scope that was observed.
  void Counted(FactId id, const Subject& subject, StatKind kind, const Reading<double>& value,
               double coverage = 1) {
    Fact fact = Start(id, subject, {kind, 0, coverage});
    if (value) {
      fact.value = FactValue(*value);
      fact.interval = {*value, *value};
    } else {
      fact.value = value.missing();
    }
    facts_.Add(std::move(fact));
  }
  /// From n looks, with the interval that holds the true value with 95 %.
  void Sampled(FactId id, const Subject& subject, StatKind kind, std::uint64_t n,
               const Reading<double>& value, const Interval& interval) {
    Fact fact = Start(id, subject, {kind, n, 1});
    if (value) {
      fact.value = FactValue(*value);
      fact.interval = interval;
    } else {
      fact.value = value.missing();
    }
    facts_.Add(std::move(fact));
  }
  void Text(FactId id, const Subject& subject, const Reading<std::string>& value) {
    Fact fact = Start(id, subject, {StatKind::kLast, 0, 1});
    if (value) {
      fact.value = FactValue(*value);
    } else {
      fact.value = value.missing();
    }
    facts_.Add(std::move(fact));
  }

 private:
  [[nodiscard]] Fact Start(FactId id, const Subject& subject, Statistic stat) const {
    Fact fact;
    fact.id = id;
    fact.subject = subject;
    fact.scope = scope_;
    fact.stat = stat;
    fact.provenance = {source_.reader, source_.source, source_.origin};
    return fact;
  }

  FactSet& facts_;
  Scope scope_;
  FactSource source_;
};

}  // namespace gpuwhy
