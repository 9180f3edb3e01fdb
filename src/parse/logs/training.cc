#include "parse/logs/training.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/text.h"
#include "parse/logs/line_content.h"
#include "parse/logs/line_numbers.h"
#include "parse/logs/log_keys.h"
#include "parse/logs/log_units.h"
#include "parse/logs/number_series.h"
#include "parse/logs/table_lines.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostPhases = 32;
constexpr std::size_t kMostQuotes = 4;
constexpr std::size_t kLongestLine = 16384;

/// Encoded bytes hold any word by chance: one long word of letters, digits and the two signs of
/// base64.
bool IsEncoded(std::string_view line) {
  constexpr std::size_t kShortest = 40;
  if (line.size() < kShortest || line.find(' ') != std::string_view::npos) return false;
  return std::all_of(line.begin(), line.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=';
  });
}

/// rare_words: whether the text holds one of the later words at all.
bool IsEvaluation(std::string_view line, bool rare_words) {
  if (line.starts_with("Test:") || line.starts_with("Val:")) return true;
  return rare_words &&
         (Holds(line, "Epoch(val)") || Holds(line, "Epoch(test)") || Holds(line, "Validation:") ||
          Holds(line, "Validating:") || Holds(line, "NumDevsUsed"));
}

}  // namespace

class TrainingReader::Reader {
 public:
  void Piece(std::string_view text, std::uint32_t first_line, bool rare_words) {
    rare_words_ = rare_words;
    std::uint32_t number = first_line;
    while (!text.empty()) {
      // Bars redraw their line with a carriage return: each picture is a line of its own.
      std::string_view pictures = NextLine(text);
      while (!pictures.empty()) Line(NextToken(pictures, '\r'), number);
      ++number;
    }
    LeaveText();
  }

  [[nodiscard]] bool Any() const {
    return log_.step_s.count > 0 || log_.epoch_s.count > 0 || log_.rate.count > 0 ||
           !log_.phases.empty() || log_.stamp_step_s.count > 0 ||
           log_.loss.count + log_.loss_bad > 0 || log_.loss_scale.count > 0;
  }

  std::optional<TrainingLog> Finish() {
    if (!Any()) return std::nullopt;
    return std::move(log_);
  }

 private:
  void Line(std::string_view line, std::uint32_t number) {
    number_ = number;
    line_ = line.substr(0, kLongestLine);
    ++log_.lines;
    if (line_.empty() || IsEncoded(line_) || IsEvaluation(line_, rare_words_)) return;
    if (!table_.Row(line_, numbers_)) FindLineNumbers(line_, numbers_);
    if (numbers_.empty()) {
      if (table_.Header(line_)) interpreter_.Forget();
      return;
    }
    if (rare_words_ && Holds(line_, "time (ms) |")) return TimerLine();
    interpreter_.Read(line_, numbers_, said_);
    for (const LinePhase& phase : said_.phases) AddPhase(phase.name, phase.kind, phase.seconds);
    log_.skipped_iterations += said_.skipped;
    KeepAll();
  }

  /// A line of the text that may become a quote.
  struct LineAt {
    std::uint32_t number = 0;
    std::string_view line;
  };
  static QuotedLine Kept(const LineAt& at) {
    return at.number == 0 ? QuotedLine{} : Quote(at.number, at.line);
  }
  static void Keep(LineAt& at, QuotedLine& quote) {
    if (at.number != 0) quote = Kept(at);
    at = {};
  }

  /// The text of this piece goes away: what is still wanted of it is copied.
  void LeaveText() {
    Keep(last_, log_.last_line);
    Keep(phases_, log_.phases_line);
    Keep(means_, log_.means_line);
    Keep(rate_, rate_before_);
    interpreter_.Forget();
    line_ = {};
    numbers_.clear();
    said_ = {};
  }

  /// "time (ms) | forward: 102.15 | backward: 3096.22": every number is a phase.
  void TimerLine() {
    for (const LineNumber& n : numbers_) {
      const std::string_view name = n.key.substr(n.key.rfind('|') + 1);
      // Parts of parts would count twice.
      if (name.empty() || name == "rank" || Holds(name, "inner") || Holds(name, "microstep") ||
          name.starts_with("optimizer-") || !std::isfinite(n.value)) {
        continue;
      }
      AddPhase(name, KindOfPhase(name), n.value * 1e-3);
    }
    if (last_step_ && step_line_ + 2 >= number_) AddNumber(log_.phase_step_s, *last_step_);
    phases_ = {number_, line_};
  }

  void AddPhase(std::string_view name, PhaseKind kind, double seconds) {
    for (PhaseTime& phase : log_.phases) {
      if (phase.name == name) return AddNumber(phase.seconds, seconds);
    }
    if (log_.phases.size() == kMostPhases) return;
    PhaseTime phase;
    phase.name = std::string(name);
    phase.kind = kind;
    AddNumber(phase.seconds, seconds);
    log_.phases.push_back(std::move(phase));
  }

  void KeepAll() {
    KeepLoss();
    KeepTimes();
    KeepRate();
    KeepStamp();
    if (said_.epoch) {
      AddNumber(log_.epoch_s, *said_.epoch);
      last_ = {number_, line_};
    }
    if (said_.index) {
      if (!log_.first_step) log_.first_step = said_.index;
      log_.last_step = said_.index;
      if (said_.total) log_.total_steps = said_.total;
    }
  }

  void KeepLoss() {
    bool bad = false;
    if (said_.loss) {
      if (std::isfinite(*said_.loss))
        AddNumber(log_.loss, *said_.loss);
      else
        bad = true, ++log_.loss_bad;
    }
    if (said_.grad) {
      if (std::isfinite(*said_.grad))
        AddNumber(log_.grad_norm, *said_.grad);
      else
        bad = true, ++log_.grad_bad;
    }
    if (said_.scale && std::isfinite(*said_.scale)) AddNumber(log_.loss_scale, *said_.scale);
    if (bad && log_.bad_quotes.size() < kMostQuotes)
      log_.bad_quotes.push_back(Quote(number_, line_));
  }

  /// How many steps lie between two lines that time one.
  void KeepSpan() {
    constexpr double kMostSteps = 1e12;
    if (!said_.index) return;
    const double passed = timed_step_ ? *said_.index - *timed_step_ : 0;
    if (passed > 0 && passed < kMostSteps) log_.spanned_steps += static_cast<std::uint64_t>(passed);
    timed_step_ = said_.index;
  }

  void KeepTimes() {
    if (said_.step && *said_.step >= 0) {
      ++log_.step_lines;
      KeepSpan();
      step_line_ = number_;
      last_step_ = said_.step;
      if (log_.step_s.count == 0 || *said_.step > log_.step_s.max)
        log_.slowest = Quote(number_, line_);
      AddNumber(log_.step_s, *said_.step);
      last_ = {number_, line_};
      if (!said_.phases.empty()) {
        AddNumber(log_.phase_step_s, *said_.step);
        phases_ = last_;
      }
    }
    if (said_.step && said_.data) {
      if (log_.data_s.count == 0 || *said_.data > log_.data_s.max)
        log_.slowest_data = Quote(number_, line_);
      AddNumber(log_.data_s, *said_.data);
      AddNumber(log_.data_step_s, *said_.step);
      if (*said_.data > *said_.step) ++log_.data_over_step;
    }
    if (said_.mean_step) log_.mean_step_s = said_.mean_step;
    if (said_.mean_step && said_.mean_data) {
      log_.mean_data_s = said_.mean_data;
      means_ = {number_, line_};
      KeepMeans();
    }
  }

  /// Where the count starts anew the means do, too.
  void KeepMeans() {
    if (!said_.index) return;
    const RunningMeans now{*said_.index, *said_.mean_step, *said_.mean_data};
    if (!log_.first_means || now.index < log_.last_means->index) log_.first_means = now;
    log_.last_means = now;
  }

  void KeepRate() {
    if (!said_.rate) return;
    // Its own words: a jitter beside it, or the rate since the start of the run.
    log_.rate_running_mean |=
        said_.running_mean || Holds(line_, "(jitter =") || Holds(said_.rate_unit, "fps");
    const double index = said_.index ? *said_.index
                         : std::isfinite(numbers_.front().value) && numbers_.front().key.empty()
                             ? numbers_.front().value
                             : 0;
    if (log_.rate.count > 0 && log_.rate.last > 0) {
      const double fall = 1 - *said_.rate / log_.rate.last;
      const RateDrop& worst = log_.rate_drop;
      if (fall > (worst.from > 0 ? 1 - worst.to / worst.from : 0.0)) {
        log_.rate_drop =
            RateDrop{log_.rate.last, *said_.rate, index,
                     rate_.number == 0 ? rate_before_ : Kept(rate_), Quote(number_, line_)};
      }
    }
    AddNumber(log_.rate, *said_.rate);
    if (log_.rate_unit.empty()) log_.rate_unit = std::string(said_.rate_unit);
    rate_ = {number_, line_};
  }

  /// Seconds per step between two lines that count the step and carry a time.
  void KeepStamp() {
    if (!said_.index) return;
    const std::optional<LineStamp> stamp = FindLineStamp(line_);
    if (!stamp) return;
    if (stamp_ && *said_.index > stamped_step_) {
      double seconds = stamp->seconds - stamp_->seconds;
      if (stamp->day && stamp_->day)
        seconds += 86400.0 * static_cast<double>(*stamp->day - *stamp_->day);
      else if (seconds < 0)
        seconds += 86400;
      if (seconds >= 0) AddNumber(log_.stamp_step_s, seconds / (*said_.index - stamped_step_));
    }
    stamp_ = stamp;
    stamped_step_ = *said_.index;
  }

  TrainingLog log_;
  std::vector<LineNumber> numbers_;
  TableLines table_;
  LineInterpreter interpreter_;
  LineContent said_;  ///< by the line that is read
  std::string_view line_;
  std::uint32_t number_ = 0, step_line_ = 0;
  std::optional<double> last_step_;
  std::optional<double> timed_step_;  ///< count of the last line with a step time
  std::optional<LineStamp> stamp_;
  double stamped_step_ = 0;
  LineAt last_, phases_, means_, rate_;
  QuotedLine rate_before_;  ///< the line of the last rate, where it was in an earlier piece
  bool rare_words_ = false;
};

TrainingReader::TrainingReader() : reader_(std::make_unique<Reader>()) {}
TrainingReader::~TrainingReader() = default;
TrainingReader::TrainingReader(TrainingReader&&) noexcept = default;
TrainingReader& TrainingReader::operator=(TrainingReader&&) noexcept = default;

void TrainingReader::Read(std::string_view piece, std::uint32_t first_line, bool rare_words) {
  reader_->Piece(piece, first_line, rare_words);
}

bool TrainingReader::Any() const { return reader_->Any(); }

std::optional<TrainingLog> TrainingReader::Finish() { return reader_->Finish(); }

std::optional<TrainingLog> ParseTrainingLog(std::string_view text) {
  TrainingReader reader;
  reader.Read(text, 1, true);
  return reader.Finish();
}

}  // namespace gpuwhy
