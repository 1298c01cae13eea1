package io.kueue4j.core.internal.state;

import static com.google.common.base.Preconditions.checkArgument;

import io.kueue4j.core.model.AdmissionCheck;
import io.kueue4j.core.model.CapacityWindow;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.Cohort;
import io.kueue4j.core.model.ConfigObject;
import io.kueue4j.core.model.LocalQueue;
import io.kueue4j.core.model.Namespace;
import io.kueue4j.core.model.Node;
import io.kueue4j.core.model.ResourceFlavor;
import io.kueue4j.core.model.Topology;
import io.kueue4j.core.model.TpuPoolSet;
import io.kueue4j.core.model.WorkloadPriorityClass;
import java.util.Arrays;
import java.util.Comparator;

/** The kinds of configuration objects; a kind precedes the kinds that its objects refer to. */
public enum ConfigKind {
  CAPACITY_WINDOW(CapacityWindow.class),
  LOCAL_QUEUE(LocalQueue.class),
  CLUSTER_QUEUE(ClusterQueue.class),
  COHORT(Cohort.class),
  RESOURCE_FLAVOR(ResourceFlavor.class),
  TOPOLOGY(Topology.class),
  TPU_POOL_SET(TpuPoolSet.class),
  NODE(Node.class),
  ADMISSION_CHECK(AdmissionCheck.class),
  WORKLOAD_PRIORITY_CLASS(WorkloadPriorityClass.class),
  NAMESPACE(Namespace.class);

  private final Class<? extends ConfigObject> type;

  /**
   * The key of a configuration object.
   *
   * @param kind its kind
   * @param name its qualified name
   */
  public record Key(ConfigKind kind, String name) {
    /** The order in which objects of several kinds can be removed. */
    public static final Comparator<Key> REMOVAL_ORDER = Comparator.comparing(Key::kind);

    public static Key of(ConfigObject object) {
      return new Key(ConfigKind.of(object), object.qualifiedName());
    }

    /**
     * {@return the key of the object of a kind with a name}
     *
     * @throws IllegalArgumentException if {@code type} is not a kind, or {@code name} is not
     *     {@code namespace/name} for a LocalQueue
     */
    public static Key of(Class<? extends ConfigObject> type, String name) {
      ConfigKind kind = ConfigKind.of(type);
      checkArgument(
          kind != LOCAL_QUEUE || name.indexOf('/') > 0,
          "%s is not the name of a LocalQueue; expected namespace/name",
          name);
      return new Key(kind, name);
    }
  }

  ConfigKind(Class<? extends ConfigObject> type) {
    this.type = type;
  }

  /**
   * {@return the kind of the objects of {@code type}}
   *
   * @throws IllegalArgumentException if {@code type} is not the type of a kind
   */
  public static ConfigKind of(Class<? extends ConfigObject> type) {
    return Arrays.stream(values())
        .filter(kind -> kind.type.isAssignableFrom(type))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(type.getName()
            + " is not a kind of configuration object; expected for example ClusterQueue.class"));
  }

  /** {@return the kind of {@code object}} */
  public static ConfigKind of(ConfigObject object) {
    return of(object.getClass());
  }
}
