#include <gtest/gtest.h>

#include "os/dynamic_library.h"

namespace gpuwhy {
namespace {

TEST(RealDynamicLibrary, FindsWhatThereIsAndNothingElse) {
  const Result<std::shared_ptr<DynamicLibrary>> library =
      MakeRealLibraryLoader()->Open("libc.so.6");
  ASSERT_TRUE(library.ok()) << library.error().Text();
  EXPECT_NE((*library)->Find("getpid"), nullptr);
  EXPECT_EQ((*library)->Find("nvmlInit_v2"), nullptr);
}

TEST(RealDynamicLibrary, WhatCanNotBeOpenedIsNamed) {
  const Result<std::shared_ptr<DynamicLibrary>> library =
      MakeRealLibraryLoader()->Open("/nowhere/libx.so.1");
  ASSERT_FALSE(library.ok());
  EXPECT_EQ(library.error().where, "/nowhere/libx.so.1");
  EXPECT_NE(library.error().message, "");
}

}  // namespace
}  // namespace gpuwhy
