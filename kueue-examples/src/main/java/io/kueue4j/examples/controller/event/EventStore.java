package io.kueue4j.examples.controller.event;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** The events of a cluster. */
interface EventStore {
  /**
   * Creates an event.
   *
   * @return the stored event
   * @throws KubernetesClientException if that failed
   */
  Event create(Event event);

  /**
   * Updates the count and the time of a stored event.
   *
   * @throws KubernetesClientException if that failed
   */
  void repeat(String namespace, String name, int count, String lastTime);

  /** {@return the events of the cluster of a client} */
  static EventStore of(KubernetesClient client) {
    return new EventStore() {
      @Override
      public Event create(Event event) {
        return client
            .v1()
            .events()
            .inNamespace(event.getMetadata().getNamespace())
            .resource(event)
            .create();
      }

      @Override
      public void repeat(String namespace, String name, int count, String lastTime) {
        // By name alone the client would read the event first.
        Event named = new EventBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .build();
        var unused = client
            .v1()
            .events()
            .inNamespace(namespace)
            .resource(named)
            .patch(
                PatchContext.of(PatchType.JSON_MERGE),
                "{\"count\":" + count + ",\"lastTimestamp\":\"" + lastTime + "\"}");
      }
    };
  }
}
