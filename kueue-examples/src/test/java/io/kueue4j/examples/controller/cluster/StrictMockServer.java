package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.InstantSource;
import java.util.HashMap;

/**
 * fabric8's mock server in CRUD mode, made strict by {@link ApiRules}: a client gets the defaults,
 * the 409s and the 422s that a real API server would give it. It has the namespace {@code default}.
 *
 * <p>Unlike a real server it takes no strategic merge patch and no server-side apply (415), does
 * not check schemas, and keeps unknown fields.
 */
public final class StrictMockServer implements AutoCloseable {
  private final KubernetesMockServer server;
  private final StrictDispatcher dispatcher;

  private StrictMockServer(KubernetesMockServer server, StrictDispatcher dispatcher) {
    this.server = server;
    this.dispatcher = dispatcher;
  }

  /** {@return a server that runs, on a free port of this machine} */
  public static StrictMockServer start(ServerVersion version, InstantSource clock) {
    StrictDispatcher dispatcher = new StrictDispatcher(version, clock);
    KubernetesMockServer server = new KubernetesMockServer(
        new Context(), new MockWebServer(), new HashMap<>(), dispatcher, false);
    server.init();
    StrictMockServer strict = new StrictMockServer(server, dispatcher);
    try (KubernetesClient client = strict.client()) {
      client
          .resource(new NamespaceBuilder()
              .withNewMetadata()
              .withName("default")
              .endMetadata()
              .build())
          .create();
    }
    return strict;
  }

  /** {@return a client of its own to the server; to be closed by the caller} */
  public NamespacedKubernetesClient client() {
    return server.createClient();
  }

  /** {@return how many objects and statuses were replaced so far} */
  public long replacements() {
    return dispatcher.replacements();
  }

  @Override
  public void close() {
    server.destroy();
  }
}
