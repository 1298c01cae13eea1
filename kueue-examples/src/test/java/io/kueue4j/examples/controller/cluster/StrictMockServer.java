package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.function.Predicate;

/**
 * A {@link StrictCluster} behind fabric8's mock server: a client gets the defaults, the 409s and
 * the 422s that a real API server would give it. It has the namespace {@code default}.
 *
 * <p>Unlike a real server it takes no strategic merge patch, server-side apply only of the status
 * of Workloads (415), does not check schemas, and keeps unknown fields.
 */
public final class StrictMockServer implements AutoCloseable {
  private final KubernetesMockServer server;
  private final StrictDispatcher dispatcher;

  private StrictMockServer(KubernetesMockServer server, StrictDispatcher dispatcher) {
    this.server = server;
    this.dispatcher = dispatcher;
  }

  /** {@return a running server, on a free port of this machine} */
  public static StrictMockServer start(ServerVersion version, InstantSource clock) {
    StrictDispatcher dispatcher = new StrictDispatcher(StrictCluster.create(version, clock));
    KubernetesMockServer server = new KubernetesMockServer(
        new Context(), new MockWebServer(), new HashMap<>(), dispatcher, false);
    server.init();
    return new StrictMockServer(server, dispatcher);
  }

  /** {@return a new client of the server; to be closed by the caller} */
  public NamespacedKubernetesClient client() {
    return server.createClient();
  }

  /** Rejects requests from now on, by method and plural, such as {@code "GET secrets"}. */
  public void forbid(Predicate<String> requests) {
    dispatcher.forbid(requests);
  }

  /** Lets all watches expire that begin before the present version. */
  public void forgetHistory() {
    dispatcher.forgetHistory();
  }

  /** {@return the number of replacements of Jobs so far, not of their status} */
  public long jobReplacements() {
    return dispatcher.jobReplacements();
  }

  @Override
  public void close() {
    server.destroy();
  }
}
