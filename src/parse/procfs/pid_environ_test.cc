#include "parse/procfs/pid_environ.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gpuwhy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string Environment(std::initializer_list<std::string_view> variables) {
  std::string text;
  for (const std::string_view variable : variables) text += std::string(variable) + '\0';
  return text;
}

TEST(PidEnviron, KeepsOnlyWhatIsKnown) {
  const std::string text = Environment({"HOME=/root", "OMP_NUM_THREADS=8", "HF_TOKEN=hf_secret",
                                        "CUDA_VISIBLE_DEVICES=0,1", "XCUDA_VISIBLE_DEVICES=7"});
  EXPECT_THAT(KnownVariables(text, '\0'), ElementsAre(Variable{"CUDA_VISIBLE_DEVICES", "0,1"},
                                                      Variable{"OMP_NUM_THREADS", "8"}));
}

TEST(PidEnviron, AnEmptyValueIsOneAndTheFirstCounts) {
  const std::string text = Environment({"CUDA_VISIBLE_DEVICES=", "CUDA_VISIBLE_DEVICES=3"});
  EXPECT_THAT(KnownVariables(text, '\0'), ElementsAre(Variable{"CUDA_VISIBLE_DEVICES", ""}));
}

TEST(PidEnviron, LeavesOutValuesThatAreNoSettings) {
  const std::string text =
      Environment({"NCCL_IB_HCA=mlx5\x1b[31m", "NCCL_PROTO", "=NCCL_ALGO",
                   "NCCL_ALGO=" + std::string(129, 'a'), "CUDA_DEVICE_ORDER=a\nNCCL_DEBUG=INFO"});
  EXPECT_THAT(KnownVariables(text, '\0'), IsEmpty());
  EXPECT_THAT(KnownVariables("", '\0'), IsEmpty());
}

TEST(PidEnviron, ASettingsFileHasLinesAndComments) {
  EXPECT_THAT(
      KnownVariables("# NCCL_ALGO=Ring\n NCCL_DEBUG = INFO # today\r\nNCCL_P2P_DISABLE=1", '\n'),
      ElementsAre(Variable{"NCCL_DEBUG", "INFO"}, Variable{"NCCL_P2P_DISABLE", "1"}));
}

TEST(PidEnviron, ReadsBackWhatItWrote) {
  const std::vector<Variable> kept = {{"CUDA_VISIBLE_DEVICES", ""}, {"NCCL_IB_HCA", "=mlx5_0:1"}};
  EXPECT_THAT(KnownVariables(AsLines(kept), '\n'), kept);
}

}  // namespace
}  // namespace gpuwhy
