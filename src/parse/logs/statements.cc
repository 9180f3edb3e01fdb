#include "parse/logs/statements.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include "base/text.h"
#include "parse/logs/mention.h"
#include "parse/logs/number_series.h"
#include "parse/logs/statement_table.h"
#include "parse/logs/word_search.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kQuotes = 4;

/// "NVRM: Xid (PCI:0000:61:00): 45, ..." and, from old drivers, "NVRM: Xid (0000:61:00): 45".
std::optional<int> XidNumber(std::string_view line) {
  const std::size_t at = line.find("NVRM: Xid");
  const std::size_t close = line.find("): ", at);
  if (close == std::string_view::npos) return std::nullopt;
  const auto number_at = [&](std::size_t from) {
    const std::string_view digits = line.substr(from);
    return ParseNumber<int>(digits.substr(0, digits.find_first_not_of("0123456789")));
  };
  const std::optional<int> own = number_at(close + 3);
  // A channel that was torn down names what it fell to: "Ch 00000001 caused by previous Xid 149".
  constexpr std::string_view kCause = "caused by previous Xid ";
  const std::size_t cause = line.find(kCause, close);
  if (own != 45 || cause == std::string_view::npos) return own;
  const std::optional<int> first = number_at(cause + kCause.size());
  return first ? first : own;
}

/// Xids by what the operator has to do. Source: the driver's Xid catalogue. 43 and 45 only tell
/// that a channel was torn down after something else; 63 and 154 are notes.
Statement XidStatement(int xid) {
  switch (xid) {
    case 79:
      return Statement::kXidBus;
    case 64:
      return Statement::kXidRemapFailed;
    case 48:
    case 95:
    case 140:
      return Statement::kXidMemory;
    case 46:
    case 62:
    case 109:
    case 119:
    case 120:
    case 143:
    case 158:
      return Statement::kXidReset;
    case 74:
    case 144:
    case 145:
    case 146:
    case 147:
    case 148:
    case 149:
    case 150:
      return Statement::kXidLink;
    case 54:
    case 110:
    case 122:
    case 123:
    case 136:
      return Statement::kXidCause;
    case 154:
      return Statement::kXidRecovery;
    case 6:
    case 8:
    case 13:
    case 31:
    case 32:
    case 44:
    case 68:
    case 69:
      return Statement::kXidApplication;
    default:
      return Statement::kXidVictim;
  }
}

struct LineCursor {
  std::size_t counted_to = 0;
  std::uint32_t number = 1;

  /// Number of the line that holds the byte `at`; calls must not go back.
  std::uint32_t NumberOf(std::string_view text, std::size_t at) {
    number += static_cast<std::uint32_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(counted_to),
                   text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted_to = at;
    return number;
  }
};

/// Of a stack of py-spy: whether the thread that it is of is not the main one. `at` lies in the
/// stack. Only a thread that bears a name can be told.
bool IsOfSideThread(std::string_view text, std::size_t at) {
  constexpr std::size_t kDeepest = 8192;
  const std::size_t from = at > kDeepest ? at - kDeepest : 0;
  const std::string_view before = text.substr(from, at - from);
  const std::size_t thread = before.rfind("Thread ");
  if (thread == std::string_view::npos) return false;
  const std::string_view head = before.substr(thread, before.find('\n', thread) - thread);
  return Holds(head, "): \"") && !Holds(head, "\"MainThread\"");
}

std::string_view LineAround(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  // Logs without line ends are read as well; what is looked at stays bounded.
  constexpr std::size_t kMost = 4096;
  const std::size_t from = at - begin > kMost ? at - kMost : begin;
  std::string_view line = text.substr(from, std::min(end - from, 2 * kMost));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

bool Matches(const StatementPattern& pattern, std::string_view line) {
  if (!pattern.also.empty() && line.find(pattern.also) == std::string_view::npos) return false;
  return pattern.never.empty() || line.find(pattern.never) == std::string_view::npos;
}

/// Settings, names of boards and lines of stacks stand in commands, scripts and quotes as well.
bool MeansAnEvent(Statement statement) {
  switch (statement) {
    case Statement::kGraphicsCard:
    case Statement::kSwitchBoard:
    case Statement::kIbDisabled:
    case Statement::kLaunchBlocking:
    case Statement::kLoaderWorkersFew:
    case Statement::kLoaderGet:
    case Statement::kGlobalLockWait:
    case Statement::kCollectiveStack:
      return false;
    default:
      return true;
  }
}

/// The first ones and the last.
void AddQuote(std::vector<QuotedLine>& quotes, QuotedLine quote) {
  if (quotes.size() > kQuotes) quotes.pop_back();
  quotes.push_back(std::move(quote));
}

/// `keep`: a line of its own kind, which later ones must not push out.
void Note(std::vector<StatementSeen>& seen, Statement statement, std::uint32_t number,
          std::string_view line, bool keep) {
  constexpr std::size_t kMostKept = 32;
  StatementSeen& entry = seen[static_cast<std::size_t>(statement)];
  entry.statement = statement;
  if (!entry.quotes.empty() && entry.quotes.back().line == number) return;
  ++entry.count;
  if (keep && entry.quotes.size() > kQuotes && entry.quotes.size() < kMostKept) {
    entry.quotes.insert(entry.quotes.end() - 1, Quote(number, line));
    return;
  }
  AddQuote(entry.quotes, Quote(number, line));
}

/// Rows with the same words, by the first of them: they differ in what else they ask for.
std::vector<std::vector<const StatementPattern*>> ByNeedle(
    std::span<const StatementPattern> patterns) {
  std::vector<std::vector<const StatementPattern*>> rows(patterns.size());
  std::map<std::string_view, std::size_t> first;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    rows[first.emplace(patterns[i].needle, i).first->second].push_back(&patterns[i]);
  }
  return rows;
}

}  // namespace

std::vector<StatementSeen> FindStatements(std::string_view text) {
  return StatementsAt(text, WordSearch().Search(text).statements);
}

std::vector<StatementSeen> StatementsAt(std::string_view text,
                                        const std::vector<NeedleSearch::Hit>& hits) {
  if (hits.empty()) return {};
  std::vector<StatementSeen> seen(static_cast<std::size_t>(Statement::kCount));
  std::set<int> xids;
  const std::vector<std::vector<const StatementPattern*>> rows = ByNeedle(StatementPatterns());
  LineCursor cursor;
  for (const NeedleSearch::Hit& hit : hits) {
    const std::string_view line = LineAround(text, hit.at);
    for (const StatementPattern* pattern : rows[hit.needle]) {
      if (!Matches(*pattern, line) || IsException(pattern->statement, line)) continue;
      if (MeansAnEvent(pattern->statement) &&
          IsMention(line, static_cast<std::size_t>(text.data() + hit.at - line.data()))) {
        continue;
      }
      Statement statement = pattern->statement;
      if (statement == Statement::kLoaderGet && IsOfSideThread(text, hit.at)) continue;
      bool first_of_kind = false;
      if (statement == Statement::kXidCause) {
        const std::optional<int> xid = XidNumber(line);
        if (!xid) continue;
        statement = XidStatement(*xid);
        first_of_kind = xids.insert(*xid).second;
      }
      Note(seen, statement, cursor.NumberOf(text, hit.at), line, first_of_kind);
    }
  }
  std::erase_if(seen, [](const StatementSeen& one) { return one.count == 0; });
  return seen;
}

void AddStatements(std::vector<StatementSeen> more, std::vector<StatementSeen>& into) {
  for (StatementSeen& seen : more) {
    const auto at =
        std::lower_bound(into.begin(), into.end(), seen.statement,
                         [](const StatementSeen& a, Statement b) { return a.statement < b; });
    if (at == into.end() || at->statement != seen.statement) {
      into.insert(at, std::move(seen));
      continue;
    }
    at->count += seen.count;
    for (QuotedLine& quote : seen.quotes) AddQuote(at->quotes, std::move(quote));
  }
}

}  // namespace gpuwhy
