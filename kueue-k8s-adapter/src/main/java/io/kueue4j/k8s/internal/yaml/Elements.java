package io.kueue4j.k8s.internal.yaml;

import com.google.common.collect.ImmutableList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads lists of model objects. Such a list, and its elements, may be null if the object was
 * created from JSON with nulls.
 *
 * @since 0.1.0
 */
public final class Elements {
  private Elements() {}

  /** {@return the elements that are not null, in order; none if the list is null} */
  public static <T> List<T> of(@Nullable List<? extends @Nullable T> list) {
    if (list == null) {
      return ImmutableList.of();
    }
    ImmutableList.Builder<T> elements = ImmutableList.builderWithExpectedSize(list.size());
    for (T element : list) {
      if (element != null) {
        elements.add(element);
      }
    }
    return elements.build();
  }
}
