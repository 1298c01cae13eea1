package io.kueue4j.k8s.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The notifications of a random history: in order, in any order and repeated, and relisted. */
class NodeTrackerProperties {
  private static final List<String> NODES = List.of("n1", "n2", "n3");
  private static final List<String> PODS = List.of("a", "b", "c", "d");

  private final List<Consumer<NodeTracker>> history = new ArrayList<>();
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, Pod> pods = new LinkedHashMap<>();
  private long version = 5;

  @Property(tries = 300)
  void theEndIsTheSameInWhateverOrderNewsArrives(@ForAll long seed) {
    Random random = new Random(seed);
    play(random);
    NodeTracker inOrder = NodeTracker.create();
    history.forEach(news -> news.accept(inOrder));

    List<Consumer<NodeTracker>> shuffled = new ArrayList<>(history);
    for (int i = 0; i < history.size() / 2; i++) {
      shuffled.add(history.get(random.nextInt(history.size())));
    }
    Collections.shuffle(shuffled, random);
    NodeTracker inDisorder = NodeTracker.create();
    shuffled.forEach(news -> news.accept(inDisorder));

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

  private void play(Random random) {
    history.clear();
    nodes.clear();
    pods.clear();
    for (int i = 0; i < 30; i++) {
      version++;
      if (random.nextInt(3) == 0) {
        changeNode(NODES.get(random.nextInt(NODES.size())), random);
      } else {
        changePod(PODS.get(random.nextInt(PODS.size())), random);
      }
    }
  }

  private void changeNode(String name, Random random) {
    Node known = nodes.get(name);
    if (known != null && random.nextInt(3) == 0) {
      nodes.remove(name);
      history.add(tracker -> tracker.delete(known));
      return;
    }
    String uid = known == null ? "node-" + version : known.getMetadata().getUid();
    Node node = ClusterObjects.version(
        ClusterObjects.node(name)
            .editSpec()
            .withUnschedulable(random.nextBoolean())
            .endSpec(),
        uid,
        version);
    nodes.put(name, node);
    history.add(tracker -> tracker.update(node));
  }

  private void changePod(String name, Random random) {
    Pod known = pods.get(name);
    if (known != null && random.nextInt(4) == 0) {
      pods.remove(name);
      history.add(tracker -> tracker.delete(known));
      return;
    }
    Pod pod = known == null ? created(name, random) : next(known, random);
    pods.put(name, pod);
    history.add(tracker -> tracker.update(pod));
  }

  private Pod created(String name, Random random) {
    return ClusterObjects.version(
        ClusterObjects.pod(name, "", String.valueOf(1 + random.nextInt(3))),
        "pod-" + version,
        version);
  }

  /** A pod is bound once, and then finishes once. */
  private Pod next(Pod pod, Random random) {
    boolean bound = !pod.getSpec().getNodeName().isEmpty();
    return pod.toBuilder()
        .editMetadata()
        .withResourceVersion(String.valueOf(version))
        .endMetadata()
        .editSpec()
        .withNodeName(bound ? pod.getSpec().getNodeName() : NODES.get(random.nextInt(3)))
        .endSpec()
        .editStatus()
        .withPhase(bound && random.nextBoolean() ? "Succeeded" : pod.getStatus().getPhase())
        .endStatus()
        .build();
  }
}
