#include "report/wait_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/test_diagnosis.h"

namespace gpuwhy {
namespace {

using ::testing::ElementsAre;

Subject Process(const char* pid) { return {SubjectKind::kProcess, pid}; }

WaitEdge Edge(const char* from, const char* to, double share) {
  WaitEdge edge;
  edge.from = Process(from);
  edge.to = Process(to);
  edge.kind = "pipe";
  edge.share = share;
  return edge;
}

TEST(WaitTree, IsDrawnFromTheConsumerDownToWhereItEnds) {
  EXPECT_THAT(WaitTree(StarvedJob()),
              ElementsAre("process:4242 (consumer)", "  <- pipe <- 3 loaders: 87 % (84-90 %)",
                          "    <- open on /data (fuse.nfs): 81 % (78-84 %) [storage]",
                          "    <- run-queue: 4 % [cpu]"));
}

TEST(WaitTree, PutsTheLargestShareFirst) {
  Diagnosis diagnosis;
  diagnosis.wait_chain = {Edge("1", "2", 0.2), Edge("1", "3", 0.7)};
  EXPECT_THAT(WaitTree(diagnosis), ElementsAre("process:1", "  <- pipe <- process:3: 70 %",
                                               "  <- pipe <- process:2: 20 %"));
}

TEST(WaitTree, CountsTheLoadersOfAGroup) {
  Diagnosis diagnosis;
  diagnosis.wait_chain = {Edge("1", "2", 0.5)};
  diagnosis.wait_chain[0].to = {SubjectKind::kThreadGroup, "7,8,9"};
  EXPECT_THAT(WaitTree(diagnosis),
              ElementsAre("process:1", "  <- pipe <- 3 loaders (7,8,9): 50 %"));
}

TEST(WaitTree, NamesRequestsOnceAndAsNoResource) {
  Diagnosis diagnosis;
  diagnosis.wait_chain = {Edge("1", "requests", 1)};
  diagnosis.wait_chain[0].kind = "requests";
  diagnosis.wait_chain[0].resource = "none";
  EXPECT_THAT(WaitTree(diagnosis), ElementsAre("process:1", "  <- requests: 100 %"));
}

TEST(WaitTree, EndsInACircle) {
  Diagnosis diagnosis;
  diagnosis.wait_chain = {Edge("1", "2", 0.5), Edge("2", "1", 0.5)};
  EXPECT_THAT(WaitTree(diagnosis), ElementsAre("process:1", "  <- pipe <- process:2: 50 %",
                                               "    <- pipe <- process:1: 50 %"));
}

TEST(WaitTree, IsEmptyWithoutAChain) { EXPECT_THAT(WaitTree(Diagnosis{}), ElementsAre()); }

TEST(WaitTree, DoesNotFollowAnEndlessChain) {
  Diagnosis diagnosis;
  for (int i = 0; i < 5000; ++i) {
    diagnosis.wait_chain.push_back(
        Edge(std::to_string(i).c_str(), std::to_string(i + 1).c_str(), 1));
  }
  EXPECT_LE(WaitTree(diagnosis).size(), 5001U * 2);
}

}  // namespace
}  // namespace gpuwhy
