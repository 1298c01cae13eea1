package io.kueue4j.examples.controller.watch;

import com.google.common.base.Strings;
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
import java.util.concurrent.ConcurrentHashMap;
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

  /** By namespace and name. A late event of a former watch may meet a list. */
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private String version = "";

  /** The receiver of the current watch; events of earlier ones are ignored. */
  private @Nullable Receiver current;

  private @Nullable AutoCloseable watch;
  private long watchedNanos;
  private long staleNanos;
  private String problem = "Not listed yet";
  private boolean isClosed;

  /** What distinguishes versions of an object. */
  private record Known(String uid, String version) {
    static Known of(ObjectMeta metadata) {
      return new Known(
          Strings.nullToEmpty(metadata.getUid()),
          Strings.nullToEmpty(metadata.getResourceVersion()));
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
    staleNanos = nanoTime.getAsLong();
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
  public synchronized Optional<String> problem() {
    return problem.isEmpty()
        ? Optional.empty()
        : Optional.of(name + ": not up to date for " + staleSeconds() + " s. " + problem);
  }

  private long staleSeconds() {
    return Duration.ofNanos(nanoTime.getAsLong() - staleNanos).toSeconds();
  }

  private void list() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      endWatch();
    }
    try {
      String current = listAll();
      synchronized (this) {
        version = current;
      }
      listed.countDown();
    } catch (RuntimeException e) {
      failed("list", e);
      return;
    }
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
        ObjectMeta metadata = metadata(object);
        present.put(key(metadata), Known.of(metadata));
        report(object, metadata);
      }
      next = Strings.emptyToNull(page.getMetadata().getContinue());
    } while (next != null);
    // Only a complete list shows what is gone.
    known.forEach((key, last) -> {
      if (!present.containsKey(key)) {
        known.remove(key);
        listener.accept(ClusterEvent.deleted(removed(key, last)));
      }
    });
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

  private static String key(ObjectMeta metadata) {
    return Strings.nullToEmpty(metadata.getNamespace()) + "/" + metadata.getName();
  }

  private void report(HasMetadata object, ObjectMeta metadata) {
    Known now = Known.of(metadata);
    if (!now.equals(known.put(key(metadata), now))) {
      listener.accept(ClusterEvent.modified(object));
    }
  }

  private static GenericKubernetesResource removed(String key, Known last) {
    int slash = key.indexOf('/');
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setMetadata(new ObjectMetaBuilder()
        .withNamespace(Strings.emptyToNull(key.substring(0, slash)))
        .withName(key.substring(slash + 1))
        .withUid(Strings.emptyToNull(last.uid()))
        .withResourceVersion(Strings.emptyToNull(last.version()))
        .build());
    return object;
  }

  private void watch() {
    Receiver receiver = new Receiver();
    String from;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      current = receiver;
      from = version;
      watchedNanos = nanoTime.getAsLong();
    }
    AutoCloseable started;
    try {
      started = source.watch(from, receiver);
    } catch (RuntimeException e) {
      failed("watch", e);
      return;
    }
    synchronized (this) {
      if (current == receiver) {
        watch = started;
        recovered();
        return;
      }
    }
    close(started);
  }

  private void recovered() {
    if (!problem.isEmpty() && staleSeconds() > 0) {
      LOG.info(name + " are followed again after " + staleSeconds() + " s");
    }
    problem = "";
  }

  private void failed(String what, Throwable failure) {
    Duration delay;
    synchronized (this) {
      if (isClosed) {
        return;
      }
      current = null;
      String message = what + ": " + message(failure);
      if (problem.isEmpty()) {
        staleNanos = nanoTime.getAsLong();
      }
      if (!problem.equals(message)) {
        LOG.warn(name + " cannot be followed, and are tried again: " + message);
      }
      problem = message;
      delay = backoff.next();
    }
    timer.accept(this::list, delay);
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
  public synchronized void close() {
    isClosed = true;
    endWatch();
  }

  private void endWatch() {
    current = null;
    AutoCloseable ended = watch;
    watch = null;
    if (ended != null) {
      close(ended);
    }
  }

  private static void close(AutoCloseable ended) {
    try {
      ended.close();
    } catch (Exception e) {
      LOG.debug("a watch did not close", e);
    }
  }

  /** Receives the events of one watch. */
  private final class Receiver implements Watcher<HasMetadata> {
    @Override
    public void eventReceived(Action action, @Nullable HasMetadata object) {
      synchronized (KindFollower.this) {
        if (current != this) {
          return;
        }
      }
      try {
        receive(action, object);
      } catch (IllegalStateException e) {
        failed("watch", e);
      }
    }

    private void receive(Action action, @Nullable HasMetadata object) {
      if (action == Action.ERROR || object == null || object.getMetadata() == null) {
        throw new IllegalStateException("the server reported an error: " + object);
      }
      synchronized (KindFollower.this) {
        String reached = object.getMetadata().getResourceVersion();
        if (!Strings.isNullOrEmpty(reached)) {
          version = reached;
        }
        backoff.reset();
      }
      if (action == Action.BOOKMARK) {
        return;
      }
      ObjectMeta metadata = metadata(object);
      if (action == Action.DELETED) {
        known.remove(key(metadata));
        listener.accept(ClusterEvent.deleted(object));
      } else {
        report(object, metadata);
      }
    }

    @Override
    public void onClose() {
      ended(null);
    }

    @Override
    public void onClose(WatcherException cause) {
      // A cause is only absent if the server has ended the watch without an error.
      ended(cause.getCause() == null && !cause.isHttpGone() ? null : cause);
    }

    private void ended(@Nullable WatcherException cause) {
      boolean isSound;
      synchronized (KindFollower.this) {
        if (current != this) {
          return;
        }
        isSound = cause == null && nanoTime.getAsLong() - watchedNanos >= SOUND.toNanos();
        watch = null;
        if (isSound) {
          backoff.reset();
        }
      }
      if (isSound) {
        timer.accept(KindFollower.this::watch, Duration.ZERO);
      } else {
        failed(
            "watch",
            cause == null ? new IllegalStateException("ended as soon as it had begun") : cause);
      }
    }
  }
}
