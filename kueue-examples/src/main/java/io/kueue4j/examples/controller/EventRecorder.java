package io.kueue4j.examples.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Records events in a thread of its own, so that callers never wait; if there are too many, the
 * oldest waiting ones are dropped.
 */
final class EventRecorder implements Consumer<Event>, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EventRecorder.class.getName());
  private static final int MAX_WAITING = 1000;

  private final KubernetesClient client;
  private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
      1,
      1,
      0,
      TimeUnit.SECONDS,
      new ArrayBlockingQueue<>(MAX_WAITING),
      task -> {
        Thread thread = new Thread(task, "events");
        thread.setDaemon(true);
        return thread;
      },
      new ThreadPoolExecutor.DiscardOldestPolicy());

  EventRecorder(KubernetesClient client) {
    this.client = client;
  }

  @Override
  public void accept(Event event) {
    executor.execute(() -> create(event));
  }

  private void create(Event event) {
    try {
      client
          .v1()
          .events()
          .inNamespace(event.getMetadata().getNamespace())
          .resource(event)
          .create();
    } catch (KubernetesClientException e) {
      LOG.log(System.Logger.Level.DEBUG, "an event was not recorded", e);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
