package io.kueue4j.examples.server;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs each request of an HTTP server on a thread of its own. A request that takes too long is
 * interrupted, and so is the oldest one if there are too many: slow clients never keep a new
 * request from being served. Thread-safe.
 *
 * <p>The server of the JDK reads and writes by interruptible channels, so that an interrupt closes
 * the connection of the request.
 *
 * <pre>{@code
 * server.setExecutor(new RequestThreads(64, Duration.ofSeconds(30)));
 * }</pre>
 */
public final class RequestThreads implements Executor, AutoCloseable {
  private final int maxRequests;
  private final long limitNanos;

  /** When the requests began that are neither ended nor interrupted, the oldest first. */
  private final Map<Thread, Long> startNanos = new LinkedHashMap<>();

  private final ScheduledExecutorService sweeper =
      Executors.newSingleThreadScheduledExecutor(task -> daemon(task, "http-limit"));

  /**
   * Creates threads for the requests of one server.
   *
   * @param maxRequests the number of requests that are served at a time
   * @param limit the time for one request, from its first byte to the end of the answer
   */
  public RequestThreads(int maxRequests, Duration limit) {
    this.maxRequests = maxRequests;
    this.limitNanos = limit.toNanos();
    long interval = limitNanos / 4;
    Future<?> unused =
        sweeper.scheduleWithFixedDelay(this::endSlow, interval, interval, TimeUnit.NANOSECONDS);
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public synchronized void execute(Runnable request) {
    if (startNanos.size() >= maxRequests) {
      endOldest();
    }
    Thread thread = daemon(() -> run(request), "http");
    startNanos.put(thread, System.nanoTime());
    thread.start();
  }

  private void run(Runnable request) {
    try {
      request.run();
    } finally {
      synchronized (this) {
        startNanos.remove(Thread.currentThread());
      }
    }
  }

  private void endOldest() {
    Iterator<Thread> oldestFirst = startNanos.keySet().iterator();
    oldestFirst.next().interrupt();
    oldestFirst.remove();
  }

  private synchronized void endSlow() {
    long now = System.nanoTime();
    startNanos.entrySet().removeIf(request -> {
      boolean isSlow = now - request.getValue() >= limitNanos;
      if (isSlow) {
        request.getKey().interrupt();
      }
      return isSlow;
    });
  }

  @Override
  public synchronized void close() {
    sweeper.shutdownNow();
    startNanos.keySet().forEach(Thread::interrupt);
  }
}
