package io.kueue4j.core.testkit;

import static com.google.common.collect.ImmutableList.toImmutableList;

import com.google.common.collect.ImmutableList;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks that compare a scenario with a variant that should yield the same result: 10 and 11. */
final class MetamorphicChecks {
  private static final long PLENTY = 1_000_000;

  private MetamorphicChecks() {}

  /** 11: the same decisions, with other names that are in the same order. */
  static List<String> renamedAlike(Trial trial) {
    if (!hasNodes(trial)) {
      return List.of();
    }
    Renaming renaming = new Renaming(trial.scenario());
    Scenario renamed = new Scenario(
        trial.settings(),
        trial.scenario().steps().stream().map(renaming::step).collect(toImmutableList()));
    List<PlayedStep> played = renamed.play(trial.factory());
    for (int i = 0; i < played.size(); i++) {
      StepOutcome expected = renaming.outcome(trial.played().get(i).outcome());
      if (!played.get(i).outcome().equals(expected)) {
        return List.of("with other names step " + i + " gives " + played.get(i).outcome()
            + " instead of " + expected);
      }
    }
    return List.of();
  }

  private static boolean hasNodes(Trial trial) {
    return trial.scenario().steps().stream()
        .anyMatch(step -> step instanceof Step.Apply apply
            && apply.objects().stream().anyMatch(Node.class::isInstance));
  }

  /** Unusable nodes do not change decisions. */
  static List<String> unusableNodesChangeNothing(Trial trial) {
    Optional<Step> first = trial.scenario().steps().stream().findFirst();
    if (!hasNodes(trial) || !(first.orElseThrow() instanceof Step.Apply apply)) {
      return List.of();
    }
    List<ConfigObject> objects = new ArrayList<>(apply.objects());
    apply.objects().stream()
        .filter(Node.class::isInstance)
        .map(Node.class::cast)
        .map(MetamorphicChecks::unusable)
        .forEach(objects::add);
    List<Step> steps = new ArrayList<>(trial.scenario().steps());
    steps.set(0, new Step.Apply(ImmutableList.copyOf(objects)));
    List<PlayedStep> played =
        new Scenario(trial.settings(), ImmutableList.copyOf(steps)).play(trial.factory());
    for (int i = 0; i < played.size(); i++) {
      if (!played.get(i).outcome().equals(trial.played().get(i).outcome())) {
        return List.of("with more nodes that are not ready step " + i + " gives "
            + played.get(i).outcome() + " instead of " + trial.played().get(i).outcome());
      }
    }
    return List.of();
  }

  private static Node unusable(Node like) {
    Node.Builder node = Node.builder().name(like.name() + "-unusable").ready(false);
    like.labels().forEach((key, value) -> {
      boolean isHost = key.equals(Topology.HOSTNAME);
      node.putLabels(key, isHost ? value + "-unusable" : value);
    });
    like.allocatable().keySet().forEach(resource -> node.allocatableAmount(resource, PLENTY));
    return node.build();
  }

  /** 10: nodes and topologies that are removed and added again have the same free capacity. */
  static List<String> comeBackAsTheyWere(Trial trial) {
    Session stayed = trial.replay();
    Session back = trial.replay();
    List<ConfigObject> objects = back.ledger().configuration().stream()
        .filter(object -> object instanceof Node || object instanceof Topology)
        .toList();
    for (ConfigObject object : objects) {
      boolean isNode = object instanceof Node;
      String name = object.key().substring(object.key().indexOf(' ') + 1);
      Step.Kind kind = isNode ? Step.Kind.NODE : Step.Kind.TOPOLOGY;
      back.play(new Step.Remove(kind, "", name));
      back.play(new Step.Apply(ImmutableList.of(object)));
    }
    for (Workload workload : ReplayChecks.waiting(stayed)) {
      WorkloadDecision expected = stayed.ask(workload);
      WorkloadDecision decision = back.ask(workload);
      if (!decision.equals(expected)) {
        return List.of("after nodes came back decided is " + decision + " instead of " + expected);
      }
    }
    return List.of();
  }
}
