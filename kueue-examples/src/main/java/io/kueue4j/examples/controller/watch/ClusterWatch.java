package io.kueue4j.examples.controller.watch;

import com.google.common.collect.ImmutableList;
import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.RetryDelays;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
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
  private static final Duration FIRST_DELAY = Duration.ofMillis(800);
  private static final Duration MAX_DELAY = Duration.ofSeconds(30);
  private static final int THREADS = 8;
  private static final long POLL_MILLIS = 100;
  private static final long PAGE = 500;

  private final Consumer<ClusterEvent> listener;
  private final List<KindFollower> followers = new ArrayList<>();
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
      THREADS,
      new ThreadFactoryBuilder().setNameFormat("watch").setDaemon(true).build(),
      new ThreadPoolExecutor.DiscardPolicy());

  /** The objects that exist at the start, which are not reported again; null after the start. */
  private @Nullable Map<ObjectKey, HasMetadata> initial = new LinkedHashMap<>();

  /**
   * Creates a watch that is not started.
   *
   * @param namespaces the namespaces to watch, empty for all
   * @param random the source of the random part of delays after failures
   * @param listener receives events, from several threads
   */
  public ClusterWatch(
      KubernetesClient client,
      ImmutableList<WatchedKind> kinds,
      ImmutableList<String> namespaces,
      Random random,
      Consumer<ClusterEvent> listener) {
    this.listener = listener;
    KubernetesClient plain = withoutReconnects(client);
    for (WatchedKind kind : kinds) {
      var operation = kind.requests(plain);
      if (!kind.namespaced()) {
        add(operation, kind, "", random);
      } else if (namespaces.isEmpty()) {
        add(operation.inAnyNamespace(), kind, "", random);
      } else {
        namespaces.forEach(
            name -> add(operation.inNamespace(name), kind, " in namespace " + name, random));
      }
    }
  }

  /** {@return a client whose watches end when the connection ends, so that the end is seen} */
  private static KubernetesClient withoutReconnects(KubernetesClient client) {
    return client
        .adapt(NamespacedKubernetesClient.class)
        .withRequestConfig(new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withWatchReconnectLimit(0)
            .build())
        .<KubernetesClient>call(configured -> configured);
  }

  private void add(
      AnyNamespaceOperation<HasMetadata, KubernetesResourceList<HasMetadata>, Resource<HasMetadata>>
          operation,
      WatchedKind kind,
      String where,
      Random random) {
    String plural = kind.group().isEmpty() ? kind.plural() : kind.plural() + "." + kind.group();
    followers.add(new KindFollower(
        plural + where,
        new Source(operation),
        event -> report(kind, event),
        new RetryDelays(FIRST_DELAY, MAX_DELAY, new Random(random.nextLong())),
        this::schedule,
        System::nanoTime));
  }

  private void schedule(Runnable task, Duration delay) {
    var unused = timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
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

  /** The lists and watches of a client. */
  private record Source(
      AnyNamespaceOperation<HasMetadata, KubernetesResourceList<HasMetadata>, Resource<HasMetadata>>
          operation)
      implements ObjectSource {
    @Override
    public KubernetesResourceList<HasMetadata> list(@Nullable String next) {
      return operation.list(
          new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
    }

    @Override
    public AutoCloseable watch(String version, Watcher<HasMetadata> watcher) {
      return operation.watch(
          new ListOptionsBuilder()
              .withResourceVersion(version)
              .withAllowWatchBookmarks(true)
              .build(),
          watcher);
    }
  }
}
