package io.kueue4j.core;

import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.model.WorkloadId;
import java.util.stream.Collectors;

/** The complete visible state of an engine, as text. */
final class EngineDescription {
  private EngineDescription() {}

  static String describe(AdmissionEngine engine) {
    return engine + "\n" + describe(engine.view()) + "\n" + engine.promises() + "\n"
        + RandomCall.ids().stream()
            .map(id -> explain(engine, id))
            .collect(Collectors.joining("\n"));
  }

  static String describe(EngineView view) {
    return view.clusterQueues().stream()
            .map(EngineDescription::describe)
            .collect(Collectors.joining("\n"))
        + "\n" + view.localQueues() + "\n" + view.cohorts();
  }

  static String describe(ClusterQueueView queue) {
    return String.join(
        "\n  ",
        queue.toString(),
        queue.spec().toString(),
        "active " + queue.isActive(),
        "usage " + queue.usage(),
        "admitted " + queue.admitted(),
        "reserving " + queue.reserving(),
        "stopping " + queue.stopping(),
        "share " + queue.weightedShare(),
        "pending " + queue.pending(),
        "inadmissible " + queue.inadmissible());
  }

  private static String explain(AdmissionEngine engine, WorkloadId id) {
    try {
      return engine.explain(id) + " " + engine.lifecycle().preempted(id);
    } catch (IllegalArgumentException unknown) {
      return unknown.toString();
    }
  }
}
