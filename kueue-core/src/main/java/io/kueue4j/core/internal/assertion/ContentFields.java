package io.kueue4j.core.internal.assertion;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object of the engine that belong to its content. All do, except those named
 * here: a new field is compared unless it is added to the list.
 */
final class ContentFields {
  /** Types that are no content: settings, references to what is compared by itself, and caches. */
  private static final ImmutableSet<String> IGNORED_TYPES = ImmutableSet.of(
      "Catalog",
      "CompiledPodSets",
      "EventQueue",
      "Journal",
      "QuotaTree",
      "Settings",
      "SliceFitter[]",
      "StateContext",
      "TreeLayout",
      "TrialParticipant",
      "WorkloadCompiler",
      "WorkloadStore");

  /** Superclasses without content: {@code Part} knows who may change it. */
  private static final ImmutableSet<String> NO_CONTENT = ImmutableSet.of("Part", "Object");

  /** Caches, and marks of what a fork shares. */
  private static final ImmutableSet<String> IGNORED = ImmutableSet.of(
      "First.group",
      "Forest.onCopy",
      "Inventories.all",
      "Inventories.byFlavor",
      "PendingWorkload.id",
      "PendingWorkload.record",
      "QueueQuota.node",
      "QueueStore.known",
      "QueueStore.usage",
      "QueueStore.withWork",
      "QuotaHolder.id",
      "QuotaHolder.priority",
      "ShapeGroups.groups",
      "ShapeGroups.usage",
      "ShapeGroups.withParked",
      "WorkloadRecord.changedAt",
      "WorkloadStore.changed",
      "WorkloadStore.ofLocalQueue",
      "WorkloadStore.records",
      "WorkloadStore.rows");

  private static final ClassValue<ImmutableList<Field>> CONTENT = new ClassValue<>() {
    @Override
    protected ImmutableList<Field> computeValue(Class<?> type) {
      return content(type);
    }
  };

  private ContentFields() {}

  private static ImmutableList<Field> content(Class<?> type) {
    ImmutableList.Builder<Field> fields = ImmutableList.builder();
    for (Class<?> part = type;
        !NO_CONTENT.contains(part.getSimpleName());
        part = part.getSuperclass()) {
      for (Field field : part.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())
            && !IGNORED_TYPES.contains(field.getType().getSimpleName())
            && !IGNORED.contains(part.getSimpleName() + "." + field.getName())) {
          field.setAccessible(true);
          fields.add(field);
        }
      }
    }
    return fields.build();
  }

  /** {@return the content of {@code object} by field, with values as {@code value} shows them} */
  static Map<Object, Object> of(Object object, Function<@Nullable Object, Object> value) {
    Map<Object, Object> content = new HashMap<>();
    forEach(object, (name, each) -> content.put(name, value.apply(each)));
    return content;
  }

  /** Passes the name and value of each field of the content to {@code action}. */
  static void forEach(Object object, BiConsumer<String, @Nullable Object> action) {
    for (Field field : CONTENT.get(object.getClass())) {
      action.accept(field.getName(), get(field, object));
    }
  }

  /** {@return the value of a field that is never null} */
  static Object require(Object object, String name) {
    return Objects.requireNonNull(get(object, name));
  }

  /** {@return the value of a field, whether or not it belongs to the content} */
  static @Nullable Object get(Object object, String name) {
    try {
      Field field = object.getClass().getDeclaredField(name);
      field.setAccessible(true);
      return get(field, object);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  private static @Nullable Object get(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
