package io.kueue4j.k8s.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.kueue4j.k8s.ManifestReader;
import io.kueue4j.k8s.ManifestSource;
import io.kueue4j.k8s.internal.kueue.WorkloadReader;
import io.kueue4j.k8s.kueue.ImportedWorkload;
import io.kueue4j.k8s.manifest.Manifest;
import io.kueue4j.k8s.pod.PodTemplates;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Objects of Kueue in a client and in storage. */
final class KueueObjects {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private KueueObjects() {}

  static GenericKubernetesResource object(String yaml) {
    return manifest(yaml).as(GenericKubernetesResource.class);
  }

  /** {@return a Workload of one pod set {@code main} of one pod with as many cores} */
  static GenericKubernetesResource workload(String version, String name, int cpu) {
    return object("""
        apiVersion: kueue.x-k8s.io/%s
        kind: Workload
        metadata: {name: %s, namespace: ns, generation: 3}
        spec:
          queueName: q
          priority: 0
          podSets:
          - name: main
            count: 1
            template: {spec: {containers: [{name: c, resources: {requests: {cpu: %d}}}]}}
        """.formatted(version, name, cpu));
  }

  static Manifest manifest(String text) {
    return ManifestReader.create()
        .read(ManifestSource.of("test.yaml", text))
        .items()
        .get(0);
  }

  /** {@return the object as JSON that was stored and returned by a server} */
  static GenericKubernetesResource stored(GenericKubernetesResource object) {
    try {
      return MAPPER.readValue(json(object), GenericKubernetesResource.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String json(Object object) {
    try {
      return MAPPER.writeValueAsString(object);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ImportedWorkload read(GenericKubernetesResource object) {
    return new WorkloadReader(PodTemplates.plain()).read(manifest(json(object)));
  }

  /** {@return a field of the status, by names and numbers of items} */
  static @Nullable Object status(GenericKubernetesResource object, Object... path) {
    @Nullable Object node = stored(object).getAdditionalProperties().get("status");
    for (Object step : path) {
      node = step instanceof Integer index
          ? ((List<?>) Objects.requireNonNull(node)).get(index)
          : ((Map<?, ?>) Objects.requireNonNull(node)).get(step);
    }
    return node;
  }

  /** {@return a condition: {@code True Reason @time: message}, or an empty text} */
  static String condition(GenericKubernetesResource object, String type) {
    for (Object item : (List<?>) Objects.requireNonNull(status(object, "conditions"))) {
      Map<?, ?> condition = (Map<?, ?>) item;
      if (type.equals(condition.get("type"))) {
        return condition.get("status") + " " + condition.get("reason") + " @"
            + String.valueOf(condition.get("lastTransitionTime")).substring(11, 19) + ": "
            + condition.get("message");
      }
    }
    return "";
  }
}
