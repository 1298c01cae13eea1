package io.kueue4j.examples.controller.object;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A set of things that wait, in order. The namespaces take turns, so that no tenant waits for all
 * things of another. Not thread-safe.
 */
public final class Turns<T> {
  private final Function<? super T, String> namespace;
  private final Map<String, Set<T>> thingsByNamespace = new LinkedHashMap<>();
  private int size;

  public Turns(Function<? super T, String> namespace) {
    this.namespace = namespace;
  }

  public void add(T thing) {
    if (thingsByNamespace
        .computeIfAbsent(namespace.apply(thing), unused -> new LinkedHashSet<>())
        .add(thing)) {
      size++;
    }
  }

  public int size() {
    return size;
  }

  /** {@return the next thing, which waits no longer; empty if there is none} */
  public Optional<T> poll() {
    Optional<String> first = thingsByNamespace.keySet().stream().findFirst();
    Optional<T> next = first.map(this::removeFirst);
    // The other namespaces come first now.
    first
        .flatMap(name -> Optional.ofNullable(thingsByNamespace.remove(name)))
        .ifPresent(others -> thingsByNamespace.put(first.get(), others));
    return next;
  }

  /**
   * {@return the first thing of the namespace with the most, which waits no longer} The namespace
   * keeps its turn.
   */
  public Optional<T> pollMost() {
    return thingsByNamespace.keySet().stream()
        .max(Comparator.comparingInt(name -> things(name).size()))
        .map(this::removeFirst);
  }

  private T removeFirst(String name) {
    Set<T> things = things(name);
    T first = things.iterator().next();
    things.remove(first);
    size--;
    if (things.isEmpty()) {
      thingsByNamespace.remove(name);
    }
    return first;
  }

  private Set<T> things(String name) {
    return Objects.requireNonNull(thingsByNamespace.get(name));
  }
}
