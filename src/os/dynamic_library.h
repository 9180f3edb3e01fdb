// The edge to libraries that may be there or not, and are not ours.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace gpuwhy {

/// An open library. It is never unloaded: a thread may hang inside it.
class DynamicLibrary {
 public:
  DynamicLibrary() = default;
  DynamicLibrary(const DynamicLibrary&) = delete;
  DynamicLibrary& operator=(const DynamicLibrary&) = delete;
  virtual ~DynamicLibrary() = default;

  /// Address of a function; nullptr where this version of the library has none of that name.
  virtual void* Find(const char* symbol) = 0;
};

class LibraryLoader {
 public:
  LibraryLoader() = default;
  LibraryLoader(const LibraryLoader&) = delete;
  LibraryLoader& operator=(const LibraryLoader&) = delete;
  virtual ~LibraryLoader() = default;

  /// name: a path, or a name for the dynamic linker to look for. Runs the library's own start code,
  /// and so may take as long as that likes. Error: in the linker's words.
  virtual Result<std::shared_ptr<DynamicLibrary>> Open(const std::string& name) = 0;
};

/// By dlopen. Stateless: safe for concurrent use.
[[nodiscard]] std::shared_ptr<LibraryLoader> MakeRealLibraryLoader();

}  // namespace gpuwhy
