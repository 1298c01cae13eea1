package io.kueue4j.core;

import com.google.common.collect.ImmutableCollection;
import java.time.InstantSource;
import java.util.Optional;

/**
 * An engine as it was at one moment: what its ClusterQueues looked like, and a place to start
 * studies from. Immutable, safe for several threads.
 *
 * <p>A study is a private engine that begins where the view stands. Every call works on it, and
 * nothing that is done to it reaches the engine that the view is of:
 *
 * <pre>{@code
 * AdmissionEngine study = engine.view().whatIf();
 * study.apply(largerQueue);
 * CycleResult result = study.runCycle();
 * }</pre>
 *
 * <p>Taking a view and starting a study cost the same however large the engine is. Time and memory
 * go into what is looked at, and into what the study or the engine change afterwards, one tree of
 * cohorts at a time. Views and studies that nobody refers to any more cost the engine nothing once
 * they have been collected.
 */
public final class EngineView {
  private final Snapshot snapshot;
  private final InstantSource clock;

  EngineView(Snapshot snapshot, InstantSource clock) {
    this.snapshot = snapshot;
    this.clock = clock;
  }

  /**
   * {@return an engine that begins with all that the viewed one knew, with the same settings and
   * clock; what is done to either is not seen in the other}
   */
  public AdmissionEngine whatIf() {
    return whatIf(clock);
  }

  /**
   * {@return an engine like {@link #whatIf()} with another clock, so that time may pass in it}
   *
   * @param clock where the new engine reads the time
   */
  public AdmissionEngine whatIf(InstantSource clock) {
    return AdmissionEngine.fork(snapshot, clock);
  }

  /** {@return all ClusterQueues by name} */
  public ImmutableCollection<ClusterQueueView> clusterQueues() {
    return snapshot.clusterQueues().values();
  }

  /** {@return the ClusterQueue with that name, if there was one} */
  public Optional<ClusterQueueView> clusterQueue(String name) {
    return snapshot.clusterQueue(name);
  }

  @Override
  public String toString() {
    return clusterQueues().toString();
  }
}
