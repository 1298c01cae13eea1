package io.kueue4j.k8s.pod;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.k8s.internal.yaml.FieldPath;

/**
 * A pod template and its location, for error messages.
 *
 * @param object the kind and name of the object that contains it, for example {@code Job
 *     team-a/train}
 * @param namespace the namespace of its pods, whose LimitRanges apply; empty for none
 * @param path the field of the object that contains it, for example {@code spec.template}; empty if
 *     the object itself is the template, as for a Pod
 * @param template the template, which is not modified
 * @since 0.1.0
 */
public record LocatedPodTemplate(
    String object, String namespace, String path, PodTemplateSpec template) {

  /** {@return a location for a template without an object: no namespace, path {@code template}} */
  public static LocatedPodTemplate of(PodTemplateSpec template) {
    return new LocatedPodTemplate("PodTemplate", "", "template", template);
  }

  String specPath() {
    return FieldPath.join(path, "spec");
  }

  String annotationsPath() {
    return FieldPath.join(path, "metadata.annotations");
  }
}
