package io.kueue4j.k8s.testkit;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableSet;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.core.AdmissionEngine;
import io.kueue4j.core.EngineView;
import io.kueue4j.core.model.Inactivity;
import io.kueue4j.k8s.ApplyResult;
import io.kueue4j.k8s.KubernetesAdmission;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.status.QueueStatusWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The queues, flavors, nodes and other configuration on the server: configures the engine, and
 * writes the status of queues.
 */
final class StoredConfiguration {
  private static final ImmutableSet<String> KUBERNETES_KINDS =
      ImmutableSet.of("Namespace", "Node", "LimitRange", "RuntimeClass");
  private static final ImmutableSet<String> QUEUES = ImmutableSet.of("ClusterQueue", "LocalQueue");

  private final MockApiServer server;
  private final KubernetesAdmission admission;
  private final AdmissionEngine engine;
  private final QueueStatusWriter writer;
  private final InstantSource clock;
  private final Problems problems;
  private final Map<String, GenericKubernetesResource> queues = new LinkedHashMap<>();

  /** Deleted objects that the engine still needs, such as a ClusterQueue with workloads. */
  private final Map<String, GenericKubernetesResource> deleted = new LinkedHashMap<>();

  StoredConfiguration(
      MockApiServer server, KubernetesAdmission admission, InstantSource clock, Problems problems) {
    this.server = server;
    this.admission = admission;
    this.engine = admission.engine();
    this.writer = QueueStatusWriter.of(engine.settings());
    this.clock = clock;
    this.problems = problems;
  }

  /** {@return whether objects of this kind configure the engine} */
  static boolean concerns(GenericKubernetesResource object) {
    String group = object.getApiVersion().replaceFirst("/?[^/]*$", "");
    return KUBERNETES_KINDS.contains(object.getKind())
        || (KueueReader.isKnown(group, object.getKind())
            && !object.getKind().equals(KueueReader.WORKLOAD));
  }

  /**
   * Passes a change to the engine.
   *
   * @throws IllegalArgumentException if the object is invalid; the engine keeps the version before
   */
  void accept(MockApiServer.Change change) {
    GenericKubernetesResource object = change.object();
    String key = Problems.key(object);
    if (change.isDeleted()) {
      queues.remove(key);
      deleted.put(key, object);
      return;
    }
    deleted.remove(key);
    if (QUEUES.contains(object.getKind())) {
      queues.put(key, object);
    }
    throwIfRefused(admission.apply(object));
  }

  private static void throwIfRefused(ApplyResult result) {
    if (!result.refused().isEmpty()) {
      throw new IllegalArgumentException(
          result.problems().stream().map(Objects::toString).collect(joining("; ")));
    }
  }

  /** Removes deleted objects from the engine that it does not need any more. */
  void removeDeleted() {
    deleted.entrySet().removeIf(entry -> {
      ApplyResult result = admission.delete(entry.getValue());
      problems.set(
          entry.getKey(), result.problems().stream().map(Objects::toString).collect(joining("; ")));
      return result.refused().isEmpty();
    });
  }

  /** Writes the status of the queues that has changed in the engine. */
  void write() {
    EngineView view = engine.view();
    Instant now = clock.instant();
    queues.replaceAll((key, object) -> {
      GenericKubernetesResource written = status(key, object, view, now);
      return written.equals(object) ? object : server.replaceStatus(written);
    });
  }

  private GenericKubernetesResource status(
      String key, GenericKubernetesResource object, EngineView view, Instant now) {
    String name = object.getMetadata().getName();
    Optional<GenericKubernetesResource> written = object.getKind().equals("ClusterQueue")
        ? view.clusterQueue(name).map(queue -> writer.clusterQueue(object, queue, now))
        : view.localQueue(object.getMetadata().getNamespace(), name)
            .map(queue -> writer.localQueue(object, queue, view, now));
    return written.orElseGet(() -> writer.inactive(
        object, new Inactivity("InvalidConfiguration", problems.of(key).orElse("")), now));
  }
}
