package io.kueue4j.core.internal.support;

import com.google.common.collect.Multimap;
import java.lang.ref.Reference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts what an object keeps in memory, in cells: one for each object that can be reached from it,
 * and one for each element of an array or collection. Two states that keep the same count the same,
 * on every JVM; what only the garbage collector decides on (weak references) does not count.
 */
public final class RetainedCells {
  private final Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Deque<Object> open = new ArrayDeque<>();
  private long cells;

  private RetainedCells() {}

  /** {@return the number of cells that can be reached from {@code root}} */
  public static long of(Object root) {
    return beside(List.of(), root);
  }

  /** {@return the number of cells that can be reached from {@code root} but from none of others} */
  public static long beside(List<?> others, Object root) {
    RetainedCells count = new RetainedCells();
    others.forEach(count::visit);
    count.visitAll();
    count.cells = 0;
    count.visit(root);
    count.visitAll();
    return count.cells;
  }

  private void visitAll() {
    while (!open.isEmpty()) {
      add(open.pop());
    }
  }

  private void visit(Object object) {
    if (object != null && met.add(object)) {
      open.push(object);
    }
  }

  private void add(Object object) {
    cells++;
    if (object.getClass().isArray()) {
      cells += Array.getLength(object);
      if (object instanceof Object[] elements) {
        for (Object element : elements) {
          visit(element);
        }
      }
    } else if (object instanceof Map<?, ?> map) {
      cells += 2L * map.size();
      map.forEach((key, value) -> {
        visit(key);
        visit(value);
      });
    } else if (object instanceof Multimap<?, ?> map) {
      visit(map.asMap());
    } else if (object instanceof Collection<?> collection) {
      cells += collection.size();
      collection.forEach(this::visit);
    } else if (!(object instanceof Reference)) {
      addFields(object);
    }
  }

  /** Fields of the JDK's and Guava's classes are theirs. */
  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("io.kueue4j.");
  }

  private void addFields(Object object) {
    for (Class<?> type = object.getClass(); isOurs(type); type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
          visit(value(field, object));
        }
      }
    }
  }

  private static Object value(Field field, Object object) {
    try {
      field.setAccessible(true);
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(field + " cannot be read", e);
    }
  }
}
