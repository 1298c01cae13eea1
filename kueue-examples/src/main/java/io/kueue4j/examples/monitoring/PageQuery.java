package io.kueue4j.examples.monitoring;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ascii;
import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.google.common.primitives.Ints;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a reader wants to see of the page: the parameters of its address. Anything may be in an
 * address, so unknown parameters are ignored, and unusable values count as absent. Immutable.
 *
 * @param parameters the parameters that are set, by name
 */
record PageQuery(ImmutableSortedMap<String, String> parameters) {
  /** The text to search for in the names of jobs. */
  static final String TEXT = "q";

  /** The ClusterQueue. */
  static final String QUEUE = "queue";

  /** The namespace. */
  static final String NAMESPACE = "namespace";

  /** The key of a group of reasons. */
  static final String REASON = "reason";

  /** The job that is shown alone. */
  static final String JOB = "job";

  /** Set if browsers must not reload the page. */
  static final String PAUSE = "pause";

  /** The whole page. */
  static final PageQuery ALL = new PageQuery(ImmutableSortedMap.of());

  private static final int LONGEST_VALUE = 1000;

  /** {@return the query of the raw query part of an address} */
  static PageQuery parse(@Nullable String query) {
    Map<String, String> parameters = new TreeMap<>();
    for (String parameter : Splitter.on('&').split(Objects.requireNonNullElse(query, ""))) {
      int end = parameter.indexOf('=');
      if (end > 0 && parameter.length() <= LONGEST_VALUE) {
        String value = decode(parameter.substring(end + 1)).strip();
        if (!value.isEmpty()) {
          parameters.put(parameter.substring(0, end), value);
        }
      }
    }
    return new PageQuery(ImmutableSortedMap.copyOf(parameters));
  }

  private static String decode(String value) {
    try {
      return URLDecoder.decode(value, UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  /** {@return the value of a parameter, empty if it is absent} */
  String get(String name) {
    return parameters.getOrDefault(name, "");
  }

  /** {@return whether a parameter is set} */
  boolean has(String name) {
    return parameters.containsKey(name);
  }

  /** {@return the page of a list, from 1} */
  int page(String list) {
    @Nullable Integer page = Ints.tryParse(get(list));
    return page == null ? 1 : Math.max(1, page);
  }

  /** {@return this query with another value, or without the parameter if {@code value} is empty} */
  PageQuery with(String name, String value) {
    Map<String, String> changed = new TreeMap<>(parameters);
    if (value.isEmpty()) {
      changed.remove(name);
    } else {
      changed.put(name, value);
    }
    return new PageQuery(ImmutableSortedMap.copyOf(changed));
  }

  /** {@return this query with another filter, from the first page of each list on} */
  PageQuery filter(String name, String value) {
    PageQuery changed = withoutFilter().with(name, value);
    for (String kept : ImmutableList.of(TEXT, QUEUE, NAMESPACE, REASON)) {
      if (!kept.equals(name)) {
        changed = changed.with(kept, get(kept));
      }
    }
    return changed;
  }

  /** {@return the parameters that outlast a change of the filter} */
  PageQuery withoutFilter() {
    return ALL.with(PAUSE, get(PAUSE));
  }

  /** {@return whether only some jobs are shown} */
  boolean filters() {
    return has(TEXT) || has(QUEUE) || has(NAMESPACE) || has(REASON);
  }

  /** {@return whether a job is shown, apart from its reasons} */
  boolean shows(JobName job, String localQueue, String clusterQueue) {
    return (!has(QUEUE) || get(QUEUE).equals(clusterQueue))
        && (!has(NAMESPACE) || get(NAMESPACE).equals(job.namespace()))
        && (!has(TEXT)
            || contains(job.toString())
            || contains(localQueue)
            || contains(clusterQueue));
  }

  /** {@return whether a ClusterQueue is shown} */
  boolean showsQueue(String name, boolean hasShownJobs) {
    if (has(QUEUE)) {
      return get(QUEUE).equals(name);
    }
    return !filters() || hasShownJobs || (has(TEXT) && contains(name));
  }

  private boolean contains(String text) {
    return Ascii.toLowerCase(text).contains(Ascii.toLowerCase(get(TEXT)));
  }

  /** {@return the address, relative to the page} */
  String address() {
    return "?"
        + parameters.entrySet().stream()
            .map(parameter -> URLEncoder.encode(parameter.getKey(), UTF_8) + "="
                + URLEncoder.encode(parameter.getValue(), UTF_8))
            .collect(Collectors.joining("&"));
  }
}
