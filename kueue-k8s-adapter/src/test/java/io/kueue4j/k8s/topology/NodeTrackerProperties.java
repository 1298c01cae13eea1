package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;

/** The notifications of a random history: in order, in any order and repeated, and relisted. */
class NodeTrackerProperties {
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final List<String> PODS = List.of("a", "b", "c", "d");

  private final List<Consumer<NodeTracker>> history = new ArrayList<>();
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Pod> pods = new LinkedHashMap<>();
  private long version = 5;

  /**
   * A change of a node or a pod, and when it is reported in disorder.
   *
   * @param name of the node or pod
   * @param isDeleted whether it is deleted, if it exists
   * @param isMarked whether a node is unschedulable, or a pod that is bound has succeeded
   * @param number the node that the pod is bound to, or one less than its cpus
   * @param place where among all news this one arrives
   * @param again where it arrives another time, if at all
   */
  record Change(
      String name,
      boolean isDeleted,
      boolean isMarked,
      int number,
      int place,
      Optional<Integer> again) {}

  @Provide
  Arbitrary<List<Change>> changes() {
    Arbitrary<String> names =
        Arbitraries.oneOf(Arbitraries.of(NODES), Arbitraries.of(PODS), Arbitraries.of(PODS));
    Arbitrary<Integer> places =
        Arbitraries.integers().between(0, 1000).withDistribution(RandomDistribution.uniform());
    return Combinators.combine(
            names,
            Arbitraries.integers().between(0, 6).map(number -> number > 4),
            Arbitraries.of(false, true),
            Arbitraries.integers().between(0, 2),
            places,
            places.optional(0.5))
        .as(Change::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(60)
        .withSizeDistribution(RandomDistribution.uniform());
  }

  /** News with the place among all news at which it arrives. */
  record Arrival(int place, Consumer<NodeTracker> news) {}

  @Property(tries = 300)
  void theEndIsTheSameInWhateverOrderNewsArrives(@ForAll("changes") List<Change> changes) {
    play(changes);
    NodeTracker inOrder = NodeTracker.create();
    history.forEach(news -> news.accept(inOrder));

    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Consumer<NodeTracker> news = history.get(i);
      arrivals.add(new Arrival(changes.get(i).place(), news));
      changes.get(i).again().ifPresent(place -> arrivals.add(new Arrival(place, news)));
    }
    arrivals.sort(Comparator.comparingInt(Arrival::place));
    NodeTracker inDisorder = NodeTracker.create();
    arrivals.forEach(arrival -> arrival.news().accept(inDisorder));

    NodeTracker listed = NodeTracker.create();
    history.subList(0, history.size() / 2).forEach(news -> news.accept(listed));
    listed.relistPods(pods.values());
    listed.relistNodes(nodes.values());

    NodeTracker fresh = NodeTracker.create();
    fresh.relistNodes(nodes.values());
    fresh.relistPods(pods.values());
    assertThat(inOrder.nodes()).isEqualTo(fresh.nodes());
    assertThat(inDisorder.nodes()).isEqualTo(fresh.nodes());
    assertThat(listed.nodes()).isEqualTo(fresh.nodes());
  }

  private void play(List<Change> changes) {
    history.clear();
    nodes.clear();
    pods.clear();
    for (Change change : changes) {
      version++;
      if (NODES.contains(change.name())) {
        changeNode(change);
      } else {
        changePod(change);
      }
    }
  }

  private void changeNode(Change change) {
    Node known = nodes.get(change.name());
    if (known != null && change.isDeleted()) {
      nodes.remove(change.name());
      history.add(tracker -> tracker.delete(known));
      return;
    }
    String uid = known == null ? "node-" + version : known.getMetadata().getUid();
    Node node = ClusterObjects.version(
        ClusterObjects.node(change.name())
            .editSpec()
            .withUnschedulable(change.isMarked())
            .endSpec(),
        uid,
        version);
    nodes.put(change.name(), node);
    history.add(tracker -> tracker.update(node));
  }

  private void changePod(Change change) {
    Pod known = pods.get(change.name());
    if (known != null && change.isDeleted()) {
      pods.remove(change.name());
      history.add(tracker -> tracker.delete(known));
      return;
    }
    Pod pod = known == null ? created(change) : next(known, change);
    pods.put(change.name(), pod);
    history.add(tracker -> tracker.update(pod));
  }

  private Pod created(Change change) {
    return ClusterObjects.version(
        ClusterObjects.pod(change.name(), "", String.valueOf(1 + change.number())),
        "pod-" + version,
        version);
  }

  /** A pod is bound once, and then finishes once. */
  private Pod next(Pod pod, Change change) {
    boolean bound = !pod.getSpec().getNodeName().isEmpty();
    return pod.toBuilder()
        .editMetadata()
        .withResourceVersion(String.valueOf(version))
        .endMetadata()
        .editSpec()
        .withNodeName(bound ? pod.getSpec().getNodeName() : NODES.get(change.number()))
        .endSpec()
        .editStatus()
        .withPhase(bound && change.isMarked() ? "Succeeded" : pod.getStatus().getPhase())
        .endStatus()
        .build();
  }
}
