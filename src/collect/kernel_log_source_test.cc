#include "collect/kernel_log_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <utility>

namespace gpuwhy {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class FakeKernelLog final : public KernelLog {
 public:
  explicit FakeKernelLog(Result<std::string> bytes) : bytes_(std::move(bytes)) {}
  Result<std::string> ReadNew(std::size_t /*limit*/) override { return bytes_; }

 private:
  Result<std::string> bytes_;
};

TEST(KernelLogSource, KeepsWhatMayTellOfFaultsWithItsTime) {
  Interner names;
  Capture capture;
  const std::unique_ptr<Source> source = MakeKernelLogSource(
      std::make_unique<FakeKernelLog>(std::string("4,8,5140900,-;NVRM: Xid (PCI:0000:3b:00): 79, "
                                                  "fallen off\n6,9,6000000,-;usb 1-1: new\n")),
      names);
  EXPECT_THAT(source->Look(capture), IsEmpty());
  ASSERT_THAT(capture.kernel_lines, SizeIs(1));
  EXPECT_EQ(capture.kernel_lines[0].at.ns, Nanos(std::chrono::microseconds(5'140'900)));
  EXPECT_EQ(names.NamesFrom(0).at(capture.kernel_lines[0].text),
            "[    5.140900] NVRM: Xid (PCI:0000:3b:00): 79, fallen off");
}

TEST(KernelLogSource, OfAStormTheLatestLinesAreKept) {
  std::string storm;
  for (int i = 0; i < 5000; ++i) storm += "4," + std::to_string(i) + ",1,-;nvme storm\n";
  storm += "4,5000,7,-;nvme last\n";
  Interner names;
  Capture capture;
  static_cast<void>(
      MakeKernelLogSource(std::make_unique<FakeKernelLog>(storm), names)->Look(capture));
  ASSERT_THAT(capture.kernel_lines, SizeIs(2000));
  EXPECT_EQ(capture.kernel_lines.back().at.ns, Nanos(std::chrono::microseconds(7)));
}

TEST(KernelLogSource, ALogThatMayNotBeReadIsNoPermission) {
  Interner names;
  Capture capture;
  const std::vector<Missing> missing =
      MakeKernelLogSource(
          std::make_unique<FakeKernelLog>(Error{"cannot be read", "/dev/kmsg", EPERM}), names)
          ->Look(capture);
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_EQ(missing[0].why, Why::kNoPermission);
}

}  // namespace
}  // namespace gpuwhy
