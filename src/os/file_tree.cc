#include "os/file_tree.h"

#include <cerrno>

namespace gpuwhy {
namespace {

Why WhyOf(int sys_errno) {
  switch (sys_errno) {
    case EACCES:
    case EPERM:
      return Why::kNoPermission;
    case ENOENT:
    case ESRCH:
    case ENOTDIR:
      return Why::kNotPresent;
    case ENOSYS:
    case EOPNOTSUPP:
    case ENODEV:
      return Why::kNotSupported;
    case ETIMEDOUT:
      return Why::kTimedOut;
    default:
      return Why::kFailed;
  }
}

}  // namespace

Missing ToMissing(const Error& error) { return {WhyOf(error.sys_errno), error.Text()}; }

}  // namespace gpuwhy
