package io.kueue4j.examples.controller.watch;

import com.google.common.base.Strings;
import com.google.common.base.Throwables;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.kueue4j.examples.controller.object.ClusterEvent;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the objects of one kind with an informer of the client, and says while that does not
 * follow them.
 *
 * <p>It never gives up: rights may be granted again, and a server may come back. Thread-safe.
 */
final class KindFollower implements ResourceEventHandler<HasMetadata>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KindFollower.class);

  /** Objects on a page of a list, which is then never answered from a cache of the server. */
  private static final long PAGE = 500;

  /** A list has most often ended before, and a watch that ended in order begins again before. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final ListOptions ONE = new ListOptionsBuilder().withLimit(1L).build();

  private final String name;
  private final Listable<?> objects;
  private final Consumer<ClusterEvent> listener;
  private final SharedIndexInformer<HasMetadata> informer;
  private final CountDownLatch listed = new CountDownLatch(1);

  /** Why the last list or watch ended, empty if nothing has failed since they are followed. */
  private volatile String failure = "";

  /** When the objects were followed last. */
  private volatile long followedNanos = System.nanoTime();

  /** The failure that was logged last, empty if the objects are followed. */
  private String logged = "";

  /**
   * Creates a follower that is not started.
   *
   * @param name the kind, for messages
   * @param objects the objects of the kind
   * @param listener receives changes from one thread at a time; of a deleted object, only the name,
   *     uid and last known version may be set
   */
  KindFollower(
      String name,
      FilterWatchListDeletable<HasMetadata, ?, ?> objects,
      Consumer<ClusterEvent> listener) {
    this.name = name;
    this.objects = objects;
    this.listener = listener;
    informer = objects
        .withLimit(PAGE)
        .runnableInformer(0)
        .removeNamespaceIndex()
        // Before it has a store, as a new handler receives all that is in it.
        .addEventHandler(this)
        .itemStore(new VersionStore())
        .exceptionHandler((isStarted, cause) -> {
          failure = message(cause);
          return true;
        });
  }

  /** Starts to list. */
  void start() {
    var unused = informer.start();
  }

  /** {@return completes when all objects were reported for the first time} */
  CountDownLatch listed() {
    return listed;
  }

  /**
   * {@return why the reported state may be outdated, and since when; empty while it is followed}
   * Notes whether it is, so it is to be called often.
   */
  Optional<String> problem() {
    if (informer.isRunning() && informer.isWatching()) {
      failure = "";
      followedNanos = System.nanoTime();
      return Optional.empty();
    }
    long seconds = outdatedSeconds();
    return failure.isEmpty() && seconds < PATIENCE.toSeconds()
        ? Optional.empty()
        : Optional.of(name + ": not up to date for " + seconds + " s. " + why());
  }

  private long outdatedSeconds() {
    return Duration.ofNanos(System.nanoTime() - followedNanos).toSeconds();
  }

  private String why() {
    if (!failure.isEmpty()) {
      return failure;
    }
    return listed.getCount() == 0 ? "The watch does not connect" : "Not listed yet";
  }

  /**
   * Logs when it changes whether the objects are followed, and why not; to be called every second.
   */
  void log() {
    boolean isOutdated = problem().isPresent();
    if (isOutdated && failure.isEmpty() && outdatedSeconds() % PATIENCE.toSeconds() == 0) {
      probe();
    }
    String why = isOutdated ? why() : "";
    if (why.equals(logged)) {
      return;
    }
    if (why.isEmpty()) {
      LOG.info(name + " are followed again");
    } else {
      LOG.warn(name + " cannot be followed, and are tried again: " + why);
    }
    logged = why;
  }

  /** An informer does not say why a watch is refused; a list is refused for the same reason. */
  private void probe() {
    try {
      var unused = objects.list(ONE);
    } catch (KubernetesClientException e) {
      // Otherwise there was no answer, as for the watch.
      if (e.getStatus() != null) {
        failure = message(e);
      }
    }
  }

  private static String message(Throwable failure) {
    Throwable root = Throwables.getRootCause(failure);
    String text = root instanceof KubernetesClientException refused && refused.getStatus() != null
        ? refused.getStatus().getMessage()
        : root.getMessage();
    return Strings.isNullOrEmpty(text) ? root.toString() : text;
  }

  @Override
  public void onAdd(HasMetadata object) {
    listener.accept(ClusterEvent.changed(object));
  }

  @Override
  public void onUpdate(HasMetadata before, HasMetadata object) {
    if (!Objects.equals(before.getMetadata().getUid(), object.getMetadata().getUid())) {
      listener.accept(ClusterEvent.deleted(before));
    }
    listener.accept(ClusterEvent.changed(object));
  }

  @Override
  public void onDelete(HasMetadata object, boolean isUnknown) {
    listener.accept(ClusterEvent.deleted(object));
  }

  @Override
  public void onList(String version, boolean isEmpty) {
    failure = "";
    listed.countDown();
  }

  /** Stops; soon nothing is reported any more. */
  @Override
  public void close() {
    informer.stop();
  }
}
