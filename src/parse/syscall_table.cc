#include "parse/syscall_table.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace gpuwhy {
namespace {

struct Row {
  std::int64_t number;
  SyscallMeaning meaning;
};

// Sorted by number. A call that is missing here is kOther: nothing is concluded from it.
constexpr Row kX8664[] = {
    {0, {Syscall::kRead, CallShape::kFd}},
    {1, {Syscall::kWrite, CallShape::kFdWrite}},
    {2, {Syscall::kOpen, CallShape::kPath}},
    {3, {Syscall::kClose, CallShape::kFd}},
    {4, {Syscall::kStat, CallShape::kPath}},
    {5, {Syscall::kFstat, CallShape::kFd}},
    {6, {Syscall::kLstat, CallShape::kPath}},
    {7, {Syscall::kPoll, CallShape::kPoll}},
    {9, {Syscall::kMmap, CallShape::kNone}},
    {11, {Syscall::kMunmap, CallShape::kNone}},
    {16, {Syscall::kIoctl, CallShape::kFd}},
    {17, {Syscall::kPread, CallShape::kFd}},        // pread64
    {18, {Syscall::kPwrite, CallShape::kFdWrite}},  // pwrite64
    {19, {Syscall::kReadv, CallShape::kFd}},
    {20, {Syscall::kWritev, CallShape::kFdWrite}},
    {21, {Syscall::kAccess, CallShape::kPath}},
    {23, {Syscall::kSelect, CallShape::kSelect}},
    {26, {Syscall::kMsync, CallShape::kNone}},
    {34, {Syscall::kPause, CallShape::kNone}},
    {35, {Syscall::kNanosleep, CallShape::kTimer}},
    {40, {Syscall::kSendfile, CallShape::kFdOutIn}},
    {42, {Syscall::kConnect, CallShape::kFdWrite}},
    {43, {Syscall::kAccept, CallShape::kFd}},
    {44, {Syscall::kSendto, CallShape::kFdWrite}},
    {45, {Syscall::kRecvfrom, CallShape::kFd}},
    {46, {Syscall::kSendmsg, CallShape::kFdWrite}},
    {47, {Syscall::kRecvmsg, CallShape::kFd}},
    {58, {Syscall::kVfork, CallShape::kNone}},
    {61, {Syscall::kWait4, CallShape::kNone}},
    {65, {Syscall::kSemop, CallShape::kSysv}},
    {69, {Syscall::kMsgsnd, CallShape::kSysv}},
    {70, {Syscall::kMsgrcv, CallShape::kSysv}},
    {72, {Syscall::kFcntl, CallShape::kFd}},
    {73, {Syscall::kFlock, CallShape::kFd}},
    {74, {Syscall::kFsync, CallShape::kFdWrite}},
    {75, {Syscall::kFdatasync, CallShape::kFdWrite}},
    {76, {Syscall::kTruncate, CallShape::kPath}},
    {77, {Syscall::kTruncate, CallShape::kFdWrite}},  // ftruncate
    {78, {Syscall::kGetdents, CallShape::kFd}},
    {82, {Syscall::kRename, CallShape::kPath}},
    {83, {Syscall::kMkdir, CallShape::kPath}},
    {85, {Syscall::kCreat, CallShape::kPath}},
    {87, {Syscall::kUnlink, CallShape::kPath}},
    {89, {Syscall::kReadlink, CallShape::kPath}},
    {128, {Syscall::kSigtimedwait, CallShape::kNone}},  // rt_sigtimedwait
    {130, {Syscall::kSigsuspend, CallShape::kNone}},    // rt_sigsuspend
    {162, {Syscall::kSync, CallShape::kNone}},
    {202, {Syscall::kFutex, CallShape::kFutex}},
    {208, {Syscall::kIoGetevents, CallShape::kNone}},
    {217, {Syscall::kGetdents, CallShape::kFd}},  // getdents64
    {220, {Syscall::kSemtimedop, CallShape::kSysv}},
    {230, {Syscall::kClockNanosleep, CallShape::kTimer}},
    {232, {Syscall::kEpollWait, CallShape::kEpoll}},
    {242, {Syscall::kMqTimedsend, CallShape::kFdWrite}},
    {243, {Syscall::kMqTimedreceive, CallShape::kFd}},
    {247, {Syscall::kWaitid, CallShape::kNone}},
    {257, {Syscall::kOpenat, CallShape::kPathAt}},
    {258, {Syscall::kMkdir, CallShape::kPathAt}},  // mkdirat
    {262, {Syscall::kNewfstatat, CallShape::kPathAt}},
    {263, {Syscall::kUnlink, CallShape::kPathAt}},    // unlinkat
    {264, {Syscall::kRename, CallShape::kPathAt}},    // renameat
    {267, {Syscall::kReadlink, CallShape::kPathAt}},  // readlinkat
    {269, {Syscall::kAccess, CallShape::kPathAt}},    // faccessat
    {270, {Syscall::kPselect, CallShape::kSelect}},   // pselect6
    {271, {Syscall::kPpoll, CallShape::kPoll}},
    {275, {Syscall::kSplice, CallShape::kFdInOut}},
    {277, {Syscall::kSyncFileRange, CallShape::kFdWrite}},
    {281, {Syscall::kEpollPwait, CallShape::kEpoll}},
    {288, {Syscall::kAccept4, CallShape::kFd}},
    {295, {Syscall::kPreadv, CallShape::kFd}},
    {296, {Syscall::kPwritev, CallShape::kFdWrite}},
    {299, {Syscall::kRecvmmsg, CallShape::kFd}},
    {306, {Syscall::kSync, CallShape::kFdWrite}},  // syncfs
    {307, {Syscall::kSendmmsg, CallShape::kFdWrite}},
    {316, {Syscall::kRename, CallShape::kPathAt}},  // renameat2
    {326, {Syscall::kCopyFileRange, CallShape::kFdInOut}},
    {327, {Syscall::kPreadv, CallShape::kFd}},        // preadv2
    {328, {Syscall::kPwritev, CallShape::kFdWrite}},  // pwritev2
    {332, {Syscall::kStatx, CallShape::kPathAt}},
    {333, {Syscall::kIoGetevents, CallShape::kNone}},  // io_pgetevents
    {426, {Syscall::kIoUringEnter, CallShape::kFd}},
    {437, {Syscall::kOpenat2, CallShape::kPathAt}},
    {439, {Syscall::kAccess, CallShape::kPathAt}},     // faccessat2
    {441, {Syscall::kEpollPwait, CallShape::kEpoll}},  // epoll_pwait2
    {449, {Syscall::kFutexWaitv, CallShape::kFutexVector}},
};

// The numbers of asm-generic/unistd.h, which aarch64 and riscv64 use.
constexpr Row kGeneric[] = {
    {4, {Syscall::kIoGetevents, CallShape::kNone}},
    {22, {Syscall::kEpollPwait, CallShape::kEpoll}},
    {25, {Syscall::kFcntl, CallShape::kFd}},
    {29, {Syscall::kIoctl, CallShape::kFd}},
    {32, {Syscall::kFlock, CallShape::kFd}},
    {34, {Syscall::kMkdir, CallShape::kPathAt}},   // mkdirat
    {35, {Syscall::kUnlink, CallShape::kPathAt}},  // unlinkat
    {38, {Syscall::kRename, CallShape::kPathAt}},  // renameat
    {45, {Syscall::kTruncate, CallShape::kPath}},
    {46, {Syscall::kTruncate, CallShape::kFdWrite}},  // ftruncate
    {48, {Syscall::kAccess, CallShape::kPathAt}},     // faccessat
    {56, {Syscall::kOpenat, CallShape::kPathAt}},
    {57, {Syscall::kClose, CallShape::kFd}},
    {61, {Syscall::kGetdents, CallShape::kFd}},  // getdents64
    {63, {Syscall::kRead, CallShape::kFd}},
    {64, {Syscall::kWrite, CallShape::kFdWrite}},
    {65, {Syscall::kReadv, CallShape::kFd}},
    {66, {Syscall::kWritev, CallShape::kFdWrite}},
    {67, {Syscall::kPread, CallShape::kFd}},        // pread64
    {68, {Syscall::kPwrite, CallShape::kFdWrite}},  // pwrite64
    {69, {Syscall::kPreadv, CallShape::kFd}},
    {70, {Syscall::kPwritev, CallShape::kFdWrite}},
    {71, {Syscall::kSendfile, CallShape::kFdOutIn}},
    {72, {Syscall::kPselect, CallShape::kSelect}},  // pselect6
    {73, {Syscall::kPpoll, CallShape::kPoll}},
    {76, {Syscall::kSplice, CallShape::kFdInOut}},
    {78, {Syscall::kReadlink, CallShape::kPathAt}},  // readlinkat
    {79, {Syscall::kNewfstatat, CallShape::kPathAt}},
    {80, {Syscall::kFstat, CallShape::kFd}},
    {81, {Syscall::kSync, CallShape::kNone}},
    {82, {Syscall::kFsync, CallShape::kFdWrite}},
    {83, {Syscall::kFdatasync, CallShape::kFdWrite}},
    {84, {Syscall::kSyncFileRange, CallShape::kFdWrite}},
    {95, {Syscall::kWaitid, CallShape::kNone}},
    {98, {Syscall::kFutex, CallShape::kFutex}},
    {101, {Syscall::kNanosleep, CallShape::kTimer}},
    {115, {Syscall::kClockNanosleep, CallShape::kTimer}},
    {133, {Syscall::kSigsuspend, CallShape::kNone}},    // rt_sigsuspend
    {137, {Syscall::kSigtimedwait, CallShape::kNone}},  // rt_sigtimedwait
    {182, {Syscall::kMqTimedsend, CallShape::kFdWrite}},
    {183, {Syscall::kMqTimedreceive, CallShape::kFd}},
    {188, {Syscall::kMsgrcv, CallShape::kSysv}},
    {189, {Syscall::kMsgsnd, CallShape::kSysv}},
    {192, {Syscall::kSemtimedop, CallShape::kSysv}},
    {193, {Syscall::kSemop, CallShape::kSysv}},
    {202, {Syscall::kAccept, CallShape::kFd}},
    {203, {Syscall::kConnect, CallShape::kFdWrite}},
    {206, {Syscall::kSendto, CallShape::kFdWrite}},
    {207, {Syscall::kRecvfrom, CallShape::kFd}},
    {211, {Syscall::kSendmsg, CallShape::kFdWrite}},
    {212, {Syscall::kRecvmsg, CallShape::kFd}},
    {215, {Syscall::kMunmap, CallShape::kNone}},
    {222, {Syscall::kMmap, CallShape::kNone}},
    {227, {Syscall::kMsync, CallShape::kNone}},
    {242, {Syscall::kAccept4, CallShape::kFd}},
    {243, {Syscall::kRecvmmsg, CallShape::kFd}},
    {260, {Syscall::kWait4, CallShape::kNone}},
    {267, {Syscall::kSync, CallShape::kFdWrite}},  // syncfs
    {269, {Syscall::kSendmmsg, CallShape::kFdWrite}},
    {276, {Syscall::kRename, CallShape::kPathAt}},  // renameat2
    {285, {Syscall::kCopyFileRange, CallShape::kFdInOut}},
    {286, {Syscall::kPreadv, CallShape::kFd}},        // preadv2
    {287, {Syscall::kPwritev, CallShape::kFdWrite}},  // pwritev2
    {291, {Syscall::kStatx, CallShape::kPathAt}},
    {292, {Syscall::kIoGetevents, CallShape::kNone}},  // io_pgetevents
    {426, {Syscall::kIoUringEnter, CallShape::kFd}},
    {437, {Syscall::kOpenat2, CallShape::kPathAt}},
    {439, {Syscall::kAccess, CallShape::kPathAt}},     // faccessat2
    {441, {Syscall::kEpollPwait, CallShape::kEpoll}},  // epoll_pwait2
    {449, {Syscall::kFutexWaitv, CallShape::kFutexVector}},
};

std::span<const Row> TableOf(std::string_view machine) {
  if (machine == "x86_64") return kX8664;
  if (machine == "aarch64" || machine == "arm64" || machine == "riscv64") return kGeneric;
  return {};
}

}  // namespace

SyscallMeaning MeaningOf(std::string_view machine, std::int64_t number) {
  if (number < 0) return {Syscall::kNone, CallShape::kNone};
  const std::span<const Row> table = TableOf(machine);
  const auto row = std::lower_bound(table.begin(), table.end(), number,
                                    [](const Row& r, std::int64_t n) { return r.number < n; });
  return row != table.end() && row->number == number ? row->meaning : SyscallMeaning{};
}

}  // namespace gpuwhy
