package sample;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** The operator's own kind: a film that one pod renders when Kueue admits it. */
@Group("sample.io")
@Version("v1")
public final class Render extends CustomResource<Render.Spec, Render.Status> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** What users write. */
  public record Spec(String queue, int cpus, int priority) {}

  /** What the operator reports: {@code Waiting}, {@code Running} or {@code Done}. */
  public record Status(String phase) {}
}
