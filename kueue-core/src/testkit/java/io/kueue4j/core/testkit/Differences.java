package io.kueue4j.core.testkit;

import io.kueue4j.core.testkit.Observation.LocalQueueObservation;
import io.kueue4j.core.testkit.Observation.QueueObservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/** Describes the differences between two played steps. */
final class Differences {
  private Differences() {}

  static String between(PlayedStep one, PlayedStep other) {
    List<String> parts = new ArrayList<>();
    if (!one.outcome().equals(other.outcome())) {
      parts.add(one.outcome() + " instead of " + other.outcome());
    }
    TreeSet<String> names = new TreeSet<>(one.after().clusterQueues().keySet());
    names.addAll(other.after().clusterQueues().keySet());
    for (String name : names) {
      QueueObservation first = one.after().clusterQueues().get(name);
      QueueObservation second = other.after().clusterQueues().get(name);
      if (!Objects.equals(first, second)) {
        parts.add("ClusterQueue " + name + " as " + first + " instead of " + second);
      }
    }
    names.clear();
    names.addAll(one.after().localQueues().keySet());
    names.addAll(other.after().localQueues().keySet());
    for (String name : names) {
      LocalQueueObservation first = one.after().localQueues().get(name);
      LocalQueueObservation second = other.after().localQueues().get(name);
      if (!Objects.equals(first, second)) {
        parts.add("LocalQueue " + name + " as " + first + " instead of " + second);
      }
    }
    return String.join("; ", parts);
  }
}
