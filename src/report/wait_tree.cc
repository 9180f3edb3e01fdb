#include "report/wait_tree.h"

#include <algorithm>
#include <set>

#include "base/i18n.h"
#include "base/text.h"
#include "report/values.h"

namespace gpuwhy {
namespace {

// Deeper chains are not drawn: nobody reads them, and hostile input must not exhaust the stack.
constexpr std::size_t kMaxDepth = 12;

/// "3 loaders (7,8,9)" for a list of pids; another name of a group as it is.
std::string LoadersText(const std::string& id) {
  if (id.empty() || id.find_first_not_of("0123456789,") != std::string::npos) return Printable(id);
  const std::size_t count = 1 + static_cast<std::size_t>(std::count(id.begin(), id.end(), ','));
  return Format(TrN("{} loader ({})", "{} loaders ({})", count), count, id);
}

class Drawing {
 public:
  explicit Drawing(const Diagnosis& diagnosis) : diagnosis_(diagnosis) {}

  std::vector<std::string> Lines() {
    for (const WaitEdge& edge : diagnosis_.wait_chain) {
      if (IsWaitedFor(edge.from) || drawn_.contains(edge.from)) continue;
      Root(edge.from);
    }
    // Only circles are left: each starts where its first edge does.
    for (const WaitEdge& edge : diagnosis_.wait_chain) {
      if (!drawn_.contains(edge.from)) Root(edge.from);
    }
    return std::move(lines_);
  }

 private:
  [[nodiscard]] bool IsWaitedFor(const Subject& subject) const {
    return std::any_of(diagnosis_.wait_chain.begin(), diagnosis_.wait_chain.end(),
                       [&](const WaitEdge& edge) { return edge.to == subject; });
  }

  void Root(const Subject& subject) {
    lines_.push_back(NodeText(subject));
    Below(subject, 1);
  }

  void Below(const Subject& subject, std::size_t depth) {
    if (depth > kMaxDepth || !drawn_.insert(subject).second) return;
    std::vector<const WaitEdge*> edges;
    for (const WaitEdge& edge : diagnosis_.wait_chain) {
      if (edge.from == subject) edges.push_back(&edge);
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [](const WaitEdge* a, const WaitEdge* b) { return a->share > b->share; });
    for (const WaitEdge* edge : edges) {
      lines_.push_back(std::string(2 * depth, ' ') + EdgeText(*edge));
      Below(edge->to, depth + 1);
    }
  }

  // "<- pipe <- 3 loaders: 87 % (84-90 %)", "<- open on /data (fuse): 81 % [storage]"
  [[nodiscard]] std::string EdgeText(const WaitEdge& edge) const {
    const std::string share = PercentText(edge.share, edge.interval.low, edge.interval.high);
    const std::string kind = Printable(edge.kind);
    const std::string object = Printable(edge.object);
    if (!edge.resource.empty()) {
      const std::string what = object.empty() ? Printable(edge.to.id) : object;
      const bool is_named = !what.empty() && what != kind;
      const std::string end = is_named ? Format(_("{} on {}"), kind, what) : kind;
      // Requests and timers are no resource of the host.
      if (edge.resource == "none") return Format("<- {}: {}", end, share);
      return Format("<- {}: {} [{}]", end, share, Printable(edge.resource));
    }
    const std::string through =
        object.empty() || object.starts_with(kind) ? kind : kind + " " + object;
    return Format("<- {} <- {}: {}", through, NodeText(edge.to), share);
  }

  [[nodiscard]] std::string NodeText(const Subject& subject) const {
    if (subject.kind == SubjectKind::kThreadGroup) return LoadersText(subject.id);
    const std::string text = Printable(subject.Text());
    const bool is_consumer = subject.kind == SubjectKind::kProcess && !diagnosis_.jobs.empty() &&
                             subject.id == std::to_string(diagnosis_.jobs.front().consumer_pid);
    return is_consumer ? Format(_("{} (consumer)"), text) : text;
  }

  const Diagnosis& diagnosis_;
  std::set<Subject> drawn_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> WaitTree(const Diagnosis& diagnosis) { return Drawing(diagnosis).Lines(); }

}  // namespace gpuwhy
