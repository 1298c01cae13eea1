package io.kueue4j.core.simulation;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.PodSetAssignment;
import io.kueue4j.core.model.Topology;
import java.util.List;
import java.util.Optional;

/** Changes the configuration and the nodes as events say. */
final class ClusterChanges {
  private final AdmissionEngine engine;
  private final DecisionHandler handler;

  ClusterChanges(AdmissionEngine engine, DecisionHandler handler) {
    this.engine = engine;
    this.handler = handler;
  }

  void change(SimulationEvent event) {
    if (event instanceof SimulationEvent.Apply apply) {
      apply(apply.objects());
    } else if (event instanceof SimulationEvent.Remove remove) {
      handler.follow(engine.remove(remove.objects()));
    } else if (event instanceof SimulationEvent.FailNode fail) {
      fail(fail.node());
    } else if (event instanceof SimulationEvent.RecoverNode recover) {
      setReady(recover.node(), true);
    }
  }

  private void apply(List<ConfigObject> objects) {
    handler.follow(engine.apply(objects));
  }

  private void fail(String name) {
    Optional<Node> node = setReady(name, false);
    if (node.isEmpty()) {
      return;
    }
    String host = node.get().labels().getOrDefault(Topology.HOSTNAME, name);
    for (Admission admission : handler.holders()) {
      if (mayUse(admission, host) && engine.admission(admission.workload()).isPresent()) {
        handler.follow(engine.lifecycle().nodeFailed(admission.workload(), host));
      }
    }
  }

  /** {@return the node as it was before, empty if there is none} */
  @CanIgnoreReturnValue
  private Optional<Node> setReady(String name, boolean isReady) {
    Optional<Node> node = engine.view().configuration(Node.class, name);
    node.ifPresent(
        each -> apply(ImmutableList.of(Node.builder().from(each).ready(isReady).build())));
    return node;
  }

  /** {@return whether a pod may be on a host; the engine checks it exactly} */
  private static boolean mayUse(Admission admission, String host) {
    return admission.podSetAssignments().stream().anyMatch(assignment -> mayUse(assignment, host));
  }

  private static boolean mayUse(PodSetAssignment assignment, String host) {
    return !assignment.slices().isEmpty()
        || assignment
            .topologyAssignment()
            .filter(places ->
                places.domains().stream().anyMatch(domain -> domain.values().contains(host)))
            .isPresent();
  }
}
