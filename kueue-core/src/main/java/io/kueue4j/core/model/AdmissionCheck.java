package io.kueue4j.core.model;

/**
 * A test that workloads pass between the reservation of their quota and their start, carried out by
 * somebody else: a controller that provisions nodes, asks for a budget, or the like.
 *
 * <p>A ClusterQueue that asks for a check takes part only while the check exists and is active.
 *
 * <p>Kueue: {@code AdmissionCheck}. Rules: M-12, L-6, T-76.
 *
 * @param name the name
 * @param controllerName who carries it out
 * @param active whether it can be carried out; condition {@code Active}
 */
public record AdmissionCheck(String name, String controllerName, boolean active)
    implements ConfigObject {
  /** The controller that hands workloads to other clusters. */
  public static final String MULTI_KUEUE = "kueue.x-k8s.io/multikueue";

  /** The controller that asks the cluster autoscaler for nodes. */
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
