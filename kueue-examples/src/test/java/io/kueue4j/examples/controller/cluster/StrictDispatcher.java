package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.zjsonpatch.JsonPatch;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's CRUD mode with {@link ApiRules} before it: the rules say what is stored, the dispatcher
 * below stores it, tells the watches and answers lists.
 *
 * <p>The dispatcher below works on what a handler of its own has made of a request. That is
 * exchanged on the way to the storage, in {@link #processEvent}.
 */
final class StrictDispatcher extends KubernetesCrudDispatcher {
  private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/?]+)/");

  private final ApiRules rules;
  private final InstantSource clock;
  private @Nullable ObjectNode toStore;
  private long created;
  private final AtomicLong replacements = new AtomicLong();

  StrictDispatcher(ServerVersion version, InstantSource clock) {
    this.rules = ApiRules.of(version);
    this.clock = clock;
  }

  @Override
  public synchronized MockResponse handleCreate(RecordedRequest request) {
    return answer(() -> {
      ObjectNode given = Trees.parse(request.getUtf8Body());
      String namespace = namespace(request.getPath());
      if (!namespace.isEmpty()) {
        Trees.setDefault(Trees.child(given, "metadata"), "namespace", namespace);
        ObjectKey key = new ObjectKey("", "Namespace", "", namespace);
        if (stored("/api/v1/namespaces/" + namespace) == null) {
          throw ApiRefusal.notFound(key);
        }
      }
      ObjectNode object = rules.create(given, stamp());
      ObjectKey key = ObjectKey.of(object);
      if (stored(request.getPath() + "/" + key.name()) != null) {
        throw ApiRefusal.alreadyExists(key);
      }
      return store(object, body -> super.handleCreate(withBody(request, body)), 201);
    });
  }

  @Override
  public synchronized MockResponse handleUpdate(RecordedRequest request) {
    replacements.incrementAndGet();
    return answer(() -> update(request, old -> Trees.parse(request.getUtf8Body())));
  }

  @Override
  public synchronized MockResponse handlePatch(RecordedRequest request) {
    return answer(() -> {
      String type = String.valueOf(request.getHeader("Content-Type")).toLowerCase(Locale.ROOT);
      if (type.startsWith("application/merge-patch+json")) {
        ObjectNode patch = Trees.parsePatch(request.getUtf8Body());
        return update(request, old -> Trees.merged(old, patch));
      }
      if (type.startsWith("application/json-patch+json")
          && Trees.parseAny(request.getUtf8Body()) instanceof ArrayNode patch) {
        return update(request, old -> (ObjectNode) JsonPatch.apply(patch, old));
      }
      throw ApiRefusal.unsupportedMediaType(type);
    });
  }

  private MockResponse update(RecordedRequest request, UnaryOperator<ObjectNode> change) {
    String path = request.getPath().replaceFirst("\\?.*", "");
    boolean status = path.endsWith("/status");
    String objectPath = status ? path.substring(0, path.length() - "/status".length()) : path;
    ObjectNode old = stored(objectPath);
    if (old == null) {
      throw ApiRefusal.notFound(keyOf(objectPath));
    }
    ObjectNode given = Trees.withoutNulls(change.apply(old.deepCopy()));
    String version = Long.toString(requestResourceVersion());
    ObjectNode now =
        status ? rules.replaceStatus(old, given, version) : rules.replace(old, given, version);
    if (now.equals(old)) {
      return response(200, now);
    }
    RecordedRequest put = new RecordedRequest(
        request.getHttpVersion(), HttpMethod.PUT, objectPath, request.getHeaders(), new Buffer());
    if (ApiRules.isGone(now)) {
      super.handleUpdate(withBody(put, now.toString()));
      deleteOwned(now);
      return response(200, now);
    }
    return store(now, body -> super.handleUpdate(withBody(put, body)), 200);
  }

  @Override
  public synchronized MockResponse handleDelete(String path) {
    ObjectNode old = stored(path.replaceFirst("\\?.*", ""));
    MockResponse response = super.handleDelete(path);
    if (old != null && stored(path.replaceFirst("\\?.*", "")) == null) {
      deleteOwned(old);
    }
    return response;
  }

  private void deleteOwned(ObjectNode owner) {
    String uid = Trees.at(owner, "metadata", "uid").asText();
    for (String json : List.copyOf(getMap().values())) {
      if (json.contains(uid)) {
        ObjectNode object = Trees.parse(json);
        if (ApiRules.isOwnedBy(object, uid)) {
          handleDelete(pathOf(object));
        }
      }
    }
  }

  @Override
  public void processEvent(
      String path,
      AttributeSet pathAttributes,
      AttributeSet oldAttributes,
      GenericKubernetesResource resource,
      String newState) {
    ObjectNode strict = toStore;
    if (strict == null || newState == null) {
      super.processEvent(path, pathAttributes, oldAttributes, resource, newState);
    } else {
      String json = strict.toString();
      super.processEvent(
          path,
          pathAttributes,
          oldAttributes,
          Serialization.unmarshal(json, GenericKubernetesResource.class),
          json);
    }
  }

  /**
   * Lets the dispatcher below store {@code object}, by a request of which it finds nothing amiss.
   */
  private MockResponse store(ObjectNode object, Function<String, MockResponse> below, int code) {
    ObjectNode acceptable = object.deepCopy();
    Trees.child(acceptable, "metadata").remove("resourceVersion");
    toStore = object;
    try {
      MockResponse response = below.apply(acceptable.toString());
      if (response.code() >= 300) {
        throw new IllegalStateException("the mock server refused what it should have stored: "
            + response.getBody().readUtf8());
      }
    } finally {
      toStore = null;
    }
    return response(code, object);
  }

  long replacements() {
    return replacements.get();
  }

  private @Nullable ObjectNode stored(String path) {
    Map.Entry<AttributeSet, String> entry = findResource(getKey(path));
    return entry == null ? null : Trees.parse(entry.getValue());
  }

  private ApiRules.Stamp stamp() {
    String version = Long.toString(requestResourceVersion());
    created++;
    String suffix = Long.toString(created, 36);
    return new ApiRules.Stamp(
        UUID.randomUUID().toString(),
        "0".repeat(5 - Math.min(5, suffix.length())) + suffix,
        version,
        clock.instant());
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
    return new MockResponse().setResponseCode(code).setBody(body.toString());
  }

  private static RecordedRequest withBody(RecordedRequest request, String body) {
    return new RecordedRequest(
        request.getHttpVersion(),
        request.method(),
        request.getPath(),
        request.getHeaders(),
        new Buffer().writeUtf8(body));
  }

  private static String namespace(String path) {
    Matcher matcher = NAMESPACE.matcher(path);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** The key of an object that is not there, as far as its path tells. */
  private static ObjectKey keyOf(String path) {
    String[] parts = path.split("/", -1);
    String plural = parts[parts.length - 2];
    String kind = plural.endsWith("s") ? plural.substring(0, plural.length() - 1) : plural;
    return new ObjectKey(
        path.startsWith("/apis/") ? parts[2] : "", kind, namespace(path), parts[parts.length - 1]);
  }

  private static String pathOf(ObjectNode object) {
    ObjectKey key = ObjectKey.of(object);
    String plural = key.kind().toLowerCase(Locale.ROOT) + "s";
    return (key.group().isEmpty() ? "/api/" : "/apis/")
        + object.path("apiVersion").asText()
        + (key.namespace().isEmpty() ? "" : "/namespaces/" + key.namespace()) + "/" + plural + "/"
        + key.name();
  }
}
