package io.kueue4j.examples.controller.fault;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.model.WorkloadId;
import io.kueue4j.examples.controller.ConcurrentLoop;
import io.kueue4j.examples.controller.ControllerLoop;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.WatchQueue;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.state.ControllerOptions;
import io.kueue4j.examples.controller.write.ClusterWrites;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A running controller, with its own watch of the cluster, until it is killed. */
final class ControllerProcess implements AutoCloseable {
  private final String name;
  private final WatchQueue watch;
  private final PlantedBug bug;
  private final ConcurrentLoop process;
  private final ControllerLoop loop;
  private Instant next = Instant.MIN;

  private ControllerProcess(String name, WatchQueue watch, PlantedBug bug, ConcurrentLoop process) {
    this.name = name;
    this.watch = watch;
    this.bug = bug;
    this.process = process;
    this.loop = process.loop();
  }

  /**
   * {@return a process that has received the present cluster}
   *
   * @param faults wraps the writes with faults
   */
  static ControllerProcess start(
      String name,
      StrictCluster cluster,
      InstantSource clock,
      ControllerOptions options,
      PlantedBug bug,
      UnaryOperator<ClusterWrites> faults) {
    return start(name, cluster, clock, options, bug, 1, faults);
  }

  /**
   * {@return a process that has received the present cluster}
   *
   * @param writers the maximum number of concurrent writes
   */
  static ControllerProcess start(
      String name,
      StrictCluster cluster,
      InstantSource clock,
      ControllerOptions options,
      PlantedBug bug,
      int writers,
      UnaryOperator<ClusterWrites> faults) {
    ClusterWrites writes =
        new ProcessWrites(bug.over(faults.apply(ClusterConnection.of(cluster, name))));
    ConcurrentLoop concurrent = ConcurrentLoop.create(options, writes, clock, writers);
    WatchQueue watch = WatchQueue.open(cluster);
    ControllerProcess process = new ControllerProcess(name, watch, bug, concurrent);
    List<HasMetadata> everything = watch.list();
    process.loop.start(everything.stream().map(bug::listed).toList());
    return process;
  }

  String name() {
    return name;
  }

  WatchQueue watch() {
    return watch;
  }

  Instant next() {
    return next;
  }

  void step() {
    next = loop.step();
  }

  /** Passes it an event, if there is any. */
  boolean tell(Optional<ClusterEvent> event) {
    event.map(bug::received).ifPresent(loop::accept);
    return event.isPresent();
  }

  /** Passes it all remaining events, in order. */
  void tellAll() {
    while (tell(watch.next())) {
      // One after the other.
    }
  }

  /**
   * {@return whether the controller stops a workload for others. They may start before it has
   * stopped: the cycle that admits them counts its quota as free }
   */
  boolean isPreempted(WorkloadId workload) {
    return loop.engine().lifecycle().preempted(workload).isPresent();
  }

  /** {@return the failures of the controller that it has caught, in sentences} */
  List<String> defects() {
    return loop.view().jobs().stream()
        .flatMap(job -> job.messages().stream())
        .filter(message -> message.startsWith("cannot be dealt with"))
        .toList();
  }

  @Override
  public void close() {
    watch.close();
    process.close();
  }
}
