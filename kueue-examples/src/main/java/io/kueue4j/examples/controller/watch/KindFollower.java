package io.kueue4j.examples.controller.watch;

import com.google.common.base.Strings;
import com.google.common.collect.Maps;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.RetryDelays;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the objects of one kind: lists them, watches them from there on, and lists them again
 * after each failure, with a {@link RetryDelays}. A watch that the server ends without an error
 * goes on where it ended.
 *
 * <p>It never gives up: rights may be granted again, and a server may come back. Between two lists
 * it keeps only names and versions. Thread-safe.
 */
final class KindFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(KindFollower.class);

  /** A watch that lasted as long was in order, even if nothing was reported. */
  private static final Duration SOUND = Duration.ofSeconds(5);

  private final String name;
  private final ObjectSource source;
  private final Consumer<ClusterEvent> listener;
  private final RetryDelays backoff;
  private final BiConsumer<Runnable, Duration> timer;
  private final LongSupplier nanoTime;
  private final CountDownLatch listed = new CountDownLatch(1);

  /** By namespace and name. */
  private final Map<String, Known> known = new HashMap<>();

  private String version = "";

  /** The receiver of the current watch; events of earlier ones are ignored. */
  private volatile @Nullable Receiver current;

  private @Nullable AutoCloseable watch;
  private long watchedNanos;
  private volatile boolean isClosed;

  /** Null while the objects are followed; read without the lock, which a list holds for long. */
  private volatile @Nullable Problem problem;

  /** Why the reported state may be outdated, and since when. */
  private record Problem(String message, long sinceNanos) {}

  /** What distinguishes objects and their versions. */
  private record Known(String namespace, String name, String uid, String version) {
    static Known of(ObjectMeta metadata) {
      return new Known(
          Strings.nullToEmpty(metadata.getNamespace()),
          metadata.getName(),
          Strings.nullToEmpty(metadata.getUid()),
          Strings.nullToEmpty(metadata.getResourceVersion()));
    }

    String key() {
      return namespace + "/" + name;
    }
  }

  /**
   * Creates a follower that is not started.
   *
   * @param name the kind, for messages
   * @param listener receives changes from one thread at a time; of a deleted object, only the name,
   *     uid and last known version may be set
   * @param backoff the delays after failures
   * @param timer runs a task after a delay
   * @param nanoTime a monotonic clock
   */
  public KindFollower(
      String name,
      ObjectSource source,
      Consumer<ClusterEvent> listener,
      RetryDelays backoff,
      BiConsumer<Runnable, Duration> timer,
      LongSupplier nanoTime) {
    this.name = name;
    this.source = source;
    this.listener = listener;
    this.backoff = backoff;
    this.timer = timer;
    this.nanoTime = nanoTime;
    problem = new Problem("Not listed yet", nanoTime.getAsLong());
  }

  /** Starts to list. */
  public void start() {
    timer.accept(this::list, Duration.ZERO);
  }

  /** {@return completes when all objects were reported for the first time} */
  public CountDownLatch listed() {
    return listed;
  }

  /**
   * {@return why the reported state may be outdated, and since when; empty while it is followed}
   */
  public Optional<String> problem() {
    return Optional.ofNullable(problem)
        .map(present ->
            name + ": not up to date for " + seconds(present) + " s. " + present.message());
  }

  private long seconds(Problem present) {
    return Duration.ofNanos(nanoTime.getAsLong() - present.sinceNanos()).toSeconds();
  }

  private synchronized void list() {
    if (isClosed) {
      return;
    }
    endWatch();
    try {
      version = listAll();
    } catch (RuntimeException e) {
      failed("list", e);
      return;
    }
    listed.countDown();
    watch();
  }

  /** {@return the version of the list} */
  private String listAll() {
    Map<String, Known> present = new HashMap<>();
    @Nullable String next = null;
    String current;
    do {
      KubernetesResourceList<? extends HasMetadata> page = source.list(next);
      if (page == null || page.getMetadata() == null || page.getItems() == null) {
        throw new IllegalStateException("the answer is not a list");
      }
      current = Strings.nullToEmpty(page.getMetadata().getResourceVersion());
      if (current.isEmpty()) {
        throw new IllegalStateException("the list has no resourceVersion");
      }
      for (HasMetadata object : page.getItems()) {
        Known seen = Known.of(metadata(object));
        present.put(seen.key(), seen);
        report(object, seen);
      }
      next = Strings.emptyToNull(page.getMetadata().getContinue());
    } while (next != null);
    // Only a complete list shows what is gone.
    Maps.difference(known, present).entriesOnlyOnLeft().values().stream()
        .map(KindFollower::removed)
        .forEach(object -> listener.accept(ClusterEvent.deleted(object)));
    known.keySet().retainAll(present.keySet());
    return current;
  }

  private static ObjectMeta metadata(@Nullable HasMetadata object) {
    if (object == null
        || object.getMetadata() == null
        || Strings.isNullOrEmpty(object.getMetadata().getName())) {
      throw new IllegalStateException("the answer contains an object without a name");
    }
    return object.getMetadata();
  }

  private void report(HasMetadata object, Known seen) {
    Known before = known.put(seen.key(), seen);
    if (before != null && !before.uid().equals(seen.uid())) {
      listener.accept(ClusterEvent.deleted(removed(before)));
    }
    if (!seen.equals(before)) {
      listener.accept(ClusterEvent.changed(object));
    }
  }

  private static GenericKubernetesResource removed(Known last) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setMetadata(new ObjectMetaBuilder()
        .withNamespace(Strings.emptyToNull(last.namespace()))
        .withName(last.name())
        .withUid(Strings.emptyToNull(last.uid()))
        .withResourceVersion(Strings.emptyToNull(last.version()))
        .build());
    return object;
  }

  private synchronized void watch() {
    if (isClosed) {
      return;
    }
    Receiver receiver = new Receiver();
    current = receiver;
    watchedNanos = nanoTime.getAsLong();
    try {
      watch = source.watch(version, receiver);
    } catch (RuntimeException e) {
      failed("watch", e);
      return;
    }
    if (current != receiver) {
      // It has ended already.
      return;
    }
    Problem solved = problem;
    if (solved != null && seconds(solved) > 0) {
      LOG.info(name + " are followed again after " + seconds(solved) + " s");
    }
    problem = null;
  }

  private void failed(String what, Throwable failure) {
    current = null;
    if (isClosed) {
      return;
    }
    String message = what + ": " + message(failure);
    Problem before = problem;
    if (before == null || !before.message().equals(message)) {
      LOG.warn(name + " cannot be followed, and are tried again: " + message);
    }
    problem = new Problem(message, before == null ? nanoTime.getAsLong() : before.sinceNanos());
    timer.accept(this::list, backoff.next());
  }

  private static String message(Throwable failure) {
    if (failure instanceof KubernetesClientException refused
        && refused.getStatus() != null
        && !Strings.isNullOrEmpty(refused.getStatus().getMessage())) {
      return refused.getStatus().getMessage();
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /** Stops; nothing is reported any more. */
  @Override
  public void close() {
    // Before a list ends that holds the lock.
    isClosed = true;
    synchronized (this) {
      endWatch();
    }
  }

  private void endWatch() {
    current = null;
    AutoCloseable ended = watch;
    watch = null;
    try {
      if (ended != null) {
        ended.close();
      }
    } catch (Exception e) {
      LOG.debug("a watch did not close", e);
    }
  }

  private synchronized void receive(
      Receiver receiver, Watcher.Action action, @Nullable HasMetadata object) {
    if (current != receiver) {
      return;
    }
    try {
      receive(action, object);
    } catch (IllegalStateException e) {
      failed("watch", e);
    }
  }

  private void receive(Watcher.Action action, @Nullable HasMetadata object) {
    if (action == Watcher.Action.ERROR || object == null || object.getMetadata() == null) {
      throw new IllegalStateException("the server reported an error: " + object);
    }
    String reached = object.getMetadata().getResourceVersion();
    if (!Strings.isNullOrEmpty(reached)) {
      version = reached;
    }
    backoff.reset();
    if (action == Watcher.Action.BOOKMARK) {
      return;
    }
    Known seen = Known.of(metadata(object));
    if (action == Watcher.Action.DELETED) {
      known.remove(seen.key());
      listener.accept(ClusterEvent.deleted(object));
    } else {
      report(object, seen);
    }
  }

  private synchronized void ended(Receiver receiver, @Nullable WatcherException cause) {
    if (current != receiver) {
      return;
    }
    watch = null;
    if (cause != null) {
      failed("watch", cause);
    } else if (nanoTime.getAsLong() - watchedNanos < SOUND.toNanos()) {
      failed("watch", new IllegalStateException("ended as soon as it had begun"));
    } else {
      backoff.reset();
      timer.accept(this::watch, Duration.ZERO);
    }
  }

  /** Receives the events of one watch; does not wait for a list after its end. */
  private final class Receiver implements Watcher<HasMetadata> {
    @Override
    public void eventReceived(Action action, @Nullable HasMetadata object) {
      if (current == this) {
        receive(this, action, object);
      }
    }

    @Override
    public void onClose() {
      onClose(null);
    }

    @Override
    public void onClose(@Nullable WatcherException cause) {
      // A cause is only absent if the server has ended the watch without an error.
      boolean isError = cause != null && (cause.getCause() != null || cause.isHttpGone());
      if (current == this) {
        ended(this, isError ? cause : null);
      }
    }
  }
}
