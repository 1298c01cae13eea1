package io.kueue4j.examples.controller.cluster;

import com.google.common.base.Splitter;
import java.util.List;
import java.util.Map;

/**
 * Selects the objects of a list or a watch. A watch may start before there is an object of its
 * kind, so the name of the kind may be learnt later.
 */
final class WatchFilter {
  private final RequestPath path;
  private final Map<String, String> kinds;

  private WatchFilter(RequestPath path, Map<String, String> kinds) {
    this.path = path;
    this.kinds = kinds;
  }

  /**
   * {@return the filter of a request}
   *
   * @param kinds the kinds by group and plural that are known at each query
   */
  static WatchFilter of(RequestPath path, Map<String, String> kinds) {
    if (!path.parameter("labelSelector").isEmpty()) {
      throw ApiRefusal.badRequest("this server does not select by labels");
    }
    return new WatchFilter(path, kinds);
  }

  /** {@return the kind, empty before there was an object of it} */
  String kind() {
    return kinds.getOrDefault(path.group() + "/" + path.plural(), "");
  }

  boolean matches(ObjectKey key) {
    return key.group().equals(path.group())
        && key.kind().equals(kind())
        && (path.namespace().isEmpty() || key.namespace().equals(path.namespace()))
        && fieldSelectors().stream().allMatch(selector -> matches(selector, key));
  }

  private List<String> fieldSelectors() {
    return Splitter.on(',').omitEmptyStrings().splitToList(path.parameter("fieldSelector"));
  }

  private static boolean matches(String selector, ObjectKey key) {
    List<String> sides = Splitter.on('=').omitEmptyStrings().splitToList(selector);
    return switch (sides.get(0)) {
      case "metadata.name" -> sides.get(1).equals(key.name());
      case "metadata.namespace" -> sides.get(1).equals(key.namespace());
      default -> throw ApiRefusal.badRequest("this server does not select by " + sides.get(0));
    };
  }
}
