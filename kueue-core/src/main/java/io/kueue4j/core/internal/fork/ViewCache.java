package io.kueue4j.core.internal.fork;

import static com.google.common.collect.ImmutableSortedMap.toImmutableSortedMap;

import com.google.common.collect.ImmutableSortedMap;
import io.kueue4j.core.decision.ClusterQueueView;
import io.kueue4j.core.decision.CohortView;
import io.kueue4j.core.decision.LocalQueueView;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.state.ConfigKind;
import io.kueue4j.core.internal.state.Configuration;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.model.ConfigObject;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The content of views of a snapshot, computed on first use. Thread-safe. */
public final class ViewCache {
  private final Snapshot snapshot;
  private final Map<String, ClusterQueueView> taken = new ConcurrentHashMap<>();
  private final Map<ConfigKind, ImmutableSortedMap<String, ConfigObject>> configuration =
      new ConcurrentHashMap<>();
  private volatile @Nullable ImmutableSortedMap<String, ClusterQueueView> clusterQueues;
  private volatile @Nullable ImmutableSortedMap<String, LocalQueueView> localQueues;
  private volatile @Nullable ImmutableSortedMap<String, CohortView> cohorts;

  ViewCache(Snapshot snapshot) {
    this.snapshot = snapshot;
  }

  /** {@return the ClusterQueue of that name, if there was one} */
  public Optional<ClusterQueueView> clusterQueue(String name) {
    ClusterQueueView known = taken.get(name);
    return known != null ? Optional.of(known) : snapshot.ofQueue(name, this::pictureOf);
  }

  /** {@return the view that is cached permanently; another thread may have cached it first} */
  private ClusterQueueView pictureOf(
      QueueQuota quota, PendingQueue pending, List<WorkloadRecord> reserving) {
    ClusterQueueView known = taken.get(quota.name());
    if (known != null) {
      return known;
    }
    ClusterQueueView picture =
        Views.of(quota, pending, reserving, snapshot.undivided().configuration());
    ClusterQueueView first = taken.putIfAbsent(picture.name(), picture);
    return first == null ? picture : first;
  }

  /** {@return all ClusterQueues by name} */
  public ImmutableSortedMap<String, ClusterQueueView> clusterQueues() {
    ImmutableSortedMap<String, ClusterQueueView> known = clusterQueues;
    if (known == null) {
      known = snapshot.ofAllQueues(this::pictureOf).stream()
          .collect(toImmutableSortedMap(
              Comparator.naturalOrder(), ClusterQueueView::name, queue -> queue));
      clusterQueues = known;
    }
    return known;
  }

  /** {@return all LocalQueues by namespace and name} */
  public ImmutableSortedMap<String, LocalQueueView> localQueues() {
    ImmutableSortedMap<String, LocalQueueView> known = localQueues;
    if (known == null) {
      known = snapshot.undivided().configuration().localQueues().stream()
          .collect(toImmutableSortedMap(
              Comparator.naturalOrder(),
              Configuration::localQueueKey,
              queue -> Views.of(queue, snapshot.undivided().usage())));
      localQueues = known;
    }
    return known;
  }

  /** {@return the configuration objects of one kind, by their qualified names} */
  public ImmutableSortedMap<String, ConfigObject> configuration(ConfigKind kind) {
    // Computed outside of the map: its lock must not be held while acquiring the engine's.
    ImmutableSortedMap<String, ConfigObject> known = configuration.get(kind);
    if (known == null) {
      known = snapshot.configuration(kind).stream()
          .collect(toImmutableSortedMap(
              Comparator.naturalOrder(), ConfigObject::qualifiedName, object -> object));
      configuration.put(kind, known);
    }
    return known;
  }

  /** {@return every cohort above a ClusterQueue, by name} */
  public ImmutableSortedMap<String, CohortView> cohorts() {
    ImmutableSortedMap<String, CohortView> known = cohorts;
    if (known == null) {
      CohortViews views = new CohortViews();
      snapshot.forEachQuota(views::add);
      known = views.toViews();
      cohorts = known;
    }
    return known;
  }
}
