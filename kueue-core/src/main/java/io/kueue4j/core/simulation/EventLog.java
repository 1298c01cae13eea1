package io.kueue4j.core.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What has happened in a simulation, as arrays of primitives: at what time, what kind of event, to
 * what, and a detail that is a number or a name.
 */
final class EventLog {
  private static final EventKind[] KINDS = EventKind.values();

  private long[] times = new long[64];
  private byte[] kinds = new byte[64];
  private int[] subjects = new int[64];
  private int[] details = new int[64];
  private int size;
  private final Map<String, Integer> idOfName = new HashMap<>();
  private final List<String> names = new ArrayList<>();

  /** {@return the id of a name, which can be a detail} */
  int id(String name) {
    return idOfName.computeIfAbsent(name, added -> {
      names.add(added);
      return names.size() - 1;
    });
  }

  /** {@return the name with that id} */
  String name(int id) {
    return names.get(id);
  }

  /** Adds an event. */
  @SuppressWarnings("EnumOrdinal") // the order is part of the digest
  void add(long time, EventKind kind, int subject, int detail) {
    if (size == times.length) {
      // Half as much again, because a log of many jobs is large.
      int length = size + (size >> 1);
      times = Arrays.copyOf(times, length);
      kinds = Arrays.copyOf(kinds, length);
      subjects = Arrays.copyOf(subjects, length);
      details = Arrays.copyOf(details, length);
    }
    times[size] = time;
    kinds[size] = (byte) kind.ordinal();
    subjects[size] = subject;
    details[size] = detail;
    size++;
  }

  /** {@return the number of events} */
  int size() {
    return size;
  }

  long time(int event) {
    return times[event];
  }

  EventKind kind(int event) {
    return KINDS[kinds[event]];
  }

  int subject(int event) {
    return subjects[event];
  }

  int detail(int event) {
    return details[event];
  }

  /** {@return the SHA-256 of {@code subjectNames}, the names and all events, in hexadecimal} */
  String digest(Iterable<String> subjectNames) {
    Hasher hasher = Hashing.sha256().newHasher();
    for (String subject : subjectNames) {
      put(hasher, subject);
    }
    for (String name : names) {
      put(hasher, name);
    }
    for (int i = 0; i < size; i++) {
      hasher.putLong(times[i]).putByte(kinds[i]).putInt(subjects[i]).putInt(details[i]);
    }
    return hasher.hash().toString();
  }

  private static void put(Hasher hasher, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    hasher.putInt(bytes.length).putBytes(bytes);
  }
}
