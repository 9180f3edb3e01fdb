#include "parse/procfs/pci_config.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace gpuwhy {
namespace {

void Put(std::string& config, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) config[at + i] = static_cast<char>(value >> (8 * i) & 0xffU);
}

/// Error reporting at 0x100, access control behind it.
std::string Bridge(std::uint32_t control) {
  std::string config(4096, '\0');
  Put(config, 0x100, 0x14820001);
  Put(config, 0x148, 0x0001000d);
  Put(config, 0x14c, control << 16U | 0x5fU);
  return config;
}

TEST(PciConfig, TellsWhatAPortRedirects) {
  const Reading<AccessControl> on = ParseAccessControl(Bridge(0x1d));
  ASSERT_TRUE(on);
  EXPECT_EQ(*on, (AccessControl{true, true, true, true}));
  EXPECT_EQ(AsLspci(*on), "ACSCtl: SrcValid+ ReqRedir+ CmpltRedir+ UpstreamFwd+");
  EXPECT_EQ(AsLspci(ParseAccessControl(Bridge(0)).ValueOr({true, true, true, true})),
            "ACSCtl: SrcValid- ReqRedir- CmpltRedir- UpstreamFwd-");
}

TEST(PciConfig, WhatIsCutForOrdinaryUsersIsNoPermission) {
  EXPECT_EQ(ParseAccessControl(Bridge(0x1d).substr(0, 64)).missing().why, Why::kNoPermission);
  EXPECT_EQ(ParseAccessControl("").missing().why, Why::kNoPermission);
}

TEST(PciConfig, AFunctionWithoutIt) {
  std::string config(4096, '\0');
  EXPECT_EQ(ParseAccessControl(config).missing().why, Why::kNotPresent);
  Put(config, 0x100, 0xffffffff);
  EXPECT_FALSE(ParseAccessControl(config)) << "the device is gone";
}

TEST(PciConfig, ListsThatLeadNowhere) {
  std::string loop(4096, '\0');
  Put(loop, 0x100, 0x10010001);
  EXPECT_EQ(ParseAccessControl(loop).missing().why, Why::kNotPresent);
  EXPECT_FALSE(ParseAccessControl(Bridge(0x1d).substr(0, 0x14e))) << "cut in the register";
}

}  // namespace
}  // namespace gpuwhy
