#include "trace/importers/nsys_sqlite.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace gpuwhy::trace {
namespace {

constexpr std::int64_t kPid = 100;
constexpr std::int64_t kGlobalPid = kPid << 24;
constexpr std::int64_t kGlobalTid = kGlobalPid | 7;

class NsysSqlite : public testing::Test {
 protected:
  NsysSqlite()
      : path_(testing::TempDir() + "nsys test?#%" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".sqlite") {
    std::remove(path_.c_str());
  }
  ~NsysSqlite() override { std::remove(path_.c_str()); }
  NsysSqlite(const NsysSqlite&) = delete;
  NsysSqlite& operator=(const NsysSqlite&) = delete;

  void Make(const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &db), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_close(db);
  }
  Timeline Import() const {
    Result<Timeline> timeline = ImportNsysSqlite(path_);
    EXPECT_TRUE(timeline.ok()) << (timeline.ok() ? "" : timeline.error().Text());
    return timeline.ok() ? *std::move(timeline) : Timeline{};
  }

  std::string path_;
};

std::string Pid() { return std::to_string(kGlobalPid); }
std::string Tid() { return std::to_string(kGlobalTid); }

std::string Kernels() {
  return "CREATE TABLE StringIds(id INTEGER, value TEXT);"
         "INSERT INTO StringIds VALUES(1,'gemm'),(2,'ncclDevKernel_SendRecv'),"
         "(3,'cudaLaunchKernel_v7000');"
         "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INT, end INT, deviceId INT, streamId INT,"
         " correlationId INT, globalPid INT, demangledName INT, shortName INT);"
         "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(100,200,0,7,5," +
         Pid() +
         ",1,1),"
         "(200,200,1,7,6," +
         Pid() + ",2,2),(300,250,0,7,7," + Pid() + ",1,1);";
}

TEST_F(NsysSqlite, ReadsDeviceWorkAndItsLaunches) {
  Make(Kernels() +
       "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INT, end INT, deviceId INT, streamId INT,"
       " correlationId INT, globalPid INT, copyKind INT, srcKind INT, dstKind INT, bytes INT);"
       "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES(10,20,0,7,1," +
       Pid() +
       ",1,0,2,4096),"
       "(20,30,0,7,2," +
       Pid() + ",2,2,1,8),(30,40,0,7,3," + Pid() +
       ",8,2,2,8),"
       "(40,50,0,7,4," +
       Pid() + ",10,2,2,8),(50,60,0,7,4," + Pid() +
       ",99,2,2,8);"
       "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INT, end INT, deviceId INT, streamId INT);"
       "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES(60,70,0,7);"
       "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INT, end INT, eventClass INT,"
       " globalTid INT, correlationId INT, nameId INT);"
       "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(90,95,0," +
       Tid() +
       ",5,3);"
       "CREATE TABLE NVTX_EVENTS(start INT, end INT, eventType INT, text TEXT, globalTid INT);"
       "INSERT INTO NVTX_EVENTS VALUES(80,300,59,'step 1'," +
       Tid() +
       "),"
       "(80,NULL,34,'mark'," +
       Tid() + ");");
  const Timeline t = Import();
  ASSERT_EQ(t.device.size(), 8U);
  EXPECT_EQ(t.lost.at("negative-duration"), 1U);
  EXPECT_EQ(t.device.work[0], Work::kCompute);
  EXPECT_EQ(t.names.Text(t.device.name[0]), "gemm");
  EXPECT_EQ(t.device.work[1], Work::kComm);
  EXPECT_EQ(t.device.work[2], Work::kH2D);
  EXPECT_EQ(t.device.host_memory[2], HostMemory::kPageable);
  EXPECT_EQ(t.device.bytes[2], 4096U);
  EXPECT_EQ(t.device.work[3], Work::kD2H);
  EXPECT_EQ(t.device.host_memory[3], HostMemory::kPinned);
  EXPECT_EQ(t.device.work[4], Work::kD2D);
  EXPECT_EQ(t.device.work[5], Work::kP2P);
  EXPECT_EQ(t.device.work[6], Work::kMemcpyOther);
  EXPECT_EQ(t.device.work[7], Work::kMemset);
  EXPECT_EQ(t.device.correlation[7], -1);
  ASSERT_EQ(t.host.size(), 2U);
  EXPECT_EQ(t.host.correlation[0], t.device.correlation[0]);
  EXPECT_EQ(t.host.kind[1], HostKind::kAnnotation);
  EXPECT_EQ(t.resolution_ns, 1);
}

TEST_F(NsysSqlite, TwoProcessesDoNotShareTheirCorrelations) {
  const std::string other = std::to_string((kPid + 1) << 24);
  Make(Kernels() + "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1,2,0,7,5," + other + ",1,1);");
  const Timeline t = Import();
  EXPECT_NE(t.device.correlation[0], t.device.correlation.back());
}

TEST_F(NsysSqlite, SaysWhereGraphsHideTheirKernels) {
  Make(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start INT, end INT, deviceId INT,"
      " streamId INT, correlationId INT, globalPid INT);"
      "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES(1,9,0,7,1," +
      Pid() + ");");
  const Timeline t = Import();
  EXPECT_EQ(t.device.size(), 1U);
  EXPECT_EQ(t.problems.size(), 1U);
}

TEST_F(NsysSqlite, RefusesAnExportWithoutCudaAndNamesItsTables) {
  Make("CREATE TABLE ThreadNames(nameId INT);");
  const Result<Timeline> timeline = ImportNsysSqlite(path_);
  ASSERT_FALSE(timeline.ok());
  EXPECT_NE(timeline.error().Text().find("ThreadNames"), std::string::npos);
}

TEST_F(NsysSqlite, RefusesWhatIsNoDatabase) {
  std::ofstream(path_)
      << "SQLite format 3, or so it says. It goes on for a while but is no such thing.";
  EXPECT_FALSE(ImportNsysSqlite(path_).ok());
  EXPECT_FALSE(ImportNsysSqlite(path_ + ".absent").ok());
}

TEST_F(NsysSqlite, UsesWhatIsWholeOfACutFile) {
  std::string rows = Kernels() +
                     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL"
                     " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n"
                     " WHERE i < 5000) SELECT 1000+i,1001+i,0,7,i," +
                     Pid() + ",1,1 FROM n;";
  Make(rows);
  std::ifstream in(path_, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  in.close();
  std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes.substr(0, bytes.size() * 2 / 3);
  const Result<Timeline> timeline = ImportNsysSqlite(path_);
  // SQLite may refuse the file at once or when a scan meets the cut: either is said, none crashes.
  if (timeline.ok()) {
    EXPECT_FALSE(timeline->problems.empty());
  }
}

}  // namespace
}  // namespace gpuwhy::trace
