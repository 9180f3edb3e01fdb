#include "derive/programs.h"

#include <algorithm>
#include <array>

namespace gpuwhy {
namespace {

template <std::size_t kCount>
bool IsAmong(const std::array<std::string_view, kCount>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 9> kLaunchers = {"torchrun", "accelerate", "deepspeed",
                                                        "mpirun",   "mpiexec",    "orterun",
                                                        "srun",     "slurmstepd", "hydra_pmi_prox"};

constexpr std::array<std::string_view, 26> kTools = {
    "bash", "sh",   "dash",  "zsh",     "ksh",      "fish",   "tmux: server", "screen", "sshd",
    "su",   "sudo", "xargs", "timeout", "make",     "gmake",  "ninja",        "cmake",  "ctest",
    "cc",   "gcc",  "g++",   "c++",     "collect2", "ccache", "sccache",      "cargo"};

constexpr std::array<std::string_view, 12> kDisplays = {
    "Xorg",          "Xwayland",      "gnome-shell", "kwin_x11", "kwin_wayland", "nvidia-persiste",
    "nv-hostengine", "dcgm-exporter", "nvidia-smi",  "nvtop",    "nvitop",       "gpustat"};

}  // namespace

ProgramKind KindOfProgram(std::string_view command) {
  if (IsAmong(kLaunchers, command)) return ProgramKind::kLauncher;
  if (IsAmong(kTools, command)) return ProgramKind::kTool;
  if (IsAmong(kDisplays, command)) return ProgramKind::kDisplay;
  return ProgramKind::kOther;
}

}  // namespace gpuwhy
