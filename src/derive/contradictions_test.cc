#include "derive/contradictions.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

GpuLook Look(const std::string& file, const std::string& uuid, const std::string& bus_id) {
  GpuLook look;
  look.file = file;
  look.uuid = uuid;
  look.bus_id = bus_id;
  look.line = 7;
  return look;
}

void Say(GpuLook& look, GpuField field, const std::string& text) {
  look.values.push_back({field, PastedValue(text), 3});
}

std::vector<Blind> NotesOf(std::vector<GpuLook> looks) {
  Capture capture;
  capture.pasted.gpus = std::move(looks);
  FactSet facts;
  NoteContradictions(capture, facts);
  return facts.blinds;
}

TEST(Contradictions, DriversOfTwoFilesThatDifferAreNoted) {
  GpuLook one = Look("a.txt", "", "");
  GpuLook other = Look("b.txt", "", "");
  Say(one, GpuField::kDriver, "550.120");
  Say(other, GpuField::kDriver, "535.129.03");
  const std::vector<Blind> notes = NotesOf({one, other});
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].why.find("a.txt:3"), std::string::npos);
  EXPECT_NE(notes[0].why.find("535.129.03"), std::string::npos);
  EXPECT_TRUE(notes[0].hides.empty());
  EXPECT_TRUE(NotesOf({one, one}).empty());
}

TEST(Contradictions, DriversWithinOneFileAreTwoMoments) {
  GpuLook one = Look("a.txt", "", "");
  GpuLook other = Look("a.txt", "", "");
  Say(one, GpuField::kDriver, "550.120");
  Say(other, GpuField::kDriver, "535.129.03");
  EXPECT_TRUE(NotesOf({one, other}).empty());
}

TEST(Contradictions, TwoBoardsAtOneAddressAreOfTwoHosts) {
  const GpuLook one = Look("a.txt", "GPU-1", "00000000:3B:00.0");
  EXPECT_EQ(NotesOf({one, Look("b.txt", "GPU-2", "3b:00.0")}).size(), 1U);
  EXPECT_TRUE(NotesOf({one, Look("b.txt", "GPU-1", "3b:00.0")}).empty());
  EXPECT_TRUE(NotesOf({one, Look("b.txt", "GPU-2", "3c:00.0")}).empty());
  EXPECT_TRUE(NotesOf({one, Look("b.txt", "", "3b:00.0")}).empty());
}

TEST(Contradictions, OutputsOfOtherDaysAreNotedAndMidnightIsNot) {
  GpuLook one = Look("a.txt", "", "");
  GpuLook next = Look("b.txt", "", "");
  GpuLook later = Look("c.txt", "", "");
  GpuLook odd = Look("d.txt", "", "");
  Say(one, GpuField::kTimestamp, "Sat Feb 28 23:59:58 2026");
  Say(next, GpuField::kTimestamp, "Sun Mar  1 00:00:03 2026");
  Say(later, GpuField::kTimestamp, "Tue Mar  3 10:11:12 2026");
  Say(odd, GpuField::kTimestamp, "yesterday");
  EXPECT_TRUE(NotesOf({one, next}).empty());
  EXPECT_EQ(NotesOf({one, later}).size(), 1U);
  EXPECT_TRUE(NotesOf({one, odd}).empty());
}

}  // namespace
}  // namespace gpuwhy
