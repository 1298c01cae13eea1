package io.kueue4j.examples.controller.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.AtomicLongMap;
import com.google.common.util.concurrent.Uninterruptibles;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.controller.cluster.ServerVersion;
import io.kueue4j.examples.controller.cluster.StrictMockServer;
import io.kueue4j.examples.controller.event.EventRecorder.Result;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EventRecorderTest {
  private static final Duration DELAY = Duration.ofMillis(1);

  private final AtomicLongMap<Result> counts = AtomicLongMap.create();

  /** A server that answers the n-th request with a code; 0 is success. */
  private static class Store implements UnaryOperator<Event> {
    final List<Event> created = new ArrayList<>();
    private final IntUnaryOperator answers;
    private final AtomicInteger requests = new AtomicInteger();

    Store(IntUnaryOperator answers) {
      this.answers = answers;
    }

    private void answer() {
      int code = answers.applyAsInt(requests.getAndIncrement());
      if (code != 0) {
        throw new KubernetesClientException("as the test wants it", code, null);
      }
    }

    @Override
    public Event apply(Event event) {
      answer();
      if (event.getMetadata().getName() != null) {
        return event;
      }
      synchronized (this) {
        created.add(event);
        return new EventBuilder(event)
            .editMetadata()
            .withName("e" + created.size())
            .endMetadata()
            .build();
      }
    }
  }

  private static Event event(String job, String message, String time) {
    return event("default", job, message, time);
  }

  private static Event event(String namespace, String job, String message, String time) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withGenerateName(job + ".")
        .endMetadata()
        .withType("Normal")
        .withReason("Started")
        .withMessage(message)
        .withNewInvolvedObject()
        .withKind("Job")
        .withName(job)
        .withUid(job)
        .endInvolvedObject()
        .withCount(1)
        .withFirstTimestamp(time)
        .withLastTimestamp(time)
        .build();
  }

  private static Event event(String job) {
    return event(job, "Admitted by clusterQueue research", "2026-01-01T00:00:00Z");
  }

  @Test
  void eachOfTwoThousandEventsIsRecordedByABusyServer() {
    Store store = new Store(request -> request % 7 == 0 ? 429 : request % 11 == 0 ? 503 : 0);
    try (EventRecorder recorder = new EventRecorder(store, counts, DELAY)) {
      for (int job = 0; job < 2000; job++) {
        recorder.accept(event("job-" + job));
      }
      awaitCounted(2000);
    }
    assertThat(store.created)
        .extracting(event -> event.getInvolvedObject().getName())
        .doesNotHaveDuplicates()
        .hasSize(2000);
    assertThat(counts.get(Result.RECORDED)).isEqualTo(2000);
    assertThat(dropped()).isZero();
  }

  @Test
  void twoThousandEventsAreWrittenWithoutPermissionToRead() {
    try (StrictMockServer server =
            StrictMockServer.start(ServerVersion.KUBERNETES_1_35, InstantSource.system());
        KubernetesClient client = server.client()) {
      server.forbid(request -> request.equals("GET events"));
      try (EventRecorder recorder = EventRecorder.start(client, counts)) {
        for (int job = 0; job < 2000; job++) {
          recorder.accept(event("job-" + job));
        }
        awaitCounted(2000);
        recorder.accept(
            event("job-0", "Admitted by clusterQueue research", "2026-01-01T00:01:00Z"));
        awaitCounted(2001);
      }
      server.forbid(request -> false);
      List<Event> events = client.v1().events().inNamespace("default").list().getItems();
      assertThat(events).hasSize(2000);
      assertThat(events)
          .filteredOn(event -> event.getInvolvedObject().getName().equals("job-0"))
          .singleElement()
          .satisfies(event -> {
            assertThat(event.getCount()).isEqualTo(2);
            assertThat(event.getLastTimestamp()).isEqualTo("2026-01-01T00:01:00Z");
          });
    }
  }

  private long dropped() {
    return counts.get(Result.DROPPED_REFUSED)
        + counts.get(Result.DROPPED_UNAVAILABLE)
        + counts.get(Result.DROPPED_OVERFLOW)
        + counts.get(Result.DROPPED_STOPPED);
  }

  private long counted() {
    return counts.get(Result.RECORDED) + counts.get(Result.AGGREGATED) + dropped();
  }

  /** A recorder that is being closed waits for some time only. */
  private void awaitCounted(long number) {
    Await.until(number + " events are recorded or dropped", () -> counted() >= number);
  }

  @Test
  void equalEventsAreCountedInOneObject() {
    CountDownLatch open = new CountDownLatch(1);
    Store store = new Store(request -> 0) {
      @Override
      public Event apply(Event event) {
        try {
          open.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return super.apply(event);
      }
    };
    try (EventRecorder recorder = new EventRecorder(store, counts, DELAY)) {
      for (int time = 0; time < 50; time++) {
        recorder.accept(event("job", "again", "2026-01-01T00:00:%02dZ".formatted(time)));
      }
      open.countDown();
      awaitCounted(50);
    }
    assertThat(counts.get(Result.RECORDED) + counts.get(Result.AGGREGATED)).isEqualTo(50);
  }

  @Test
  void anEventThatTheServerRejectsIsDroppedAndCounted() {
    Store store = new Store(request -> 403);
    try (EventRecorder recorder = new EventRecorder(store, counts, DELAY)) {
      recorder.accept(event("job"));
      awaitCounted(1);
    }
    assertThat(store.created).isEmpty();
    assertThat(counts.get(Result.DROPPED_REFUSED)).isEqualTo(1);
  }

  @Test
  void anEventThatAlwaysFailsIsDroppedAfterTwelveTries() {
    AtomicInteger requests = new AtomicInteger();
    Store store = new Store(request -> {
      requests.incrementAndGet();
      return 500;
    });
    try (EventRecorder recorder = new EventRecorder(store, counts, Duration.ZERO)) {
      recorder.accept(event("job"));
      awaitCounted(1);
    }
    assertThat(requests).hasValue(EventRecorder.MAX_TRIES);
    assertThat(counts.get(Result.DROPPED_UNAVAILABLE)).isEqualTo(1);
  }

  @Test
  void whatWaitsToBeTriedAgainIsTriedAtClose() throws InterruptedException {
    CountDownLatch failed = new CountDownLatch(1);
    Store store = new Store(request -> {
      failed.countDown();
      return request == 0 ? 503 : 0;
    });
    try (EventRecorder recorder = new EventRecorder(store, counts, Duration.ofHours(1))) {
      recorder.accept(event("job"));
      failed.await();
    }

    assertThat(store.created).hasSize(1);
    assertThat(dropped()).isZero();
  }

  @Test
  void aRepetitionOfAnExpiredEventIsANewOne() {
    Store store = new Store(request -> request == 1 ? 404 : 0);
    try (EventRecorder recorder = new EventRecorder(store, counts, DELAY)) {
      recorder.accept(event("job"));
      awaitCounted(1);
      recorder.accept(event("job"));
      awaitCounted(2);
    }
    assertThat(store.created).hasSize(2);
    assertThat(dropped()).isZero();
  }

  @Test
  void aFloodOfOneNamespaceCostsTheOthersNothing() {
    CountDownLatch open = new CountDownLatch(1);
    Store store = new Store(request -> {
      Uninterruptibles.awaitUninterruptibly(open);
      return 0;
    });
    try (EventRecorder recorder = new EventRecorder(store, counts, DELAY)) {
      for (int job = 0; job < 2 * EventRecorder.MAX_WAITING; job++) {
        recorder.accept(event("job-" + job));
      }
      for (int job = 0; job < 100; job++) {
        recorder.accept(event("quiet", "job-" + job, "Admitted", "2026-01-01T00:00:00Z"));
      }
      open.countDown();
      awaitCounted(2 * EventRecorder.MAX_WAITING + 100L);
    }
    assertThat(store.created)
        .filteredOn(event -> event.getMetadata().getNamespace().equals("quiet"))
        .hasSize(100);
  }

  @Test
  void eventsBeyondTheBoundAreDroppedAndCounted() {
    CountDownLatch open = new CountDownLatch(1);
    Store store = new Store(request -> {
      try {
        open.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return 0;
    });
    int tooMany = 10;
    try (EventRecorder recorder = new EventRecorder(store, counts, DELAY)) {
      for (int job = 0; job < EventRecorder.MAX_WAITING + 4 + tooMany; job++) {
        recorder.accept(event("job-" + job));
      }
      assertThat(counts.get(Result.DROPPED_OVERFLOW)).isBetween((long) tooMany, tooMany + 4L);
      open.countDown();
      awaitCounted(EventRecorder.MAX_WAITING + 4L + tooMany);
    }
    assertThat(counted()).isEqualTo(EventRecorder.MAX_WAITING + 4L + tooMany);
  }
}
