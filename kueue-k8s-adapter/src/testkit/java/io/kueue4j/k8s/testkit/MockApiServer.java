package io.kueue4j.k8s.testkit;

import static com.google.common.base.Preconditions.checkState;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.base.Ascii;
import com.google.common.base.Strings;
import com.google.common.base.Throwables;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.crud.AttributeSet;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import io.kueue4j.k8s.internal.kueue.KueueReader;
import io.kueue4j.k8s.kueue.KueueApiVersion;
import java.net.HttpURLConnection;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's mock of an API server, with Kueue's kinds, times of the test's clock, and an observer
 * that acts on every write before the writer gets its answer.
 *
 * <p>The mock answers one request at a time. All calls hold this object's monitor.
 */
final class MockApiServer extends KubernetesCrudDispatcher {
  private final InstantSource clock;
  private final Consumer<? super ImmutableList<Change>> observer;

  /** What the present request has changed. */
  private final List<Change> changes = new ArrayList<>();

  private long created;

  /** The object of the present request as it was stored, if the request creates one. */
  private String createdState = "";

  /** An object as a client has written or deleted it. */
  record Change(GenericKubernetesResource object, boolean isDeleted) {}

  /**
   * Creates a server without objects.
   *
   * @param observer receives what each request of a client has changed
   */
  MockApiServer(InstantSource clock, Consumer<? super ImmutableList<Change>> observer) {
    this.clock = clock;
    this.observer = observer;
    for (KueueApiVersion version : List.of(KueueApiVersion.V1BETA1, KueueApiVersion.V1BETA2)) {
      KueueReader.kinds(KueueApiVersion.GROUP)
          .forEach(kind -> expectCustomResource(context(version, kind)));
    }
  }

  private static CustomResourceDefinitionContext context(KueueApiVersion version, String kind) {
    return new CustomResourceDefinitionContext.Builder()
        .withGroup(KueueApiVersion.GROUP)
        .withVersion(version.toString())
        .withKind(kind)
        .withPlural(plural(kind))
        .withName(plural(kind) + "." + KueueApiVersion.GROUP)
        .withScope(KueueReader.isNamespaced(kind) ? "Namespaced" : "Cluster")
        .withStatusSubresource(true)
        .build();
  }

  private static String plural(String kind) {
    return Pluralize.toPlural(Ascii.toLowerCase(kind));
  }

  @Override
  public synchronized MockResponse dispatch(RecordedRequest request) {
    MockResponse response = super.dispatch(request);
    ImmutableList<Change> made = ImmutableList.copyOf(changes);
    changes.clear();
    if (!made.isEmpty()) {
      try {
        observer.accept(made);
      } catch (RuntimeException e) {
        // Unanswered, the client would wait until it gives up, and nobody would see the reason.
        return new MockResponse()
            .setResponseCode(HttpURLConnection.HTTP_INTERNAL_ERROR)
            .setBody(Throwables.getStackTraceAsString(e));
      }
      notifyAll();
    }
    return response;
  }

  @Override
  public MockResponse handleCreate(RecordedRequest request) {
    MockResponse response = super.handleCreate(request);
    return response.code() == HttpURLConnection.HTTP_CREATED
        ? response.setBody(createdState)
        : response;
  }

  /** Checks the version, which fabric8's mock ignores when a client updates a status. */
  @Override
  public MockResponse handleUpdate(RecordedRequest request) {
    String path = path(request);
    // The body can be read once.
    String body = request.getUtf8Body();
    String given = version(body);
    Map.Entry<AttributeSet, String> stored = findResource(getKey(path));
    return given.isEmpty() || stored == null || given.equals(version(stored.getValue()))
        ? super.handleUpdate(request(HttpMethod.PUT, path, body))
        : conflict(path);
  }

  private static String version(String json) {
    return Strings.nullToEmpty(parse(json).getMetadata().getResourceVersion());
  }

  private static MockResponse conflict(String path) {
    Status status = new StatusBuilder()
        .withStatus("Failure")
        .withReason("Conflict")
        .withCode(HttpURLConnection.HTTP_CONFLICT)
        .withMessage(path + " has been modified; apply your changes to the latest version")
        .build();
    return new MockResponse()
        .setResponseCode(HttpURLConnection.HTTP_CONFLICT)
        .setBody(Serialization.asJson(status));
  }

  private static String path(RecordedRequest request) {
    return request.getPath().replaceFirst("\\?.*", "");
  }

  @Override
  public MockResponse handleWatch(String path) {
    MockResponse response = super.handleWatch(path);
    WebSocketListener listener = response.getWebSocketListener();
    return listener == null ? response : response.withWebSocketUpgrade(new Unblocked(listener));
  }

  /**
   * Lets the thread that serves all clients go on when a watch ends: fabric8's listener waits in it
   * until all events are sent, and only this thread can send them.
   */
  private static final class Unblocked extends WebSocketListener {
    private final WebSocketListener listener;

    Unblocked(WebSocketListener listener) {
      this.listener = listener;
    }

    @Override
    public void onOpen(WebSocket socket, Response response) {
      listener.onOpen(socket, response);
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      listener.onClosing(socket, code, reason);
    }

    @Override
    public void onClosed(WebSocket socket, int code, String reason) {
      start(() -> listener.onClosed(socket, code, reason));
    }

    @Override
    public void onFailure(WebSocket socket, Throwable failure, Response response) {
      start(() -> listener.onFailure(socket, failure, response));
    }

    private static void start(Runnable end) {
      Thread thread = new Thread(end, "end of a watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public MockResponse handlePatch(RecordedRequest request) {
    String type = Strings.nullToEmpty(request.getHeader("Content-Type"));
    if (type.startsWith(PatchType.SERVER_SIDE_APPLY.getContentType())) {
      return patch(request, MergePatch.APPLY);
    }
    return type.startsWith(PatchType.JSON_MERGE.getContentType())
        ? patch(request, MergePatch.JSON)
        : super.handlePatch(request);
  }

  private MockResponse patch(RecordedRequest request, MergePatch kind) {
    String path = path(request);
    String body = request.getUtf8Body();
    Map.Entry<AttributeSet, String> stored = findResource(getKey(path));
    if (stored != null) {
      Map<String, Object> merged = kind.merged(map(stored.getValue()), map(body));
      return handleUpdate(request(HttpMethod.PUT, path, Serialization.asJson(merged)));
    }
    return kind == MergePatch.APPLY
        ? handleCreate(request(HttpMethod.POST, path.substring(0, path.lastIndexOf('/')), body))
        : new MockResponse().setResponseCode(HttpURLConnection.HTTP_NOT_FOUND);
  }

  private static Map<?, ?> map(String json) {
    return Serialization.unmarshal(json, Map.class);
  }

  private static RecordedRequest request(HttpMethod method, String path, String body) {
    return new RecordedRequest(
        "HTTP/1.1", method, path, Headers.builder().build(), new Buffer(body.getBytes(UTF_8)));
  }

  /**
   * Notes a change. A new object gets its time from the test's clock. Its uid counts up: Kueue
   * orders workloads of one second by uid, so tests would otherwise depend on chance.
   */
  @Override
  public void processEvent(
      String path,
      AttributeSet pathAttributes,
      @Nullable AttributeSet oldAttributes,
      @Nullable GenericKubernetesResource resource,
      @Nullable String newState) {
    String state = newState;
    if (oldAttributes == null && resource != null) {
      resource.getMetadata().setUid(new UUID(0, ++created).toString());
      resource
          .getMetadata()
          .setCreationTimestamp(clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
      state = Serialization.asJson(resource);
      createdState = state;
    }
    String stored = state == null ? getMap().get(oldAttributes) : state;
    if (stored != null) {
      changes.add(new Change(parse(stored), state == null));
    }
    super.processEvent(path, pathAttributes, oldAttributes, resource, state);
  }

  private static GenericKubernetesResource parse(String json) {
    return Serialization.unmarshal(json, GenericKubernetesResource.class);
  }

  /** Replaces an object of Kueue's API except its status, without the observer. */
  GenericKubernetesResource replace(GenericKubernetesResource object) {
    return put(object, "");
  }

  /** Replaces the status of an object of Kueue's API, without the observer. */
  GenericKubernetesResource replaceStatus(GenericKubernetesResource object) {
    return put(object, "/status");
  }

  private GenericKubernetesResource put(GenericKubernetesResource object, String subresource) {
    String namespace = Strings.nullToEmpty(object.getMetadata().getNamespace());
    String path = "/apis/" + object.getApiVersion()
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/"
        + plural(Objects.requireNonNull(object.getKind())) + "/"
        + object.getMetadata().getName() + subresource;
    MockResponse response =
        handleUpdate(request(HttpMethod.PUT, path, Serialization.asJson(object)));
    changes.clear();
    String body = response.getBody().readUtf8();
    checkState(
        response.code() == HttpURLConnection.HTTP_OK, "PUT %s was answered with %s", path, body);
    return parse(body);
  }
}
