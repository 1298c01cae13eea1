package io.kueue4j.k8s.pod;

import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.kueue4j.k8s.yaml.FieldPath;

/**
 * A pod template and where it is written, so that errors can say so.
 *
 * @param object the object that holds it, kind and name, for example {@code Job team-a/train}
 * @param namespace the namespace of its pods, whose LimitRanges hold for them; empty for none
 * @param path the field of the object that holds it, for example {@code spec.template}; empty if
 *     the object is the template, as a Pod is
 * @param template the template, which is not modified
 */
public record LocatedPodTemplate(
    String object, String namespace, String path, PodTemplateSpec template) {

  /** {@return the template that stands alone: no namespace, path {@code template}} */
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
