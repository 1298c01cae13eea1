package io.kueue4j.core.internal.assertion;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.core.internal.compiled.CompiledQueue;
import io.kueue4j.core.internal.compiled.CompiledWorkload;
import io.kueue4j.core.internal.compiled.FlavorTable;
import io.kueue4j.core.internal.compiled.Interned;
import io.kueue4j.core.internal.fleet.PoolSetState;
import io.kueue4j.core.internal.queue.PendingQueue;
import io.kueue4j.core.internal.queue.PendingWorkload;
import io.kueue4j.core.internal.quota.QueueQuota;
import io.kueue4j.core.internal.quota.QuotaHolder;
import io.kueue4j.core.internal.quota.QuotaTree;
import io.kueue4j.core.internal.state.EngineState;
import io.kueue4j.core.internal.state.Head;
import io.kueue4j.core.internal.state.QueueState;
import io.kueue4j.core.internal.state.Reservation;
import io.kueue4j.core.internal.state.WorkloadRecord;
import io.kueue4j.core.internal.topology.Inventories;
import io.kueue4j.core.internal.topology.Inventory;
import io.kueue4j.core.internal.versioned.VersionedMap;
import io.kueue4j.core.internal.versioned.VersionedSet;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The content of a state as maps, sets, lists and immutable values, so that states that decide
 * equally are equal: every field that is not known to be a cache ({@link ContentFields}), of every
 * part that is loaded.
 *
 * <p>Each store, workload, head and ClusterQueue has an entry; others refer to it by name.
 */
final class StateDump {
  private static final String INTERNAL = "io.kueue4j.core.internal.";

  /** Whether objects of a class are immutable values that {@code equals} compares. */
  private static final ClassValue<Boolean> IS_VALUE = new ClassValue<>() {
    @Override
    protected Boolean computeValue(Class<?> type) {
      return !type.getName().startsWith(INTERNAL)
          || Interned.class.isAssignableFrom(type)
          || hasEquals(type);
    }
  };

  private final EngineState state;
  private final Set<Object> stores = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Object, Object> entries = new HashMap<>();

  private StateDump(EngineState state) {
    this.state = state;
  }

  /** {@return the content of a state by entry} */
  static Map<Object, Object> of(EngineState state) {
    return new StateDump(state).dump();
  }

  private static boolean hasEquals(Class<?> type) {
    try {
      Method equals = type.getMethod("equals", Object.class);
      return equals.getDeclaringClass() != Object.class && type != Reservation.class;
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private Map<Object, Object> dump() {
    Map<Object, @Nullable Object> fields = new HashMap<>();
    ContentFields.forEach(state, fields::put);
    fields.values().stream()
        .filter(StateDump::isStore)
        .map(Objects::requireNonNull)
        .forEach(stores::add);
    fields.forEach((name, value) -> entries.put(
        "store " + name,
        value != null && stores.contains(value)
            ? ContentFields.of(value, this::value)
            : value(value)));
    state.workloads().all().forEach(this::add);
    state.queues().forEach(this::add);
    return entries;
  }

  private static boolean isStore(@Nullable Object value) {
    return value != null
        && value.getClass().getPackageName().equals(EngineState.class.getPackageName());
  }

  private void add(WorkloadRecord record) {
    entries.put(value(record), ContentFields.of(ContentFields.require(record, "row"), this::value));
  }

  private void add(QueueState queue) {
    QueueQuota quota = queue.quota();
    Map<Object, Object> content = ContentFields.of(quota, this::value);
    Set<Object> holders = new HashSet<>();
    quota.holders().forEach(holder -> holders.add(ContentFields.of(holder, this::value)));
    content.put("holders", holders);
    Map<Object, Object> usage = new HashMap<>();
    QuotaTree tree = quota.tree();
    for (int column = 0; column < tree.columnCount(); column++) {
      if (tree.usage(quota.node(), column) != 0) {
        usage.put(tree.pair(column), tree.usage(quota.node(), column));
      }
    }
    content.put("usage", usage);
    content.put("in trial", tree.isInTrial());
    entries.put(value(queue), content);
    PendingQueue pending = queue.pending();
    Map<Object, Object> waiting = ContentFields.of(pending, this::value);
    waiting.put(
        "active", value(pending.active().stream().sorted(pending.serviceOrder()).toList()));
    waiting.put("parked", value(new HashSet<>(pending.parked())));
    entries.put("pending " + queue.name(), waiting);
  }

  // ----- values

  private Object value(@Nullable Object object) {
    if (object == null) {
      return "none";
    }
    if (stores.contains(object)) {
      return "a store";
    }
    Object name = name(object);
    return name != null ? name : content(object);
  }

  /** {@return the name of what has an entry of its own, null for others} */
  private @Nullable Object name(Object object) {
    if (object instanceof WorkloadRecord record) {
      return "workload " + record.id();
    } else if (object instanceof QueueState queue) {
      return "queue " + queue.name();
    } else if (object instanceof QueueQuota queue) {
      return "queue " + queue.name();
    } else if (object instanceof QuotaTree) {
      return "a tree";
    } else if (object instanceof QuotaHolder holder) {
      WorkloadRecord record = state.record(holder.id());
      Reservation held = record == null ? null : record.reservation();
      return (held != null && held.holder().equals(holder) ? "holder " : "former holder ")
          + holder.id();
    } else if (object instanceof PendingWorkload pending) {
      WorkloadRecord record = state.record(pending.id());
      Head head = record == null ? null : record.head();
      return (head != null && pending.equals(head.pending()) ? "head " : "former head ")
          + pending.id();
    }
    return null;
  }

  private Object content(Object object) {
    if (object instanceof Map<?, ?> map) {
      Map<Object, Object> content = new HashMap<>();
      map.forEach((key, each) -> content.put(value(key), value(each)));
      return content;
    } else if (object instanceof Collection<?> all) {
      Collection<Object> content = all instanceof Set ? new HashSet<>() : new ArrayList<>();
      all.forEach(each -> content.add(value(each)));
      return content;
    } else if (object instanceof BitSet bits) {
      return bits.clone();
    } else if (object.getClass().isArray()) {
      List<Object> content = new ArrayList<>();
      for (int i = 0; i < Array.getLength(object); i++) {
        content.add(value(Array.get(object, i)));
      }
      return content;
    }
    return object.getClass().isHidden() ? "code" : ofEngine(object);
  }

  private Object ofEngine(Object object) {
    if (object instanceof CompiledWorkload workload) {
      return ImmutableList.of(workload.source(), workload.priority());
    } else if (object instanceof CompiledQueue queue) {
      return queue.source();
    } else if (object instanceof FlavorTable table) {
      return ImmutableSet.copyOf(table.all());
    } else if (object instanceof PoolSetState pools) {
      Set<Object> slices = new HashSet<>(pools.fleet().slices());
      slices.addAll(pools.overlapping());
      return ImmutableList.of(pools.source(), slices);
    } else if (object instanceof Inventories inventories) {
      Map<Object, Object> content = ContentFields.of(inventories, this::value);
      inventories.all().forEach(each -> content.put(each.flavor().name(), usage(each)));
      return content;
    } else if (object instanceof VersionedSet<?> set) {
      return value(set.toList());
    } else if (object instanceof VersionedMap<?, ?> map) {
      Map<Object, Object> entriesOfMap = new HashMap<>();
      map.forEach((key, each) -> entriesOfMap.put(value(key), value(each)));
      return entriesOfMap;
    }
    if (IS_VALUE.get(object.getClass())) {
      return object;
    }
    Map<Object, Object> content = ContentFields.of(object, this::value);
    boolean isVersioned = object.getClass().getPackageName().equals(INTERNAL + "versioned");
    return isVersioned && content.size() == 1 ? content.values().iterator().next() : content;
  }

  /** {@return what is charged to each leaf of an inventory, by leaf and resource} */
  private static Map<Object, Object> usage(Inventory inventory) {
    Object usage = ContentFields.require(inventory, "usage");
    Map<?, ?> columns = (Map<?, ?>) ContentFields.require(inventory, "columns");
    Map<Object, Object> content = new HashMap<>();
    for (String kind : List.of("capacity", "used", "assumed")) {
      long[] amounts = (long[]) ContentFields.require(usage, kind);
      columns.forEach((resource, column) -> {
        for (int at = (int) column; at < amounts.length; at += columns.size()) {
          if (amounts[at] != 0) {
            content.put(kind + " " + resource + " " + at / columns.size(), amounts[at]);
          }
        }
      });
    }
    content.put("trials", ContentFields.get(usage, "openTrials"));
    return content;
  }
}
