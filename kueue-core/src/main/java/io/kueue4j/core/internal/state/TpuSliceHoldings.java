package io.kueue4j.core.internal.state;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.internal.fleet.Fleets;
import io.kueue4j.core.internal.quota.Footprint.PlacedSlice;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.SliceAssignment;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The TPU slices that admissions assign to workloads.
 *
 * <p>Rules: TPU-F-2, TPU-F-22.
 */
public final class TpuSliceHoldings {
  private TpuSliceHoldings() {}

  /** {@return the TPU slices of an admission} */
  static ImmutableList<PlacedSlice> slices(Admission admission) {
    return admission.podSetAssignments().stream()
        .flatMap(podSet -> slices(admission, podSet).stream())
        .collect(toImmutableList());
  }

  /** {@return the TPU slices of an admitted pod set} */
  public static List<PlacedSlice> slices(Admission admission, PodSetAssignment podSet) {
    String owner = admission.workload().toString();
    return IntStream.range(0, podSet.slices().size())
        .mapToObj(i -> {
          SliceAssignment slice = podSet.slices().get(i);
          return new PlacedSlice(
              slice.poolSet(), Fleets.slice(owner, podSet.name(), i, slice.placement()));
        })
        .toList();
  }

  /** {@return whether a TPU slice of an admission contains the host of that name} */
  public static boolean concerns(Admission admission, String host) {
    return admission.podSetAssignments().stream()
        .flatMap(podSet -> podSet.slices().stream())
        .anyMatch(slice -> slice.placement().nodes().contains(host));
  }
}
