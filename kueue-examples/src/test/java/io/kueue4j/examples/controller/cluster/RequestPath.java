package io.kueue4j.examples.controller.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import java.net.URLDecoder;
import java.util.List;

/**
 * What a request to an API server is about, by its path and query.
 *
 * @param group the API group, empty for the core group
 * @param version its version
 * @param namespace empty for all, and for objects without one
 * @param plural what the kind is called in paths
 * @param name empty for all objects
 * @param subresource empty for the object
 * @param query the parameters
 */
record RequestPath(
    String group,
    String version,
    String namespace,
    String plural,
    String name,
    String subresource,
    ImmutableMap<String, String> query) {

  /**
   * {@return the meaning of the path}
   *
   * @throws ApiRefusal if it names no kind
   */
  static RequestPath parse(String text) {
    int question = text.indexOf('?');
    String path = question < 0 ? text : text.substring(0, question);
    List<String> parts = Splitter.on('/').omitEmptyStrings().splitToList(path);
    int start = path.startsWith("/apis/") ? 3 : 2;
    if (parts.size() <= start) {
      throw ApiRefusal.noSuchPath();
    }
    String group = start == 3 ? parts.get(1) : "";
    String version = parts.get(start - 1);
    List<String> rest = parts.subList(start, parts.size());
    String namespace = "";
    if (rest.get(0).equals("namespaces") && rest.size() > 2 && !rest.get(2).equals("status")) {
      namespace = rest.get(1);
      rest = rest.subList(2, rest.size());
    }
    return new RequestPath(
        group,
        version,
        namespace,
        rest.get(0),
        rest.size() > 1 ? rest.get(1) : "",
        rest.size() > 2 ? rest.get(2) : "",
        query(question < 0 ? "" : text.substring(question + 1)));
  }

  private static ImmutableMap<String, String> query(String text) {
    ImmutableMap.Builder<String, String> query = ImmutableMap.builder();
    for (String parameter : Splitter.on('&').omitEmptyStrings().split(text)) {
      List<String> sides = Splitter.on('=').limit(2).splitToList(parameter);
      query.put(sides.get(0), sides.size() < 2 ? "" : URLDecoder.decode(sides.get(1), UTF_8));
    }
    return query.buildKeepingLast();
  }

  /** {@return the parameter, empty if it is not there} */
  String parameter(String parameter) {
    return query.getOrDefault(parameter, "");
  }

  boolean isWatch() {
    return parameter("watch").equals("true") || parameter("watch").equals("1");
  }

  /** {@return the API version as objects name it} */
  String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
