package io.kueue4j.examples.controller.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListMeta;
import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.kueue4j.examples.controller.object.RetryDelays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lists and watches on a server that fails in all ways, in virtual time. */
class KindFollowerTest {
  private static final Duration MAX_DELAY = Duration.ofSeconds(30);

  private final Server server = new Server();
  private final Map<String, String> followed = new TreeMap<>();
  private final List<String> goneUids = new ArrayList<>();
  private final PriorityQueue<Task> tasks = new PriorityQueue<>();
  private long nanos = 7;
  private long number;
  private int lists;
  private KindFollower follower = follower(1);

  private record Task(long time, long number, Runnable action) implements Comparable<Task> {
    @Override
    public int compareTo(Task other) {
      int byTime = Long.compare(time, other.time);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private KindFollower follower(long seed) {
    return new KindFollower(
        "jobs",
        server,
        event -> {
          ObjectMeta metadata = event.object().getMetadata();
          if (event.isDeleted()) {
            followed.remove(metadata.getName());
            goneUids.add(metadata.getUid());
          } else {
            followed.put(metadata.getName(), metadata.getResourceVersion());
          }
        },
        new RetryDelays(Duration.ofSeconds(1), MAX_DELAY, new Random(seed)),
        (task, delay) -> tasks.add(new Task(nanos + delay.toNanos(), number++, task)),
        () -> nanos);
  }

  /** Runs what becomes due within a time. */
  private void pass(Duration time) {
    long end = nanos + time.toNanos();
    while (!tasks.isEmpty() && tasks.peek().time() <= end) {
      Task task = tasks.remove();
      nanos = Math.max(nanos, task.time());
      task.action().run();
    }
    nanos = end;
  }

  /** A server with jobs, in the mood of {@link #failure}. */
  private final class Server implements ObjectSource {
    private final Map<String, String> objects = new TreeMap<>();
    private final List<Watcher<HasMetadata>> watchers = new ArrayList<>();
    private int revision = 1;
    private @Nullable Supplier<GenericKubernetesResourceList> failure;
    private @Nullable RuntimeException watchFailure;
    private int pageSize = 100;

    private GenericKubernetesResource object(String name, String version) {
      GenericKubernetesResource object = new GenericKubernetesResource();
      object.setMetadata(new ObjectMetaBuilder()
          .withName(name)
          .withUid("uid-" + name)
          .withResourceVersion(version)
          .build());
      return object;
    }

    void put(String name) {
      String version = Integer.toString(++revision);
      Watcher.Action action =
          objects.put(name, version) == null ? Watcher.Action.ADDED : Watcher.Action.MODIFIED;
      send(action, object(name, version));
    }

    void remove(String name) {
      objects.remove(name);
      send(Watcher.Action.DELETED, object(name, Integer.toString(++revision)));
    }

    void send(Watcher.Action action, @Nullable GenericKubernetesResource object) {
      List.copyOf(watchers).forEach(watcher -> watcher.eventReceived(action, object));
    }

    /** Ends all watches. */
    void end(@Nullable WatcherException cause) {
      List<Watcher<HasMetadata>> ended = List.copyOf(watchers);
      watchers.clear();
      ended.forEach(watcher ->
          watcher.onClose(cause == null ? new WatcherException("Exhausted reconnects") : cause));
    }

    @Override
    public GenericKubernetesResourceList list(@Nullable String next) {
      lists++;
      if (failure != null) {
        return failure.get();
      }
      List<String> names = List.copyOf(objects.keySet());
      int from = next == null ? 0 : Integer.parseInt(next);
      int to = Math.min(names.size(), from + pageSize);
      GenericKubernetesResourceList list = new GenericKubernetesResourceList();
      list.setItems(names.subList(from, to).stream()
          .map(name -> object(name, Objects.requireNonNull(objects.get(name))))
          .toList());
      list.setMetadata(new ListMetaBuilder()
          .withResourceVersion(Integer.toString(revision))
          .withContinue(to < names.size() ? Integer.toString(to) : null)
          .build());
      return list;
    }

    @Override
    public AutoCloseable watch(String version, Watcher<HasMetadata> watcher) {
      if (watchFailure != null) {
        throw watchFailure;
      }
      // What happened since is not kept: nothing has.
      assertThat(version).isEqualTo(Integer.toString(revision));
      watchers.add(watcher);
      return () -> watchers.remove(watcher);
    }
  }

  private static KubernetesClientException refused(int code) {
    return new KubernetesClientException("code " + code, code, new StatusBuilder().build());
  }

  private void assertFollowed() {
    assertThat(followed).isEqualTo(server.objects);
    assertThat(follower.problem()).isEmpty();
  }

  private void start() {
    server.put("a");
    server.put("b");
    server.put("c");
    follower.start();
    pass(Duration.ZERO);
    assertFollowed();
  }

  @Test
  void changesAreReported() {
    server.pageSize = 2;
    start();

    server.put("a");
    server.put("d");
    server.remove("b");

    assertFollowed();
    assertThat(follower.listed().getCount()).isZero();
  }

  @Test
  void everyFailureOfAListIsTriedAgainUntilItIsOver() {
    List<Supplier<GenericKubernetesResourceList>> failures = new ArrayList<>();
    for (int code : new int[] {401, 403, 404, 410, 429, 500, 503, 504}) {
      failures.add(() -> {
        throw refused(code);
      });
    }
    failures.add(() -> {
      throw new KubernetesClientException("Connection refused");
    });
    failures.add(() -> {
      throw new IllegalArgumentException("Unexpected character");
    });
    failures.add(() -> null);
    failures.add(GenericKubernetesResourceList::new);
    failures.add(() -> {
      GenericKubernetesResourceList list = new GenericKubernetesResourceList();
      list.setMetadata(new ListMeta());
      list.setItems(List.of());
      return list;
    });
    failures.add(() -> {
      GenericKubernetesResourceList list = new GenericKubernetesResourceList();
      list.setMetadata(new ListMetaBuilder().withResourceVersion("9").build());
      list.setItems(List.of(new GenericKubernetesResource()));
      return list;
    });
    start();
    for (Supplier<GenericKubernetesResourceList> failure : failures) {
      server.failure = failure;
      server.end(new WatcherException("closed", new IllegalStateException("connection reset")));
      server.put("a");
      server.remove("b");
      pass(Duration.ofMinutes(5));
      assertThat(followed).as("nothing is taken for deleted").containsKey("b");
      assertThat(follower.problem().orElseThrow())
          .startsWith("jobs: not up to date for 300 s. list: ");

      server.failure = null;
      pass(MAX_DELAY);

      assertFollowed();
      server.put("b");
      assertFollowed();
    }
  }

  @Test
  void aListThatFailsAtTheStartDoesNotEndIt() {
    server.failure = () -> {
      throw refused(403);
    };
    follower.start();
    pass(Duration.ofMinutes(1));
    assertThat(follower.listed().getCount()).isEqualTo(1);
    assertThat(follower.problem().orElseThrow()).contains("60 s", "code 403");

    server.failure = null;
    server.put("a");
    pass(MAX_DELAY);

    assertThat(follower.listed().getCount()).isZero();
    assertFollowed();
  }

  @Test
  void aWatchThatFailsIsTriedAgain() {
    for (int code : new int[] {401, 403, 410, 429, 500}) {
      server.watchFailure = refused(code);
      server.put("a" + code);
      follower.close();
      follower = follower(code);
      follower.start();
      pass(Duration.ofSeconds(20));
      assertThat(follower.problem().orElseThrow()).contains("watch: code " + code);

      server.watchFailure = null;
      pass(MAX_DELAY);

      assertFollowed();
    }
  }

  @Test
  void anExpiredVersionIsListedAgain() {
    start();
    server.objects.remove("c");
    server.revision += 10;
    server.end(new WatcherException("gone", refused(410)));
    pass(Duration.ofSeconds(1));

    assertFollowed();
    assertThat(followed).doesNotContainKey("c");
  }

  @Test
  void anObjectWithAnotherUidIsAnother() {
    start();
    GenericKubernetesResource another = server.object("a", Integer.toString(++server.revision));
    another.getMetadata().setUid("another");
    server.send(Watcher.Action.MODIFIED, another);

    assertThat(goneUids).containsExactly("uid-a");
    assertThat(followed).containsEntry("a", Integer.toString(server.revision));
  }

  @Test
  void aWatchThatTheServerEndsGoesOnWithoutAList() {
    start();
    int before = lists;
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofMinutes(5));
      server.end(null);
      assertThat(follower.problem()).isEmpty();
      pass(Duration.ZERO);
      server.put("a");
      assertFollowed();
    }
    assertThat(lists).isEqualTo(before);
  }

  @Test
  void aWatchThatEndsAtOnceIsNotTriedAgainInALoop() {
    start();
    for (int i = 0; i < 1000; i++) {
      server.end(null);
      pass(Duration.ofSeconds(1));
    }
    assertThat(lists).isBetween(20, 100);
  }

  @Test
  void anErrorOrAnObjectWithoutANameInAWatchIsAFailure() {
    start();
    server.send(Watcher.Action.ERROR, null);
    assertThat(follower.problem().orElseThrow()).contains("reported an error");
    pass(MAX_DELAY);
    assertFollowed();

    GenericKubernetesResource nameless = new GenericKubernetesResource();
    nameless.setMetadata(new ObjectMetaBuilder().withResourceVersion("4").build());
    server.send(Watcher.Action.ADDED, nameless);
    assertThat(follower.problem().orElseThrow()).contains("without a name");
    pass(MAX_DELAY);
    assertFollowed();
  }

  @Test
  void bookmarksMoveTheVersionFromWhichAWatchGoesOn() {
    start();
    server.revision += 5;
    server.send(Watcher.Action.BOOKMARK, server.object("", Integer.toString(server.revision)));
    pass(Duration.ofMinutes(1));
    server.end(null);
    pass(Duration.ZERO);

    // The server has checked the version.
    assertFollowed();
  }

  @Test
  void theDelaysGrowToAMaximumAndDifferBySeed() {
    for (int seed = 0; seed < 100; seed++) {
      RetryDelays backoff = new RetryDelays(Duration.ofSeconds(1), MAX_DELAY, new Random(seed));
      for (int i = 0; i < 100; i++) {
        Duration full = i < 5 ? Duration.ofSeconds(1L << i) : MAX_DELAY;
        assertThat(backoff.next()).isBetween(full.dividedBy(2), full);
      }
      backoff.reset();
      assertThat(backoff.next()).isLessThanOrEqualTo(Duration.ofSeconds(1));
    }
    assertThat(new RetryDelays(Duration.ofSeconds(1), MAX_DELAY, new Random(1)).next())
        .isNotEqualTo(new RetryDelays(Duration.ofSeconds(1), MAX_DELAY, new Random(2)).next());
  }

  @Test
  void nothingIsReportedAfterTheEnd() {
    start();
    Watcher<HasMetadata> watcher = server.watchers.get(0);
    follower.close();
    watcher.eventReceived(Watcher.Action.ADDED, server.object("z", "99"));
    watcher.onClose(new WatcherException("late"));
    pass(Duration.ofHours(1));

    assertThat(server.watchers).isEmpty();
    assertThat(followed).doesNotContainKey("z");
    assertThat(tasks).isEmpty();
  }
}
