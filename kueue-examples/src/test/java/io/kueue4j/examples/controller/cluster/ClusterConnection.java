package io.kueue4j.examples.controller.cluster;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.write.ClusterWrites;
import io.kueue4j.examples.controller.write.WriteException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** The writes of one controller to a {@link StrictCluster}, without any fault. */
public final class ClusterConnection implements ClusterWrites {
  private final StrictCluster cluster;
  private final String actor;
  private final List<Event> events = new ArrayList<>();

  private ClusterConnection(StrictCluster cluster, String actor) {
    this.cluster = cluster;
    this.actor = actor;
  }

  /**
   * {@return a connection}
   *
   * @param actor what the controller is called in the log of the cluster
   */
  public static ClusterConnection of(StrictCluster cluster, String actor) {
    return new ClusterConnection(cluster, actor);
  }

  @Override
  public <T extends HasMetadata> T replace(T object) {
    return locked(object, () -> cluster.replace(actor, object));
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    return locked(object, () -> cluster.replaceStatus(actor, object));
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return answered(() -> cluster.create(actor, object));
  }

  @Override
  public void delete(HasMetadata object) {
    locked(object, () -> {
      cluster.delete(actor, object);
      return object;
    });
  }

  @Override
  public void record(Event event) {
    events.add(event);
  }

  /** {@return the recorded events, in order; a view} */
  public List<Event> events() {
    return Collections.unmodifiableList(events);
  }

  private static <T extends HasMetadata> T locked(T object, Supplier<T> write) {
    String version = object.getMetadata().getResourceVersion();
    if (version == null || version.isEmpty()) {
      throw new IllegalArgumentException("a controller wrote without saying over which version: "
          + ObjectKey.of(object).resourceAndName());
    }
    return answered(write);
  }

  private static <T> T answered(Supplier<T> write) {
    try {
      return write.get();
    } catch (ApiRefusal refusal) {
      throw new WriteException(reason(refusal), String.valueOf(refusal.getMessage()), refusal);
    }
  }

  private static WriteException.Reason reason(ApiRefusal refusal) {
    return switch (refusal.code()) {
      case 404 -> WriteException.Reason.GONE;
      case 409 -> WriteException.Reason.CONFLICT;
      default -> WriteException.Reason.REFUSED;
    };
  }
}
