package io.kueue4j.examples.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The threads of an HTTP server, with requests that never end by themselves. */
final class RequestThreadsTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final List<String> ended = new CopyOnWriteArrayList<>();

  private Runnable endless(String name, CountDownLatch end) {
    return () -> {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        ended.add(name);
        end.countDown();
      }
    };
  }

  private static boolean await(CountDownLatch latch) throws InterruptedException {
    return latch.await(30, TimeUnit.SECONDS);
  }

  @Test
  void theOldestRequestMakesWayForANewOne() throws Exception {
    try (RequestThreads threads = new RequestThreads(2, LONG)) {
      CountDownLatch first = new CountDownLatch(1);
      CountDownLatch second = new CountDownLatch(1);
      threads.execute(endless("first", first));
      threads.execute(endless("second", second));
      threads.execute(endless("third", new CountDownLatch(1)));
      assertThat(await(first)).isTrue();
      assertThat(ended).containsExactly("first");

      CountDownLatch served = new CountDownLatch(1);
      threads.execute(served::countDown);
      assertThat(await(served)).isTrue();
      assertThat(await(second)).isTrue();
      assertThat(ended).containsExactly("first", "second");
    }
  }

  @Test
  void aRequestThatTakesTooLongEnds() throws Exception {
    try (RequestThreads threads = new RequestThreads(2, Duration.ofMillis(100))) {
      CountDownLatch end = new CountDownLatch(1);
      threads.execute(endless("slow", end));
      assertThat(await(end)).isTrue();
    }
  }

  @Test
  void whatHasEndedIsNotInterrupted() throws Exception {
    try (RequestThreads threads = new RequestThreads(1, LONG)) {
      for (int i = 0; i < 100; i++) {
        CountDownLatch served = new CountDownLatch(1);
        threads.execute(served::countDown);
        assertThat(await(served)).isTrue();
      }
      CountDownLatch waits = new CountDownLatch(1);
      threads.execute(endless("last", waits));
      assertThat(waits.await(100, TimeUnit.MILLISECONDS)).isFalse();
    }
  }

  @Test
  void closingEndsAllRequests() throws Exception {
    CountDownLatch end = new CountDownLatch(2);
    try (RequestThreads threads = new RequestThreads(2, LONG)) {
      threads.execute(endless("first", end));
      threads.execute(endless("second", end));
    }
    assertThat(await(end)).isTrue();
  }
}
