package io.kueue4j.examples.controller.configuration;

import static com.google.common.collect.ImmutableMap.toImmutableMap;

import com.google.common.collect.ImmutableMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.decision.Settings;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.examples.controller.object.ObjectCache;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import io.kueue4j.k8s.status.QueueStatusWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the status of a cluster's ClusterQueues and LocalQueues, like Kueue.
 *
 * <p>To be run at intervals, in a thread of its own, so that no job waits for it. Each run compares
 * all queues with one view of the engine, and writes those whose status has changed. What cannot be
 * written now is left to another run; nothing is lost, since each write contains the complete
 * status. Not thread-safe.
 */
public final class QueueStatusPublisher implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(QueueStatusPublisher.class);
  private static final String CLUSTER_QUEUE = "ClusterQueue";

  /** The number of runs after which a rejected write is tried again. */
  private static final int REFUSED_RUNS = 12;

  private static final Write NONE = new Write(-1, "", 0);

  private final Supplier<Queues> queues;
  private final QueueStatusWriter writer;
  private final ClusterWrites writes;
  private final Map<ObjectKey, Write> last = new HashMap<>();
  private int runs;

  /**
   * The queues of a cluster at one time.
   *
   * @param view what the engine knows of them
   * @param objects their objects
   * @param problems why objects are not applied to the engine
   */
  public record Queues(
      Instant time,
      EngineView view,
      ImmutableMap<ObjectKey, GenericKubernetesResource> objects,
      Map<ObjectKey, String> problems) {
    /** {@return the queues among the objects of a cluster} */
    public static Queues of(
        Instant time, EngineView view, ObjectCache cache, Map<ObjectKey, String> problems) {
      return new Queues(
          time,
          view,
          Stream.of(CLUSTER_QUEUE, "LocalQueue")
              .map(kind -> cache.all(KueueApiVersion.GROUP, kind, GenericKubernetesResource.class))
              .flatMap(List::stream)
              .collect(toImmutableMap(ObjectKey::of, object -> object)),
          problems);
    }
  }

  /**
   * The last write of a queue.
   *
   * @param version the resulting version, or the one that could not be written
   * @param status what was sent, empty if it could not be written
   * @param retryRun the first run that tries again to write this version
   */
  private record Write(long version, Object status, int retryRun) {}

  /**
   * Publishes the state of an engine.
   *
   * @param settings the settings of the engine
   * @param queues the present queues
   */
  public QueueStatusPublisher(Settings settings, Supplier<Queues> queues, ClusterWrites writes) {
    this.writer = QueueStatusWriter.of(settings);
    this.queues = queues;
    this.writes = writes;
  }

  @Override
  public void run() {
    Queues present = queues.get();
    runs++;
    last.keySet().retainAll(present.objects().keySet());
    present.objects().forEach((key, object) -> {
      // An interrupt ends the run: the controller is not the leader any more.
      if (!Thread.currentThread().isInterrupted()) {
        publish(key, object, present);
      }
    });
  }

  private void publish(ObjectKey key, GenericKubernetesResource object, Queues present) {
    try {
      Optional<GenericKubernetesResource> written = written(key, object, present)
          .filter(other -> !other.equals(object) && !isSettled(key, object, status(other)));
      if (written.isPresent()) {
        GenericKubernetesResource stored = writes.replaceStatus(written.get());
        last.put(key, new Write(ObjectCache.version(stored), status(written.get()), 0));
      }
    } catch (WriteException e) {
      // After a conflict, another run writes the other version; a server may answer again then.
      if (e.reason() == WriteException.Reason.GONE || e.reason() == WriteException.Reason.REFUSED) {
        refuse(key, object, String.valueOf(e.getMessage()));
      }
    } catch (RuntimeException e) {
      // Often an unsupported version of Kueue's API; it keeps no other queue from being written.
      refuse(key, object, e.toString());
    }
  }

  /** {@return the queue with its status, empty if it is not known} */
  private Optional<GenericKubernetesResource> written(
      ObjectKey key, GenericKubernetesResource object, Queues present) {
    EngineView view = present.view();
    Instant now = present.time();
    Optional<GenericKubernetesResource> applied = key.kind().equals(CLUSTER_QUEUE)
        ? view.clusterQueue(key.name()).map(queue -> writer.clusterQueue(object, queue, now))
        : view.localQueue(key.namespace(), key.name())
            .map(queue -> writer.localQueue(object, queue, view, now));
    return applied.or(() -> Optional.ofNullable(present.problems().get(key))
        .map(problem -> writer.inactive(
            object,
            new Inactivity("InvalidConfiguration", key + " cannot be applied: " + problem),
            now)));
  }

  /**
   * {@return whether a status was sent before, or is not to be sent now} A server may drop fields
   * that its schema does not have; they are not sent forever. The event about the last write may
   * not have arrived yet.
   */
  private boolean isSettled(ObjectKey key, GenericKubernetesResource object, Object status) {
    Write before = last.getOrDefault(key, NONE);
    long version = ObjectCache.version(object);
    return version < before.version()
        || (version == before.version()
            && (status.equals(before.status()) || runs < before.retryRun()));
  }

  private void refuse(ObjectKey key, GenericKubernetesResource object, String why) {
    Write refused = new Write(ObjectCache.version(object), "", runs + REFUSED_RUNS);
    Write before = last.put(key, refused);
    if (before == null || before.version() != refused.version() || before.retryRun() == 0) {
      LOG.warn("the status of " + key + " is not written: " + why);
    }
  }

  private static Object status(GenericKubernetesResource object) {
    return object.getAdditionalProperties().getOrDefault("status", "");
  }
}
