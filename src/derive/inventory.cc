#include "derive/inventory.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "derive/devices.h"
#include "derive/fact_writer.h"

namespace gpuwhy {
namespace {

/// One link with its two ends, as far as they tell.
struct Link {
  std::string name;
  double able = 0;  ///< GT/s times lanes that both ends can; 0: not told
  Reading<double> width_now, width_able, speed_able;
};

/// The smaller of two limits; one of them where the other is not told.
Reading<double> Lower(const Reading<double>& one, const Reading<double>& two) {
  if (!one) return two;
  if (!two) return one;
  return std::min(*one, *two);
}

Link LinkOf(const PciHop& below, const PciHop* above) {
  const PciHop& other = above == nullptr ? below : *above;
  Link link;
  link.name = above == nullptr ? below.address : other.address + " - " + below.address;
  link.speed_able = Lower(below.speed_able, other.speed_able);
  link.width_able = Lower(below.width_able, other.width_able);
  link.width_now = Lower(below.width_now, other.width_now);
  if (link.speed_able && link.width_able) link.able = *link.speed_able * *link.width_able;
  return link;
}

/// A function and the port above it are the ends of one link, the two ports of a switch are not:
/// from the function up, the ends come in pairs.
std::vector<Link> LinksOf(const PciFunction& function) {
  std::vector<Link> links;
  for (std::size_t i = 0; i < function.way.size(); i += 2) {
    const bool paired = i + 1 < function.way.size();
    links.push_back(LinkOf(function.way[i], paired ? &function.way[i + 1] : nullptr));
  }
  return links;
}

double GenerationOf(double speed) {
  constexpr double kSpeeds[] = {2.5, 5, 8, 16, 32, 64, 128};
  for (std::size_t i = 0; i < std::size(kSpeeds); ++i) {
    if (speed == kSpeeds[i]) return static_cast<double>(i + 1);
  }
  return 0;
}

class FunctionFacts {
 public:
  FunctionFacts(const PciFunction& function, Subject subject, FactSet& facts)
      : function_(function), subject_(std::move(subject)), facts_(facts) {}

  void Write() {
    WriteWay();
    if (facts_.Find(FactId::kGpuLinkWidth, subject_) == nullptr) WriteOwnLink();
    Put(FactId::kGpuNumaNode, function_.numa_node, "numa_node");
    Put(FactId::kGpuAerUncorrected, function_.uncorrected, "aer_dev_nonfatal");
    Put(FactId::kGpuAerCorrected, function_.corrected, "aer_dev_correctable");
    if (function_.corrected_rate) {
      Writer("aer_dev_correctable", Origin::kComputed)
          .Counted(FactId::kGpuAerRate, subject_, StatKind::kMean, function_.corrected_rate);
    }
  }

 private:
  FactWriter Writer(const char* file, Origin origin = Origin::kRead) {
    return {facts_, facts_.window, {"sysfs", function_.path + "/" + file, origin}};
  }
  void Put(FactId id, const Reading<double>& value, const char* file) {
    if (value) Writer(file).Counted(id, subject_, StatKind::kLast, value);
  }

  /// Without the driver's own figures those of the bus are all there is.
  void WriteOwnLink() {
    const Link own = LinksOf(function_).front();
    const PciHop& card = function_.way.front();
    Put(FactId::kGpuLinkWidth, card.width_now, "current_link_width");
    Put(FactId::kGpuLinkWidthMax, card.width_able, "max_link_width");
    const auto generation = [&](FactId id, const Reading<double>& speed, const char* file) {
      if (speed && GenerationOf(*speed) > 0) Put(id, GenerationOf(*speed), file);
    };
    generation(FactId::kGpuLinkGen, card.speed_now, "current_link_speed");
    generation(FactId::kGpuLinkGenMax, own.speed_able, "max_link_speed");
    generation(FactId::kGpuLinkGenDeviceMax, card.speed_able, "max_link_speed");
  }

  void WriteWay() {
    const std::vector<Link> links = LinksOf(function_);
    const PciHop& card = function_.way.front();
    if (!card.speed_able || !card.width_able) return;
    const double own = *card.speed_able * *card.width_able;
    // A port that says it can do less than the card does right now is one that a virtual machine
    // made up: nothing above it is known.
    const auto more = [](const Reading<double>& now, const Reading<double>& able) {
      return now && able && *now > *able;
    };
    if (more(card.speed_now, links.front().speed_able) ||
        more(card.width_now, links.front().width_able)) {
      return;
    }
    const Link* narrowest = nullptr;
    for (const Link& link : links) {
      if (link.able <= 0) continue;
      if (narrowest == nullptr || link.able < narrowest->able) narrowest = &link;
    }
    if (narrowest == nullptr) return;
    FactWriter writer = Writer("max_link_speed", Origin::kComputed);
    writer.Counted(FactId::kGpuPathShare, subject_, StatKind::kLast,
                   std::min(1.0, narrowest->able / own));
    writer.Text(FactId::kGpuPathNarrowest, subject_,
                fmt::format("{}: {} GT/s x{}, {} GT/s x{}", narrowest->name, *narrowest->speed_able,
                            *narrowest->width_able, *card.speed_able, *card.width_able));
    // The card's own link is judged by the card's own figures.
    for (std::size_t i = 1; i < links.size(); ++i) {
      const Link& link = links[i];
      if (!link.width_now || !link.width_able || *link.width_now >= *link.width_able) continue;
      writer.Text(FactId::kGpuPathLost, subject_,
                  fmt::format("{}: x{} / x{}", link.name, *link.width_now, *link.width_able));
    }
  }

  const PciFunction& function_;
  Subject subject_;
  FactSet& facts_;
};

void WriteSettings(const Inventory& inventory, FactSet& facts) {
  struct Row {
    std::string_view end;
    FactId id;
  };
  constexpr Row kRows[] = {{"/current_clocksource", FactId::kHostClocksource},
                           {"/scaling_governor", FactId::kHostGovernor},
                           {"/product_name", FactId::kHostProduct}};
  for (const Setting& setting : inventory.settings) {
    for (const Row& row : kRows) {
      if (!setting.path.ends_with(row.end) || setting.value.empty()) continue;
      FactWriter(facts, facts.window, {"sysfs", setting.path, Origin::kRead})
          .Text(row.id, Subject{}, setting.value);
    }
  }
}

class ProcessorFacts {
 public:
  explicit ProcessorFacts(FactSet& facts) : facts_(facts) {}

  void Write(const Processors& seen) {
    Text(FactId::kHostCpuModel, seen.model, "/proc/cpuinfo");
    Text(FactId::kHostIommu, seen.iommu, "/proc/cmdline");
    Number(FactId::kHostSockets, seen.sockets, "/sys/devices/system/cpu/cpu*/topology");
    Number(FactId::kHostCores, seen.cores, "/sys/devices/system/cpu/cpu*/topology");
    Number(FactId::kHostNumaNodes, seen.nodes, "/sys/devices/system/node/online");
    Number(FactId::kHostClockLimit, seen.clock_limit, seen.limited_by);
    if (!seen.throttles) return;
    From("/sys/devices/system/cpu/cpu*/thermal_throttle", Origin::kComputed)
        .Counted(FactId::kHostThrottles, Subject{}, StatKind::kMean, seen.throttles);
  }
  /// By the machine's own name where the firmware tells it.
  void Hypervisor(const Inventory& inventory) {
    if (inventory.processors.hypervisor.empty()) return;
    std::string name;
    for (const Setting& setting : inventory.settings) {
      const bool tells = setting.path == "/sys/hypervisor/type" ||
                         setting.path.ends_with("/sys_vendor") ||
                         setting.path.ends_with("/product_name");
      if (!tells || setting.value.empty()) continue;
      if (!name.empty()) name += ", ";
      name += setting.value;
    }
    Text(FactId::kHostHypervisor, name.empty() ? inventory.processors.hypervisor : name,
         "/proc/cpuinfo");
  }

 private:
  FactWriter From(const std::string& path, Origin origin = Origin::kRead) {
    return {facts_, facts_.window, {"sysfs", path, origin}};
  }
  void Text(FactId id, const std::string& text, const std::string& path) {
    if (!text.empty()) From(path).Text(id, Subject{}, text);
  }
  void Number(FactId id, const Reading<double>& value, const std::string& path) {
    if (value) From(path).Counted(id, Subject{}, StatKind::kLast, value);
  }

  FactSet& facts_;
};

/// What the kernel driver says of itself where its library said nothing.
void WriteDriverGpus(const Capture& capture, FactSet& facts) {
  for (const DriverGpu& gpu : capture.inventory.driver_gpus) {
    Subject subject = GpuAt(capture, gpu.address);
    if (facts.Find(FactId::kGpuName, subject) != nullptr || gpu.name.empty()) continue;
    FactWriter(facts, facts.window, {"procfs", gpu.path, Origin::kRead})
        .Text(FactId::kGpuName, subject, gpu.name);
  }
}

void WriteRedirects(const Inventory& inventory, FactSet& facts) {
  for (const Setting& redirect : inventory.redirects) {
    FactWriter(facts, facts.window,
               {"sysfs", "/sys/bus/pci/devices/" + redirect.path + "/config", Origin::kRead})
        .Text(FactId::kAcsRedirect, {SubjectKind::kLink, redirect.path}, redirect.value);
  }
}

}  // namespace

void DeriveInventory(const Capture& capture, FactSet& facts) {
  for (const PciFunction& function : capture.inventory.functions) {
    if (function.gpu) FunctionFacts(function, GpuAt(capture, function.address), facts).Write();
    if (function.network && function.numa_node) {
      FactWriter(facts, facts.window, {"sysfs", function.path + "/numa_node", Origin::kRead})
          .Counted(FactId::kNicNumaNode, {SubjectKind::kLink, function.address}, StatKind::kLast,
                   function.numa_node);
    }
  }
  WriteSettings(capture.inventory, facts);
  WriteDriverGpus(capture, facts);
  WriteRedirects(capture.inventory, facts);
  ProcessorFacts processors(facts);
  processors.Write(capture.inventory.processors);
  processors.Hypervisor(capture.inventory);
}

}  // namespace gpuwhy
