package io.kueue4j.examples.controller.fault;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.kueue4j.examples.controller.cluster.Trees;
import io.kueue4j.examples.controller.object.ClusterEvent;
import io.kueue4j.examples.controller.write.ClusterWrites;
import java.util.HashMap;
import java.util.Map;

/**
 * Something that a controller might do wrong, put between the loop and the cluster; each must be
 * found by the runs.
 */
@SuppressWarnings("ImmutableEnumChecker") // a bug remembers what it has done to the objects it saw
enum PlantedBug {
  NONE,

  /** The last event is assumed to be the newest, although it may be an old version. */
  LAST_IS_NEWEST {
    private long events;

    @Override
    ClusterEvent received(ClusterEvent event) {
      events++;
      return new ClusterEvent(
          withVersion(event.object(), "1" + version(events, event)), event.isDeleted());
    }

    private String version(long count, ClusterEvent event) {
      return "%012d%012d"
          .formatted(count, Long.parseLong(event.object().getMetadata().getResourceVersion()));
    }

    @Override
    <T extends HasMetadata> T replaced(ClusterWrites cluster, T object) {
      return cluster.replace(withRealVersion(object));
    }

    @Override
    <T extends HasMetadata> T replacedStatus(ClusterWrites cluster, T object) {
      return cluster.replaceStatus(withRealVersion(object));
    }
  },

  /** Nothing that a start has written is taken away by the stop. */
  TEMPLATE_NOT_RESTORED {
    private final Map<String, ObjectNode> started = new HashMap<>();

    @Override
    <T extends HasMetadata> T replaced(ClusterWrites cluster, T object) {
      if (!object.getKind().equals("Job")) {
        return cluster.replace(object);
      }
      if (!isSuspended(object)) {
        started.put(object.getMetadata().getUid(), Trees.of(object));
        return cluster.replace(object);
      }
      ObjectNode before = started.get(object.getMetadata().getUid());
      if (before == null) {
        return cluster.replace(object);
      }
      ObjectNode tree = Trees.of(object);
      Trees.child(tree, "spec").set("template", Trees.at(before, "spec", "template"));
      return cluster.replace(of(object, tree));
    }
  },

  /** News of deletions is not heard. */
  DELETIONS_NOT_HEARD {
    @Override
    ClusterEvent received(ClusterEvent event) {
      return event.isDeleted() ? ClusterEvent.changed(event.object()) : event;
    }
  },

  /** The record of an admission is removed when its job is suspended, while its pods still run. */
  RECORD_GONE_WITH_STOP {
    @Override
    <T extends HasMetadata> T replacedStatus(ClusterWrites cluster, T object) {
      ObjectNode tree = Trees.of(object);
      ObjectNode status = Trees.child(tree, "status");
      if (status.has("admission") && isTrue(status, "kueue4j.io/Stopping")) {
        status.remove("admission");
        for (JsonNode condition : status.path("conditions")) {
          if (condition.path("type").asText().equals("QuotaReserved")) {
            ((ObjectNode) condition).put("status", "False");
          }
        }
      }
      return cluster.replaceStatus(of(object, tree));
    }
  },

  /** A controller that starts does not read the records of jobs that run. */
  RECORDS_FORGOTTEN_AT_RESTART {
    @Override
    HasMetadata listed(HasMetadata object) {
      ObjectNode tree = Trees.of(object);
      if (!object.getKind().equals("Workload")) {
        return object;
      }
      tree.remove("status");
      return of(object, tree);
    }
  },

  /** Checks that have not been answered are taken for passed. */
  CHECKS_NOT_AWAITED {
    @Override
    HasMetadata listed(HasMetadata object) {
      return passed(object);
    }

    @Override
    ClusterEvent received(ClusterEvent event) {
      return new ClusterEvent(passed(event.object()), event.isDeleted());
    }

    private HasMetadata passed(HasMetadata object) {
      ObjectNode tree = Trees.of(object);
      for (JsonNode check : tree.at("/status/admissionChecks")) {
        ((ObjectNode) check).put("state", "Ready");
      }
      return of(object, tree);
    }
  },

  /** Jobs are started without the node selectors of their flavors. */
  SELECTORS_FORGOTTEN {
    @Override
    <T extends HasMetadata> T replaced(ClusterWrites cluster, T object) {
      if (object.getKind().equals("Job") && !isSuspended(object)) {
        ObjectNode tree = Trees.of(object);
        ((ObjectNode) tree.at("/spec/template/spec")).remove("nodeSelector");
        return cluster.replace(of(object, tree));
      }
      return cluster.replace(object);
    }
  };

  /** {@return an object as a list shows it} */
  HasMetadata listed(HasMetadata object) {
    return object;
  }

  /** {@return an event as the controller hears it} */
  ClusterEvent received(ClusterEvent event) {
    return event;
  }

  <T extends HasMetadata> T replaced(ClusterWrites cluster, T object) {
    return cluster.replace(object);
  }

  <T extends HasMetadata> T replacedStatus(ClusterWrites cluster, T object) {
    return cluster.replaceStatus(object);
  }

  /** {@return writes with this bug, to {@code cluster}} */
  ClusterWrites over(ClusterWrites cluster) {
    return new ClusterWrites() {
      @Override
      public <T extends HasMetadata> T replace(T object) {
        return replaced(cluster, object);
      }

      @Override
      public <T extends HasMetadata> T replaceStatus(T object) {
        return replacedStatus(cluster, object);
      }

      @Override
      public <T extends HasMetadata> T create(T object) {
        return cluster.create(object);
      }

      @Override
      public void delete(HasMetadata object) {
        cluster.delete(object);
      }

      @Override
      public void record(Event event) {
        cluster.record(event);
      }
    };
  }

  private static boolean isTrue(JsonNode status, String type) {
    for (JsonNode condition : status.path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private static boolean isSuspended(HasMetadata object) {
    return Trees.of(object).at("/spec/suspend").asBoolean();
  }

  private static <T extends HasMetadata> T withVersion(T object, String version) {
    ObjectNode tree = Trees.of(object);
    Trees.child(tree, "metadata").put("resourceVersion", version);
    return of(object, tree);
  }

  @SuppressWarnings("unchecked") // of the class of the given object
  private static <T extends HasMetadata> T of(T object, ObjectNode tree) {
    return (T) Trees.toObject(tree, object.getClass());
  }

  /** Takes away what {@link #LAST_IS_NEWEST} has put before a version. */
  private static <T extends HasMetadata> T withRealVersion(T object) {
    String version = object.getMetadata().getResourceVersion();
    return version.length() > 12
        ? withVersion(object, Long.toString(Long.parseLong(version.substring(13))))
        : object;
  }
}
