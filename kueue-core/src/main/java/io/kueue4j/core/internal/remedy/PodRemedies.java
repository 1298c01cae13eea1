package io.kueue4j.core.internal.remedy;

import com.google.common.base.Joiner;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.decision.Remedy;
import io.kueue4j.core.internal.remedy.RemedyTrials.Trial;
import io.kueue4j.core.model.PodSet;
import io.kueue4j.core.model.Reason;
import io.kueue4j.core.model.ReasonCode;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Taint;
import io.kueue4j.core.model.Toleration;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds changes to the pods of a workload that make them match the taints and labels of a flavor.
 */
final class PodRemedies {
  private static final ImmutableSet<ReasonCode> OBSTACLES = ImmutableSet.of(
      ReasonCode.UNTOLERATED_TAINT,
      ReasonCode.NODE_AFFINITY_MISMATCH,
      ReasonCode.INVALID_NODE_AFFINITY);

  private final RemedyTrials trials;
  private final ResourceFlavor flavor;
  private final List<String> edits = new ArrayList<>();
  private Workload changed;

  private PodRemedies(RemedyTrials trials, ResourceFlavor flavor) {
    this.trials = trials;
    this.flavor = flavor;
    this.changed = trials.workload();
  }

  /** {@return the remedy with the fewest edits, empty if no flavor becomes usable that way} */
  static Stream<Remedy> against(RemedyTrials trials, Trial now) {
    List<Reason> reasons = now.reasons();
    record Found(Remedy remedy, int edits) {}

    return reasons.stream()
        .filter(reason -> OBSTACLES.contains(reason.code()))
        .flatMap(reason -> reason.flavor().stream())
        .distinct()
        .flatMap(
            name -> now.inspect(state -> state.configuration().flavors().flavor(name)).stream())
        .flatMap(flavor -> {
          PodRemedies edited = new PodRemedies(trials, flavor);
          return edited.adapt(reasons).stream()
              .map(remedy -> new Found(remedy, edited.edits.size()));
        })
        .min(Comparator.comparingInt(Found::edits))
        .map(Found::remedy)
        .stream();
  }

  private Optional<Remedy> adapt(List<Reason> before) {
    List<Reason> reasons = before;
    int limit = 3 * changed.podSets().size();
    while (edits.size() < limit) {
      Optional<Reason> next = reasons.stream()
          .filter(reason -> OBSTACLES.contains(reason.code()))
          .filter(reason -> reason.flavor().equals(Optional.of(flavor.name())))
          .findFirst();
      if (next.isEmpty()) {
        return Optional.empty();
      }
      edit(next.get());
      Remedy remedy = Remedy.builder(Remedy.Kind.ADAPT_PODS)
          .message(Joiner.on(", ").join(edits))
          .workload(changed)
          .build();
      Optional<Trial> trial = trials.of(remedy);
      if (trial.filter(made -> made.result().holdsQuota()).isPresent()) {
        return Optional.of(remedy);
      }
      reasons = trial.map(Trial::reasons).orElse(ImmutableList.of());
    }
    return Optional.empty();
  }

  private void edit(Reason reason) {
    String name = reason.podSet().orElseThrow();
    changed = Workload.builder()
        .from(changed)
        .podSets(changed.podSets().stream()
            .map(podSet -> podSet.name().equals(name) ? edited(podSet, reason.code()) : podSet)
            .toList())
        .build();
  }

  private PodSet edited(PodSet podSet, ReasonCode obstacle) {
    PodSet.Builder builder = PodSet.builder().from(podSet);
    String who = "pod set " + podSet.name();
    if (obstacle == ReasonCode.UNTOLERATED_TAINT) {
      List<Taint> taints = flavor.nodeTaints().stream()
          .filter(taint -> taint.effect().excludes())
          .filter(taint -> Stream.of(flavor.tolerations(), podSet.tolerations())
              .flatMap(List::stream)
              .noneMatch(toleration -> toleration.tolerates(taint)))
          .toList();
      taints.forEach(taint -> builder.addTolerations(toleration(taint)));
      edits.add(who + " tolerates the taint" + (taints.size() == 1 ? " " : "s ")
          + Joiner.on(" and ").join(taints));
      return builder.build();
    }
    Map<String, String> kept = new TreeMap<>(podSet.nodeSelector());
    kept.entrySet().removeIf(selected -> {
      String label = flavor.nodeLabels().get(selected.getKey());
      return label != null && !label.equals(selected.getValue());
    });
    if (kept.size() < podSet.nodeSelector().size()) {
      Map<String, String> dropped = new TreeMap<>(podSet.nodeSelector());
      dropped.keySet().removeAll(kept.keySet());
      edits.add(who + " does not select nodes by " + Joiner.on(" and ").join(dropped.entrySet()));
      return builder.nodeSelector(kept).build();
    }
    edits.add(who + " has no required node affinity");
    return builder.nodeAffinity(ImmutableList.of()).build();
  }

  private static Toleration toleration(Taint taint) {
    return Toleration.builder()
        .key(taint.key())
        .value(taint.value())
        .effect(taint.effect())
        .build();
  }
}
