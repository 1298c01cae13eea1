package io.kueue4j.core.testkit.reference;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.LabelRequirement;
import io.kueue4j.core.model.NodeSelectorTerm;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.PodSet.PreferredNodeTerm;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.TopologyRequest;
import io.kueue4j.core.model.TopologyRequest.SliceConstraint;
import io.kueue4j.core.testkit.jqwik.Choices;
import java.util.ArrayList;
import java.util.List;

/** Pod sets at random that ask for places in a topology. */
final class RandomPodSets {
  private final Choices choices;
  private final List<String> levels;

  /** Whether each resource has nodes of its own, so that no pod can have both. */
  private final boolean areApart;

  RandomPodSets(Choices choices, List<String> levels, boolean areApart) {
    this.choices = choices;
    this.levels = levels;
    this.areApart = areApart;
  }

  /** {@return one to three pod sets, of which two may be leader and workers} */
  List<PodSet> podSets() {
    int count = choices.of(List.of(1, 1, 1, 2, 2, 3));
    List<PodSet> podSets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      podSets.add(podSet("s" + i).build());
    }
    if (count > 1 && !choices.oneIn(3)) {
      int first = choices.nextInt(count - 1);
      int second = first + 1 + choices.nextInt(count - first - 1);
      int leader = choices.oneIn(2) ? first : second;
      TopologyRequest request = podSets.get(second).topologyRequest();
      for (int i : new int[] {first, second}) {
        PodSet.Builder member = PodSet.builder().from(podSets.get(i)).group("g");
        if (i == leader && !choices.oneIn(8)) {
          member.count(1);
        }
        if (!choices.oneIn(6)) {
          member.topologyRequest(request);
        }
        podSets.set(i, member.build());
      }
    }
    return podSets;
  }

  /**
   * {@return workers that prefer a level, most of them with a leader}
   *
   * @param room how much cpu there is on all nodes; many workers want almost all of it
   */
  List<PodSet> balancedPodSets(long room) {
    TopologyRequest.Builder request = TopologyRequest.builder();
    int level = choices.nextInt(levels.size());
    request.preferred(levels.get(level));
    if (choices.oneIn(3)) {
      slices(request, level);
    }
    long cpu = 1L + choices.nextInt(2);
    int most = Math.max(1, (int) (room / cpu));
    int count =
        choices.oneIn(2) ? 1 + choices.nextInt(most) : Math.max(1, most - choices.nextInt(6));
    PodSet workers = member("w", count, cpu, request.build());
    PodSet leader = member("l", 1, choices.nextInt(4), request.build());
    return choices.oneIn(3) ? List.of(workers) : List.of(workers, leader);
  }

  private static PodSet member(String name, int count, long cpu, TopologyRequest request) {
    return PodSet.builder()
        .name(name)
        .group("g")
        .count(count)
        .requestAmount("cpu", cpu)
        .topologyRequest(request)
        .build();
  }

  private PodSet.Builder podSet(String name) {
    PodSet.Builder podSet = PodSet.builder()
        .name(name)
        .count(choices.oneIn(40) ? 0 : 1 + choices.nextInt(choices.oneIn(2) ? 6 : 24))
        .topologyRequest(request());
    boolean wantsGpu = choices.oneIn(areApart ? 3 : 12);
    if (wantsGpu) {
      podSet.requestAmount("gpu", 1 + choices.nextInt(2));
    }
    if (!wantsGpu || !areApart) {
      podSet.requestAmount("cpu", choices.of(List.of(1L, 1L, 1L, 2L, 3L, 0L)));
    }
    if (choices.oneIn(8)) {
      podSet.putNodeSelector("disk", choices.of(List.of("ssd", "hdd")));
    }
    if (choices.oneIn(8)) {
      podSet.addTolerations(
          choices.oneIn(2) ? Toleration.exists("spot") : Toleration.equal("spot", "yes"));
    }
    if (choices.oneIn(12)) {
      podSet.addAllNodeAffinity(ImmutableList.of(choices.of(List.of(
          NodeSelectorTerm.of(LabelRequirement.in("disk", "ssd", "hdd")),
          NodeSelectorTerm.of(LabelRequirement.in("disk", "none"))))));
    }
    while (choices.oneIn(4)) {
      podSet.addPreferredNodeAffinity(new PreferredNodeTerm(
          1 + choices.nextInt(3),
          NodeSelectorTerm.of(LabelRequirement.in("disk", choices.of(List.of("ssd", "hdd"))))));
    }
    return podSet;
  }

  private TopologyRequest request() {
    TopologyRequest.Builder request = TopologyRequest.builder();
    int level = choices.nextInt(levels.size());
    int mode = choices.nextInt(10);
    if (mode < 4) {
      request.required(levels.get(level));
    } else if (mode < 8) {
      request.preferred(levels.get(level));
    } else if (mode == 8) {
      request.unconstrained(!choices.oneIn(20));
    }
    if (choices.oneIn(2)) {
      slices(request, choices.oneIn(30) ? 0 : mode < 8 ? level : 0);
    }
    return request.build();
  }

  private void slices(TopologyRequest.Builder request, int highest) {
    int level = highest + choices.nextInt(levels.size() - highest);
    int size = 1 + choices.nextInt(4);
    if (!choices.oneIn(3)) {
      request.sliceTopology(levels.get(level)).sliceSize(size);
      return;
    }
    size = choices.of(List.of(1, 2, 4, 6, 8));
    request.addSliceConstraints(new SliceConstraint(levels.get(level), size));
    for (int layers = choices.nextInt(3); layers > 0; layers--) {
      level = choices.oneIn(30) ? level : level + 1 + choices.nextInt(2);
      size = choices.of(List.of(1, 2, 2, 3, 4)) > size ? 1 : Math.max(1, size / 2);
      if (level >= levels.size()) {
        return;
      }
      request.addSliceConstraints(new SliceConstraint(levels.get(level), size));
    }
  }
}
