#include <dlfcn.h>

#include <utility>

#include "os/dynamic_library.h"

namespace gpuwhy {
namespace {

class RealDynamicLibrary final : public DynamicLibrary {
 public:
  explicit RealDynamicLibrary(void* handle) : handle_(handle) {}
  // dlclose is left out on purpose: see DynamicLibrary.
  void* Find(const char* symbol) override { return ::dlsym(handle_, symbol); }

 private:
  void* handle_;
};

class RealLibraryLoader final : public LibraryLoader {
 public:
  Result<std::shared_ptr<DynamicLibrary>> Open(const std::string& name) override {
    void* handle = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      // Of this thread alone (glibc), although the checker does not know it.
      const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe)
      return Error{why == nullptr ? "" : why, name, 0};
    }
    return std::shared_ptr<DynamicLibrary>(std::make_shared<RealDynamicLibrary>(handle));
  }
};

}  // namespace

std::shared_ptr<LibraryLoader> MakeRealLibraryLoader() {
  return std::make_shared<RealLibraryLoader>();
}

}  // namespace gpuwhy
