package io.kueue4j.examples.controller.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.Watcher;
import org.jspecify.annotations.Nullable;

/** The objects of one kind in a cluster. */
interface ObjectSource {
  /**
   * {@return a page of the current objects}
   *
   * @param next the position in the list that the page before has named; null for the first
   * @throws RuntimeException if the server refuses or does not answer
   */
  KubernetesResourceList<? extends HasMetadata> list(@Nullable String next);

  /**
   * Starts a watch, which ends at the first problem and does not reconnect.
   *
   * @param version the version after which events are reported
   * @throws RuntimeException if the server refuses or does not answer
   */
  AutoCloseable watch(String version, Watcher<HasMetadata> watcher);
}
