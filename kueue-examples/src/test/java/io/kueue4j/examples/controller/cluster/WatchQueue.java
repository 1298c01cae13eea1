package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.object.ClusterEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The events that a watcher of a {@link StrictCluster} has not received yet. A test decides when it
 * hears what.
 *
 * <p>A real watch keeps the order of what happens to one object. {@link #next()} keeps the order of
 * everything, {@link #nextOfAny} only that. {@link #repeat} repeats an event, which is older than
 * those since; a real watch does that after it was connected anew. {@link #relist} loses all events
 * that were not received, and compares a new list with what was.
 */
public final class WatchQueue implements AutoCloseable {
  private static final Set<String> UNWATCHED = Set.of("Event", "Lease");
  private static final int REMEMBERED = 200;

  private final StrictCluster cluster;
  private final Consumer<ApiWrite> watcher = this::add;
  private final Map<ObjectKey, Deque<Pending>> byObject = new LinkedHashMap<>();
  private final Deque<Pending> inOrder = new ArrayDeque<>();
  private final List<Pending> received = new ArrayList<>();
  private final Map<ObjectKey, ObjectNode> known = new HashMap<>();

  private record Pending(ObjectKey key, ObjectNode object, boolean isDeleted) {
    ClusterEvent event() {
      return new ClusterEvent(Trees.toObject(object), isDeleted);
    }
  }

  private WatchQueue(StrictCluster cluster) {
    this.cluster = cluster;
  }

  /** {@return a queue of events from now on; to be closed} */
  public static WatchQueue open(StrictCluster cluster) {
    WatchQueue queue = new WatchQueue(cluster);
    cluster.watch(queue.watcher);
    return queue;
  }

  /** {@return all objects, which the watcher then knows; no events remain} */
  public ImmutableList<HasMetadata> list() {
    byObject.clear();
    inOrder.clear();
    known.clear();
    ImmutableList.Builder<HasMetadata> objects = ImmutableList.builder();
    for (ObjectKey key : cluster.keys(WatchQueue::isWatched)) {
      ObjectNode object = Objects.requireNonNull(cluster.tree(key));
      known.put(key, object);
      objects.add(Trees.toObject(object));
    }
    return objects.build();
  }

  /** {@return whether the watcher has received all events} */
  public boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /** {@return the first event; empty if there is none} */
  public Optional<ClusterEvent> next() {
    return inOrder.isEmpty() ? Optional.empty() : Optional.of(tell(inOrder.getFirst()));
  }

  /** {@return the first event of some object} */
  public Optional<ClusterEvent> nextOfAny(Random random) {
    if (inOrder.isEmpty()) {
      return Optional.empty();
    }
    List<ObjectKey> keys = List.copyOf(byObject.keySet());
    Deque<Pending> events =
        Objects.requireNonNull(byObject.get(keys.get(random.nextInt(keys.size()))));
    return Optional.of(tell(events.getFirst()));
  }

  /** {@return an event that was received before, probably a recent one; empty if there is none} */
  public Optional<ClusterEvent> repeat(Random random) {
    if (received.isEmpty()) {
      return Optional.empty();
    }
    int back = Math.min(random.nextInt(received.size()), random.nextInt(received.size()));
    return Optional.of(received.get(received.size() - 1 - back).event());
  }

  /**
   * Loses the remaining events and replaces them by the differences of the present objects from
   * those that the watcher knows; for deleted objects, with the last version that it knew.
   */
  public void relist() {
    byObject.clear();
    inOrder.clear();
    Map<ObjectKey, ObjectNode> before = new LinkedHashMap<>(known);
    for (ObjectKey key : cluster.keys(WatchQueue::isWatched)) {
      ObjectNode object = Objects.requireNonNull(cluster.tree(key));
      ObjectNode old = before.remove(key);
      if (!object.equals(old)) {
        add(new Pending(key, object, false));
      }
    }
    before.keySet().stream()
        .sorted()
        .forEach(key -> add(new Pending(key, Objects.requireNonNull(before.get(key)), true)));
  }

  /** {@return the version of an object that the watcher knows; 0 if none} */
  public long knownVersion(ObjectKey key) {
    ObjectNode object = known.get(key);
    return object == null ? 0 : Trees.at(object, "metadata", "resourceVersion").asLong();
  }

  @Override
  public void close() {
    cluster.unwatch(watcher);
  }

  private static boolean isWatched(ObjectKey key) {
    return !UNWATCHED.contains(key.kind());
  }

  private void add(ApiWrite write) {
    if (!isWatched(write.key())) {
      return;
    }
    ObjectNode after = write.after();
    if (after == null) {
      ObjectNode last = write.object().deepCopy();
      Trees.child(last, "metadata").put("resourceVersion", Long.toString(write.revision()));
      add(new Pending(write.key(), last, true));
    } else {
      add(new Pending(write.key(), after, false));
    }
  }

  private void add(Pending pending) {
    inOrder.add(pending);
    byObject.computeIfAbsent(pending.key(), key -> new ArrayDeque<>()).add(pending);
  }

  private ClusterEvent tell(Pending pending) {
    inOrder.remove(pending);
    Deque<Pending> events = Objects.requireNonNull(byObject.get(pending.key()));
    events.remove(pending);
    if (events.isEmpty()) {
      byObject.remove(pending.key());
    }
    if (pending.isDeleted()) {
      known.remove(pending.key());
    } else {
      known.put(pending.key(), pending.object());
    }
    received.add(pending);
    if (received.size() > REMEMBERED) {
      received.remove(0);
    }
    return pending.event();
  }
}
