// Replays seeds through a fuzz target without libFuzzer, so that every compiler and sanitizer runs
// them as an ordinary test. Each seed lies in an allocation of exactly its size: one byte too far
// is an overrun that AddressSanitizer sees.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool Replay(const std::filesystem::path& seed) {
  std::ifstream file(seed, std::ios::binary | std::ios::ate);
  const std::streamoff length = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (length < 0) return false;
  const auto size = static_cast<std::size_t>(length);
  const std::unique_ptr<std::uint8_t[]> bytes(new std::uint8_t[size]);
  file.seekg(0);
  // char may alias anything
  if (size > 0 && !file.read(reinterpret_cast<char*>(bytes.get()), length)) return false;
  (void)LLVMFuzzerTestOneInput(bytes.get(), size);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: fuzz_NAME SEED_FOLDER\n", stderr);
    return 2;
  }
  std::error_code error;
  std::vector<std::filesystem::path> seeds;
  for (std::filesystem::directory_iterator entry(argv[1], error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file()) seeds.push_back(entry->path());
  }
  if (error || seeds.empty()) {
    std::fprintf(stderr, "%s: no seeds\n", argv[1]);
    return 1;
  }
  std::sort(seeds.begin(), seeds.end());
  for (const std::filesystem::path& seed : seeds) {
    if (!Replay(seed)) {
      std::fprintf(stderr, "%s: cannot be read\n", seed.c_str());
      return 1;
    }
  }
  std::printf("%zu seeds replayed\n", seeds.size());
  return 0;
}
