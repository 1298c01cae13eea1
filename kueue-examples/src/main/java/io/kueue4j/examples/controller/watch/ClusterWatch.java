package io.kueue4j.examples.controller.watch;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches objects of several kinds in a cluster. Failures do not end it: what cannot be listed or
 * watched is tried again, and {@link #problems} says what is outdated meanwhile.
 */
public final class ClusterWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
  private static final long POLL_MILLIS = 100;
  private static final long CHECK_MILLIS = 1000;

  private final Consumer<ClusterEvent> listener;
  private final List<KindFollower> followers = new ArrayList<>();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
      new ThreadFactoryBuilder().setNameFormat("watch").setDaemon(true).build());

  /** The objects that exist at the start, which are not reported again; null after the start. */
  private @Nullable Map<ObjectKey, HasMetadata> initial = new LinkedHashMap<>();

  /**
   * Creates a watch that is not started.
   *
   * @param namespaces the namespaces to watch, empty for all
   * @param listener receives events, from several threads
   */
  public ClusterWatch(
      KubernetesClient client,
      ImmutableList<WatchedKind> kinds,
      ImmutableList<String> namespaces,
      Consumer<ClusterEvent> listener) {
    this.listener = listener;
    for (WatchedKind kind : kinds) {
      var objects = kind.requests(client);
      if (!kind.namespaced()) {
        add(kind, "", objects);
      } else if (namespaces.isEmpty()) {
        add(kind, "", objects.inAnyNamespace());
      } else {
        namespaces.forEach(name -> add(kind, " in namespace " + name, objects.inNamespace(name)));
      }
    }
  }

  private void add(
      WatchedKind kind, String where, FilterWatchListDeletable<HasMetadata, ?, ?> objects) {
    String plural = kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
    followers.add(new KindFollower(plural + where, objects, event -> report(kind, event)));
  }

  /**
   * Starts, and waits until all objects are known. Later events are passed to the listener,
   * possibly more than once.
   *
   * @param goesOn whether to wait longer; called often
   * @return all objects; empty if there was no reason any more to wait
   */
  public Optional<ImmutableList<HasMetadata>> start(BooleanSupplier goesOn)
      throws InterruptedException {
    followers.forEach(KindFollower::start);
    var unused = timer.scheduleWithFixedDelay(
        () -> followers.forEach(KindFollower::log),
        CHECK_MILLIS,
        CHECK_MILLIS,
        TimeUnit.MILLISECONDS);
    for (KindFollower follower : followers) {
      while (!follower.listed().await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        if (!goesOn.getAsBoolean()) {
          return Optional.empty();
        }
      }
    }
    synchronized (this) {
      ImmutableList<HasMetadata> all =
          initial == null ? ImmutableList.of() : ImmutableList.copyOf(initial.values());
      initial = null;
      return Optional.of(all);
    }
  }

  /** {@return what is outdated, and why} */
  public ImmutableList<String> problems() {
    return followers.stream()
        .flatMap(follower -> follower.problem().stream())
        .collect(ImmutableList.toImmutableList());
  }

  private void report(WatchedKind kind, ClusterEvent event) {
    try {
      report(new ClusterEvent(kind.read(event.object()), event.isDeleted()));
    } catch (IllegalArgumentException e) {
      LOG.warn("passed over: " + kind.kind() + " "
          + event.object().getMetadata().getName() + " cannot be read: " + e.getMessage());
    }
  }

  private synchronized void report(ClusterEvent event) {
    if (initial == null) {
      listener.accept(event);
    } else if (event.isDeleted()) {
      initial.remove(ObjectKey.of(event.object()));
    } else {
      initial.put(ObjectKey.of(event.object()), event.object());
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    followers.forEach(KindFollower::close);
  }
}
