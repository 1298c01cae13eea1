package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.zjsonpatch.JsonPatch;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Answers the requests of clients from a {@link StrictCluster}: reads, lists, watches, and writes
 * by {@link ApiRules}, and what it serves.
 *
 * <p>What a kind is called in paths is learnt from the first object that is created.
 */
final class StrictDispatcher extends Dispatcher {
  private static final String CLIENT = "client";

  private final StrictCluster cluster;
  private final ServedDefinitions definitions;
  private final Map<String, String> kinds = new HashMap<>(Map.of("/namespaces", "Namespace"));
  private final AtomicLong jobReplacements = new AtomicLong();
  private long oldest;
  private volatile Predicate<String> isForbidden = unused -> false;

  StrictDispatcher(StrictCluster cluster) {
    this.cluster = cluster;
    this.definitions = new ServedDefinitions(cluster);
  }

  @Override
  public synchronized MockResponse dispatch(RecordedRequest request) {
    return answer(() -> {
      Optional<JsonNode> served = definitions.answer(String.valueOf(request.getPath()));
      if (served.isPresent()) {
        return response(200, served.get());
      }
      RequestPath path = RequestPath.parse(request.getPath());
      if (isForbidden.test(request.method() + " " + path.plural())) {
        throw ApiRefusal.forbidden(request.method() + " " + path.plural());
      }
      return switch (request.method()) {
        case GET -> read(path);
        case POST -> create(path, Trees.parse(request.getUtf8Body()));
        case PUT -> {
          if (path.plural().equals("jobs") && path.subresource().isEmpty()) {
            jobReplacements.incrementAndGet();
          }
          yield update(path, old -> Trees.parse(request.getUtf8Body()));
        }
        case PATCH -> patch(path, request);
        case DELETE -> delete(path, request.getUtf8Body());
        default -> throw ApiRefusal.noSuchPath();
      };
    });
  }

  private MockResponse read(RequestPath path) {
    if (path.isWatch()) {
      return new MockResponse()
          .withWebSocketUpgrade(
              new StrictWatch(cluster, this, filter(path), startOf(path), oldest));
    }
    if (!path.name().isEmpty()) {
      return response(200, stored(key(path)));
    }
    WatchFilter filter = filter(path);
    ObjectNode list = JsonNodeFactory.instance.objectNode();
    list.put("apiVersion", path.apiVersion()).put("kind", filter.kind() + "List");
    list.putObject("metadata").put("resourceVersion", Long.toString(cluster.revision()));
    ArrayNode items = list.putArray("items");
    cluster.trees(filter::matches).forEach(items::add);
    return response(200, list);
  }

  private WatchFilter filter(RequestPath path) {
    return WatchFilter.of(path, kinds);
  }

  private static long startOf(RequestPath path) {
    String version = path.parameter("resourceVersion");
    return version.isEmpty() ? 0 : Long.parseLong(version);
  }

  private MockResponse create(RequestPath path, ObjectNode given) {
    kinds.putIfAbsent(path.group() + "/" + path.plural(), given.path("kind").asText());
    if (!path.namespace().isEmpty()) {
      Trees.setDefault(Trees.child(given, "metadata"), "namespace", path.namespace());
    }
    return response(201, cluster.create(CLIENT, given));
  }

  private MockResponse patch(RequestPath path, RecordedRequest request) {
    String type = String.valueOf(request.getHeader("Content-Type")).toLowerCase(Locale.ROOT);
    if (type.startsWith("application/merge-patch+json")) {
      ObjectNode patch = Trees.parsePatch(request.getUtf8Body());
      return update(path, old -> Trees.merged(old, patch));
    }
    if (type.startsWith("application/json-patch+json")
        && Trees.parseAny(request.getUtf8Body()) instanceof ArrayNode patch) {
      return update(path, old -> (ObjectNode) JsonPatch.apply(patch, old));
    }
    throw ApiRefusal.unsupportedMediaType(type);
  }

  private MockResponse update(RequestPath path, UnaryOperator<ObjectNode> change) {
    ObjectNode given = Trees.withoutNulls(change.apply(stored(key(path)).deepCopy()));
    ApiWrite.Verb verb =
        path.subresource().equals("status") ? ApiWrite.Verb.REPLACE_STATUS : ApiWrite.Verb.REPLACE;
    return response(200, cluster.update(CLIENT, verb, given));
  }

  private MockResponse delete(RequestPath path, String options) {
    List<ObjectKey> keys =
        path.name().isEmpty() ? cluster.keys(filter(path)::matches) : List.of(key(path));
    String version = options.isEmpty()
        ? ""
        : Trees.at(Trees.parse(options), "preconditions", "resourceVersion").asText("");
    for (ObjectKey key : keys) {
      ObjectNode old = stored(key);
      if (!version.isEmpty()
          && !version.equals(Trees.at(old, "metadata", "resourceVersion").asText())) {
        throw ApiRefusal.modified(key);
      }
      cluster.delete(CLIENT, key);
    }
    while (cluster.collectGarbage()) {
      // The dependents of the objects removed just now.
    }
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("apiVersion", "v1").put("kind", "Status").put("status", "Success");
    return response(200, status);
  }

  private ObjectKey key(RequestPath path) {
    String kind = kinds.getOrDefault(path.group() + "/" + path.plural(), singular(path.plural()));
    return new ObjectKey(path.group(), kind, path.namespace(), path.name());
  }

  /** The kind has no objects. */
  private static String singular(String plural) {
    return plural.endsWith("s") ? plural.substring(0, plural.length() - 1) : plural;
  }

  private ObjectNode stored(ObjectKey key) {
    ObjectNode tree = cluster.tree(key);
    if (tree == null) {
      throw ApiRefusal.notFound(key);
    }
    return tree;
  }

  /** Rejects requests from now on, by method and plural, such as {@code "GET secrets"}. */
  void forbid(Predicate<String> requests) {
    isForbidden = requests;
  }

  /** Lets all watches expire that begin before the present version. */
  synchronized void forgetHistory() {
    oldest = cluster.revision();
  }

  /** {@return the number of attempts to replace a Job} */
  long jobReplacements() {
    return jobReplacements.get();
  }

  private static MockResponse answer(Supplier<MockResponse> handler) {
    try {
      return handler.get();
    } catch (ApiRefusal refusal) {
      return new MockResponse()
          .setResponseCode(refusal.code())
          .setHeader("Content-Type", "application/json")
          .setBody(Serialization.asJson(refusal.toStatus()));
    }
  }

  private static MockResponse response(int code, JsonNode body) {
    return new MockResponse()
        .setResponseCode(code)
        .setHeader("Content-Type", "application/json")
        .setBody(body.toString());
  }
}
