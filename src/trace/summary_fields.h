// What is written of each struct and read back: one list for both ways. Used by summary_file.cc
// alone.
#pragma once

#include <cstddef>
#include <type_traits>

#include "trace/analysis.h"

namespace gpuwhy::trace {

/// T as a writer sees it, or as a reader does.
template <class Archive, class T>
using Of = std::conditional_t<Archive::kReads, T, const T>;

/// How many values an enumeration has; a number read from a file must be below.
template <class E>
inline constexpr std::size_t kValues = 0;
template <>
inline constexpr std::size_t kValues<Part> = kParts;
template <>
inline constexpr std::size_t kValues<StepUse> = 4;
template <>
inline constexpr std::size_t kValues<KernelClass> = kKernelClasses;
template <>
inline constexpr std::size_t kValues<Change> = 6;
template <>
inline constexpr std::size_t kValues<Why> = 7;

template <class A>
void Fields(A& a, Of<A, Span>& v) {
  a("from", v.start);
  a("to", v.end);
}

template <class A>
void Fields(A& a, Of<A, Missing>& v) {
  a("why", v.why);
  a("detail", v.detail);
}

template <class A>
void Fields(A& a, Of<A, trace::Figures>& v) {
  a("span", v.span_ns);
  a("busy", v.busy_ns);
  a("idle", v.idle_ns);
  a("union", v.union_ns);
  a("sum", v.sum_ns);
  a("count", v.count);
  a("exposed_comm", v.exposed_comm_ns);
  a("overlap_comm", v.overlap_comm_ns);
  a("exposed_memcpy", v.exposed_memcpy_ns);
}

template <class A>
void Fields(A& a, Of<A, DeviceReport>& v) {
  a("device", v.device);
  a("name", v.name);
  a("figures", v.figures);
  a("parts", v.parts);
}

template <class A>
void Fields(A& a, Of<A, GapReport>& v) {
  a("start", v.start_ns);
  a("dur", v.dur_ns);
  a("cause", v.cause);
  a("host", v.host);
  a("ended_by", v.ended_by);
  a("frame", v.frame);
}

template <class A>
void Fields(A& a, Of<A, Strip>& v) {
  a("step", v.step);
  a("slots", v.slots);
}

template <class A>
void Fields(A& a, Of<A, StepAnatomy>& v) {
  a("name", v.name);
  a("source", v.source);
  a("window", v.window);
  a("parts", v.parts);
}

template <class A>
void Fields(A& a, Of<A, Step>& v) {
  a("anatomy", v.anatomy);
  a("use", v.use);
}

template <class A>
void Fields(A& a, Of<A, StepList>& v) {
  a("steps", v.steps);
  a("source", v.source);
  a("confidence", v.confidence);
  a("typical", v.typical);
  a("worst", v.worst);
}

template <class A>
void Fields(A& a, Of<A, KernelShape>& v) {
  a("op", v.op);
  a("inputs", v.inputs);
  a("count", v.count);
  a("sum", v.sum_ns);
}

template <class A>
void Fields(A& a, Of<A, KernelRow>& v) {
  a("name", v.name);
  a("class", v.kernel_class);
  a("count", v.count);
  a("sum", v.sum_ns);
  a("share", v.share);
  a("shapes", v.shapes);
}

template <class A>
void Fields(A& a, Of<A, CopyFigures>& v) {
  a("count", v.count);
  a("bytes", v.bytes);
  a("sum", v.sum_ns);
}

template <class A>
void Fields(A& a, Of<A, KernelFigures>& v) {
  a("rows", v.rows);
  a("class_ns", v.class_ns);
  a("class_count", v.class_count);
  a("tiny_share", v.tiny_share);
  a("launch_p50", v.launch_p50_ns);
  a("launch_p99", v.launch_p99_ns);
  a("queue_depth", v.queue_depth);
  a("small_grid_share", v.small_grid_share);
  a("pageable_h2d", v.pageable_h2d);
  a("pinned_h2d", v.pinned_h2d);
  a("other_h2d", v.other_h2d);
  a("pageable_d2h", v.pageable_d2h);
  a("pinned_d2h", v.pinned_d2h);
  a("other_d2h", v.other_d2h);
}

template <class A>
void Fields(A& a, Of<A, WhatIf>& v) {
  a("change", v.change);
  a("now", v.now_ns);
  a("then", v.then_ns);
  a("gain", v.gain);
  a("reliable", v.reliable);
}

template <class A>
void Fields(A& a, Of<A, StepFigures>& v) {
  a("rows", v.rows);
  a("gaps", v.gaps);
  a("sync_call", v.sync_call);
  a("stall_event", v.stall_event);
  a("long_launches", v.long_launches);
  a("blocking_launches", v.blocking_launches);
  a("sized_collectives", v.sized_collectives);
  a("collectives", v.collectives);
}

template <class A>
void Fields(A& a, Of<A, FileReport>& v) {
  a("file", v.file);
  a("format", v.format);
  a("span", v.span);
  a("rank", v.rank);
  a("world_size", v.world_size);
  a("resolution", v.resolution_ns);
  a("events", v.events);
  a("gpu_events", v.gpu_events);
  a("lost", v.lost);
  a("problems", v.problems);
  a("whole", v.whole);
  a("devices", v.devices);
  a("steps", v.steps);
  a("kernels", v.kernels);
  a("gaps", v.gaps);
  a("what_if", v.what_if);
  a("step_figures", v.step_figures);
  a("strips", v.strips);
}

/// A column for each field of the calls: half the size of an object for each call.
struct CallColumns {
  std::vector<std::uint32_t> group, kind, group_size;
  std::vector<std::int64_t> start, length, in_bytes, out_bytes;
  std::vector<bool> measured;
};

template <class A>
void Fields(A& a, Of<A, CallColumns>& v) {
  a("group", v.group);
  a("kind", v.kind);
  a("group_size", v.group_size);
  a("start", v.start);
  a("length", v.length);
  a("in_bytes", v.in_bytes);
  a("out_bytes", v.out_bytes);
  a("measured", v.measured);
}

/// All but the collectives, which are written as CallColumns.
template <class A>
void Fields(A& a, Of<A, RankSummary>& v) {
  a("file", v.file);
  a("rank", v.rank);
  a("base_known", v.base_known);
  a("base", v.base_ns);
  a("texts", v.texts);
  a("parts", v.parts);
  a("span", v.span_ns);
  a("compute_sum", v.compute_sum_ns);
  a("compute_kernels", v.compute_kernels);
  a("pipeline", v.pipeline_ns);
}

}  // namespace gpuwhy::trace
