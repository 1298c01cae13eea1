package io.kueue4j.examples.controller;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.shard.WorkSharing;
import java.util.List;
import java.util.function.Supplier;

/** The work of one replica: a loop whose scope follows what the replica holds. */
final class SharedWork implements WorkSharing.Work {
  private static final ImmutableSet<String> SHARED_BY_ALL = ImmutableSet.of(
      "Namespace", "Node", "LimitRange", "RuntimeClass", "PriorityClass", "WorkloadPriorityClass");

  private final ControllerLoop loop;
  private final WorkScope scope;
  private final Supplier<? extends List<HasMetadata>> lister;

  /**
   * Creates the work.
   *
   * @param scope the scope of the loop
   * @param lister lists the jobs, pods and queues that exist now
   */
  SharedWork(ControllerLoop loop, WorkScope scope, Supplier<? extends List<HasMetadata>> lister) {
    this.loop = loop;
    this.scope = scope;
    this.lister = lister;
  }

  /** {@return whether objects of a kind belong to one replica, or decide to which} */
  static boolean decides(WatchedKind kind) {
    return !SHARED_BY_ALL.contains(kind.kind());
  }

  @Override
  public ImmutableMap<String, String> trees() {
    return scope.trees();
  }

  @Override
  public void keep(ImmutableSet<String> kept) {
    take(kept);
  }

  @Override
  public ImmutableMap<String, String> refresh() {
    lister.get().forEach(object -> loop.accept(ClusterEvent.modified(object)));
    return scope.trees();
  }

  @Override
  public void take(ImmutableSet<String> all) {
    scope.set(all);
    loop.rescope();
  }
}
