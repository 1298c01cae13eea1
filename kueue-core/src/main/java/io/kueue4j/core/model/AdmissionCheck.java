package io.kueue4j.core.model;

/**
 * A check that workloads must pass between quota reservation and admission. A controller outside
 * the engine carries it out, for example one that provisions nodes or asks for a budget.
 *
 * <p>A ClusterQueue that requires a check admits workloads only while the check exists and is
 * active.
 *
 * <p>Kueue: {@code AdmissionCheck}. Rules: M-12, L-6, T-76.
 *
 * @param name the name
 * @param controllerName the controller that carries it out
 * @param active whether the controller can carry it out; condition {@code Active}
 * @since 0.1.0
 */
public record AdmissionCheck(String name, String controllerName, boolean active)
    implements ConfigObject {
  /** The controller that dispatches workloads to other clusters. */
  public static final String MULTI_KUEUE = "kueue.x-k8s.io/multikueue";

  /** The controller that requests nodes from the cluster autoscaler. */
  public static final String PROVISIONING_REQUEST = "kueue.x-k8s.io/provisioning-request";

  /** {@return a check that is active} */
  public static AdmissionCheck of(String name, String controllerName) {
    return new AdmissionCheck(name, controllerName, true);
  }

  @Override
  public String key() {
    return "AdmissionCheck " + name;
  }
}
