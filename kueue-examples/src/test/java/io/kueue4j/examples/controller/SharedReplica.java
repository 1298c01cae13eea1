package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.kueue4j.examples.controller.cluster.ClusterConnection;
import io.kueue4j.examples.controller.cluster.StrictCluster;
import io.kueue4j.examples.controller.cluster.WatchQueue;
import io.kueue4j.examples.controller.lease.LeaseException;
import io.kueue4j.examples.controller.lease.LeaseStore;
import io.kueue4j.examples.controller.lease.LeaseTimes;
import io.kueue4j.examples.controller.shard.WorkSharing;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A replica that shares the work, on a cluster in memory, in the time of the test. */
public final class SharedReplica implements AutoCloseable {
  private final String name;
  private final WatchQueue watch;
  private final AtomicBoolean isCut;
  private final ControllerLoop loop;
  private final WorkSharing sharing;
  private final SharedWork work;
  private Instant next = Instant.MIN;

  /**
   * Starts a replica that has received the present cluster, and holds nothing yet.
   *
   * @param isCut whether requests fail, also those of {@code leases}
   */
  public SharedReplica(
      String name,
      StrictCluster cluster,
      InstantSource clock,
      LeaseStore leases,
      AtomicBoolean isCut,
      Recording recording) {
    this.name = name;
    this.isCut = isCut;
    Instant start = Instant.EPOCH;
    LongSupplier nanoTime = () -> Duration.between(start, clock.instant()).toNanos();
    sharing =
        new WorkSharing(leases, "controller", name, name, LeaseTimes.defaults(), nanoTime, clock);
    WorkScope scope = WorkScope.shared();
    loop = ControllerLoop.create(
        ControllerOptions.defaults(),
        new Guarded(ClusterConnection.of(cluster, name)),
        clock,
        Optional.empty(),
        Workers.one(),
        recording,
        scope);
    watch = WatchQueue.open(cluster);
    loop.start(watch.list());
    work = new SharedWork(loop, scope, () -> {
      if (isCut.get()) {
        throw new LeaseException(
            LeaseException.Reason.UNAVAILABLE, "cut off", new IllegalStateException());
      }
      return cluster.list().stream()
          .filter(object -> !Set.of("Event", "Lease").contains(object.getKind()))
          .toList();
    });
  }

  /** {@return the name, which is also that of the actor} */
  public String name() {
    return name;
  }

  /** {@return its watch, for faults} */
  public WatchQueue watch() {
    return watch;
  }

  /** {@return whether requests fail; may be changed} */
  public AtomicBoolean isCut() {
    return isCut;
  }

  /** {@return the quota nodes that it may decide on now} */
  public Set<String> held() {
    return mayWrite() ? sharing.held() : Set.of();
  }

  private boolean mayWrite() {
    return sharing.candidate().holds();
  }

  /** {@return whether its work is over} */
  public boolean isLost() {
    return sharing.candidate().isLost();
  }

  /** Renews its lease. */
  public void renew() {
    sharing.candidate().attempt();
  }

  /** Gives up and takes over work. */
  public void round() {
    try {
      sharing.round(work);
    } catch (LeaseException e) {
      if (!isCut.get()) {
        throw e;
      }
    }
  }

  /** Gives up everything. */
  public void leave() {
    sharing.leave(work);
  }

  /** Passes it some events. */
  public void hear(int count, Random random) {
    for (int i = 0; i < count && !isCut.get(); i++) {
      watch.nextOfAny(random).ifPresent(loop::accept);
    }
  }

  /** Passes it all events, in order. */
  public void hearAll() {
    for (Optional<ClusterEvent> event = watch.next(); event.isPresent(); event = watch.next()) {
      loop.accept(event.get());
    }
  }

  /** Decides and writes, as the thread of a term does. */
  public void step() {
    if (mayWrite()) {
      next = loop.step();
    }
  }

  /** {@return when it has something to do without events} */
  public Instant next() {
    return next;
  }

  @Override
  public void close() {
    watch.close();
  }

  /** Writes as long as the lease is held and the server can be reached. */
  private final class Guarded extends InterceptedWrites {
    Guarded(ClusterWrites writes) {
      super(writes);
    }

    @Override
    protected <T> T intercept(Supplier<T> write) {
      if (isCut.get() || !mayWrite()) {
        throw new WriteException(WriteException.Reason.UNAVAILABLE, "cut off");
      }
      return write.get();
    }

    @Override
    public void record(Event event) {}
  }
}
