package io.kueue4j.examples.controller.configuration;

import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.status.QueueStatusWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the status of a cluster's ClusterQueues and LocalQueues, like Kueue.
 *
 * <p>Works in rounds: at most once in an interval it compares all queues with one view of the
 * engine, and writes those whose status has changed. A call makes at most one write, so that jobs
 * are not delayed. What cannot be written now is left to another round; nothing is lost, since each
 * write contains the complete status. Not thread-safe.
 */
public final class QueueStatusPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(QueueStatusPublisher.class);
  private static final String CLUSTER_QUEUE = "ClusterQueue";
  private static final String LOCAL_QUEUE = "LocalQueue";

  /** The number of queues without changes that a call compares. */
  private static final int MAX_LOOKS = 50;

  /** The minimum time between writes while jobs have something to do. */
  private static final Duration PAUSE_WHEN_BUSY = Duration.ofSeconds(1);

  /** The number of intervals before a rejected write is tried again. */
  private static final int REFUSED_INTERVALS = 12;

  private static final String INVALID = "InvalidConfiguration";

  private final Function<ObjectKey, Optional<String>> problems;
  private final AdmissionEngine engine;
  private final ObjectCache objects;
  private final QueueStatusWriter writer;
  private final ClusterWrites writes;
  private final InstantSource clock;
  private final Duration interval;
  private final Map<ObjectKey, Sent> sent = new HashMap<>();
  private final Map<ObjectKey, Refused> refused = new HashMap<>();
  private final Queue<ObjectKey> round = new ArrayDeque<>();
  private @Nullable EngineView view;
  private boolean isDue = true;
  private Instant nextRound = Instant.MIN;
  private Instant nextWriteWhenBusy = Instant.MIN;

  /** What was written, and the resulting version. */
  private record Sent(long version, Object status) {}

  /** A version that could not be written, and when to try again. */
  private record Refused(long version, Instant retryTime) {}

  /**
   * Publishes the state of {@code engine}.
   *
   * @param objects the objects of the cluster, with its queues
   * @param interval the minimum time between two writes of one object
   * @param problems why a queue is not applied to the engine
   */
  public QueueStatusPublisher(
      AdmissionEngine engine,
      ObjectCache objects,
      ClusterWrites writes,
      InstantSource clock,
      Duration interval,
      Function<ObjectKey, Optional<String>> problems) {
    this.problems = problems;
    this.engine = engine;
    this.objects = objects;
    this.writer = QueueStatusWriter.of(engine.settings());
    this.writes = writes;
    this.clock = clock;
    this.interval = interval;
  }

  /**
   * Receives an event of the cluster about any object; it may change the state of the engine.
   *
   * @param isNews whether the version of the object was not known before
   */
  public void accept(ClusterEvent event, boolean isNews) {
    ObjectKey key = ObjectKey.of(event.object());
    isDue |= isNews
        || (!key.is(KueueApiVersion.GROUP, CLUSTER_QUEUE)
            && !key.is(KueueApiVersion.GROUP, LOCAL_QUEUE));
  }

  /** Records that the state of the engine may have changed without an event of the cluster. */
  public void touch() {
    isDue = true;
  }

  /**
   * Writes the status of at most one queue.
   *
   * @param isQuiet whether jobs have nothing to do now; otherwise there is a pause between two
   *     writes
   * @return when to call again, {@link Instant#MAX} if another call is needed only after an event
   */
  public Instant publish(boolean isQuiet) {
    Instant now = clock.instant();
    if (round.isEmpty()) {
      if (!isDue || now.isBefore(nextRound)) {
        return isDue ? nextRound : Instant.MAX;
      }
      begin(now);
    }
    if (!isQuiet && now.isBefore(nextWriteWhenBusy)) {
      return nextWriteWhenBusy;
    }
    for (int looks = 0; looks < MAX_LOOKS && !round.isEmpty(); looks++) {
      if (publish(round.remove(), now)) {
        nextWriteWhenBusy = now.plus(PAUSE_WHEN_BUSY);
        break;
      }
    }
    if (!round.isEmpty()) {
      return now;
    }
    view = null;
    return isDue ? nextRound : Instant.MAX;
  }

  private void begin(Instant now) {
    isDue = false;
    nextRound = now.plus(interval);
    view = engine.view();
    for (String kind : new String[] {CLUSTER_QUEUE, LOCAL_QUEUE}) {
      objects
          .all(KueueApiVersion.GROUP, kind, HasMetadata.class)
          .forEach(queue -> round.add(ObjectKey.of(queue)));
    }
    ImmutableSet<ObjectKey> present = ImmutableSet.copyOf(round);
    sent.keySet().retainAll(present);
    refused.keySet().retainAll(present);
  }

  /** {@return whether a write was attempted} */
  private boolean publish(ObjectKey key, Instant now) {
    Optional<GenericKubernetesResource> known = objects
        .get(key, GenericKubernetesResource.class)
        .filter(object -> mayWrite(key, object, now));
    try {
      Optional<GenericKubernetesResource> written =
          known.flatMap(object -> written(key, object, now));
      if (written.isEmpty() || isKnown(key, known.get(), written.get())) {
        return false;
      }
      GenericKubernetesResource stored = writes.replaceStatus(written.get());
      objects.see(stored);
      refused.remove(key);
      sent.put(key, new Sent(ObjectCache.version(stored), status(written.get())));
    } catch (WriteException e) {
      failed(key, known.get(), e, now);
    } catch (IllegalArgumentException e) {
      // An unsupported version of Kueue's API.
      LOG.warn("the status of " + key + " is not written: " + e);
      refuse(key, known.get(), now);
    }
    return true;
  }

  private boolean mayWrite(ObjectKey key, GenericKubernetesResource object, Instant now) {
    Refused before = refused.get(key);
    boolean isRefused = before != null
        && before.version == ObjectCache.version(object)
        && now.isBefore(before.retryTime);
    // The permission may be granted, or the sub-resource may be added, without any event.
    isDue |= isRefused;
    return !isRefused;
  }

  /** {@return the queue with its status, empty if it is not known} */
  private Optional<GenericKubernetesResource> written(
      ObjectKey key, GenericKubernetesResource object, Instant now) {
    return applied(key, object, now)
        .or(() -> problems
            .apply(key)
            .map(problem -> writer.inactive(
                object, new Inactivity(INVALID, key + " cannot be applied: " + problem), now)));
  }

  private Optional<GenericKubernetesResource> applied(
      ObjectKey key, GenericKubernetesResource object, Instant now) {
    EngineView shown = Objects.requireNonNull(view);
    return key.kind().equals(CLUSTER_QUEUE)
        ? shown.clusterQueue(key.name()).map(queue -> writer.clusterQueue(object, queue, now))
        : shown
            .localQueue(key.namespace(), key.name())
            .map(queue -> writer.localQueue(object, queue, shown, now));
  }

  /**
   * {@return whether the status was sent before} A server may drop fields that its schema does not
   * have; they are not sent forever.
   */
  private boolean isKnown(
      ObjectKey key, GenericKubernetesResource object, GenericKubernetesResource written) {
    Sent last = sent.get(key);
    return written.equals(object)
        || (last != null
            && last.version == ObjectCache.version(object)
            && last.status.equals(status(written)));
  }

  private void failed(
      ObjectKey key, GenericKubernetesResource object, WriteException failure, Instant now) {
    switch (failure.reason()) {
      case CONFLICT -> {
        // The event about the conflicting version starts another round.
      }
      case UNAVAILABLE -> isDue = true;
      case GONE, REFUSED -> {
        LOG.warn("the status of " + key + " is not written: " + failure.getMessage());
        refuse(key, object, now);
      }
    }
  }

  private void refuse(ObjectKey key, GenericKubernetesResource object, Instant now) {
    refused.put(
        key,
        new Refused(
            ObjectCache.version(object), now.plus(interval.multipliedBy(REFUSED_INTERVALS))));
    isDue = true;
  }

  private static Object status(GenericKubernetesResource object) {
    return Objects.requireNonNullElse(object.getAdditionalProperties().get("status"), "");
  }
}
