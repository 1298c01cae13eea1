package io.kueue4j.examples.controller.write;

import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import com.google.common.base.Strings;
import com.google.common.collect.ImmutableList;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.kueue4j.examples.controller.object.ObjectKey;
import io.kueue4j.examples.controller.object.WatchedKind;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Writes to a cluster with fabric8's client, as long as this controller is the leader.
 *
 * <p>Thread-safe.
 */
public final class KubernetesWrites implements ClusterWrites {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final String INVALID = " is invalid: ";
  private static final String VALUE = "Invalid value: ";
  private static final String WEBHOOK = "failed calling webhook";

  /** How often an object is read and edited before its version conflicts for good. */
  private static final int MAX_EDITS = 5;

  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final KubernetesClient client;
  private final ImmutableList<WatchedKind> kinds;
  private final BooleanSupplier mayWrite;
  private final Consumer<Event> recorder;
  private final LongSupplier nanoTime;

  /**
   * No write is tried before this time, so that not every job waits for the time-out of an
   * unavailable server.
   */
  private volatile long pausedUntilNanos;

  public KubernetesWrites(
      KubernetesClient client,
      ImmutableList<WatchedKind> kinds,
      BooleanSupplier mayWrite,
      Consumer<Event> recorder) {
    this(client, kinds, mayWrite, recorder, System::nanoTime);
  }

  KubernetesWrites(
      KubernetesClient client,
      ImmutableList<WatchedKind> kinds,
      BooleanSupplier mayWrite,
      Consumer<Event> recorder,
      LongSupplier nanoTime) {
    this.client = client;
    this.kinds = kinds;
    this.mayWrite = mayWrite;
    this.recorder = recorder;
    this.nanoTime = nanoTime;
    pausedUntilNanos = nanoTime.getAsLong();
  }

  @Override
  public <T extends HasMetadata> T replace(T object) {
    return write(object, Resource::update);
  }

  @Override
  public HasMetadata edit(HasMetadata seen, UnaryOperator<HasMetadata> change) {
    WatchedKind kind = kind(seen);
    return write(seen, resource -> {
      for (int tries = 1; true; tries++) {
        try {
          return resource(kind, change.apply(current(kind, seen))).update();
        } catch (KubernetesClientException e) {
          if (e.getCode() != HTTP_CONFLICT || tries == MAX_EDITS) {
            throw e;
          }
        }
      }
    });
  }

  private HasMetadata current(WatchedKind kind, HasMetadata seen) {
    return kind
        .requests(client)
        .inNamespace(seen.getMetadata().getNamespace())
        .withField("metadata.name", seen.getMetadata().getName())
        .list()
        .getItems()
        .stream()
        .filter(found -> found.getMetadata().getUid().equals(seen.getMetadata().getUid()))
        .findFirst()
        .map(kind::read)
        .orElseThrow(() -> new WriteException(
            WriteException.Reason.GONE, ObjectKey.of(seen) + " is not there any more"));
  }

  @Override
  public <T extends HasMetadata> T replaceStatus(T object) {
    return write(object, Resource::updateStatus);
  }

  @Override
  public <T extends HasMetadata> T create(T object) {
    return write(object, Resource::create);
  }

  @Override
  public void delete(HasMetadata object) {
    write(object, resource -> {
      resource.lockResourceVersion(object.getMetadata().getResourceVersion()).delete();
      return resource.item();
    });
  }

  @Override
  public void record(Event event) {
    recorder.accept(event);
  }

  @SuppressWarnings("unchecked") // it is read as the class of what was given
  private <T extends HasMetadata> T write(
      T object, Function<Resource<HasMetadata>, HasMetadata> call) {
    if (!mayWrite.getAsBoolean()) {
      throw new WriteException(
          WriteException.Reason.UNAVAILABLE, "not the leader any more; nothing was written");
    }
    if (pausedUntilNanos - nanoTime.getAsLong() > 0) {
      throw new WriteException(
          WriteException.Reason.UNAVAILABLE, "not tried, as the server did not answer just now");
    }
    WatchedKind kind = kind(object);
    try {
      return (T) kind.read(call.apply(resource(kind, object)));
    } catch (KubernetesClientException e) {
      WriteException.Reason reason = reason(e.getCode());
      if (reason == WriteException.Reason.UNAVAILABLE && !isOfWebhook(e)) {
        pausedUntilNanos = nanoTime.getAsLong() + PAUSE_NANOS;
      }
      throw new WriteException(reason, message(e), e);
    }
  }

  /** {@return whether a webhook has failed, which is asked about some objects only} */
  private static boolean isOfWebhook(KubernetesClientException e) {
    return message(e).contains(WEBHOOK);
  }

  private Resource<HasMetadata> resource(WatchedKind kind, HasMetadata object) {
    HasMetadata written = kind.written(object);
    var all = kind.requests(client);
    return kind.namespaced()
        ? all.inNamespace(object.getMetadata().getNamespace()).resource(written)
        : all.resource(written);
  }

  /** {@return what the server says, without the request and the objects in its answer} */
  private static String message(KubernetesClientException e) {
    Status status = e.getStatus();
    if (status == null || Strings.isNullOrEmpty(status.getMessage())) {
      return String.valueOf(e.getMessage());
    }
    String text = status.getMessage();
    int end = text.indexOf(INVALID);
    if (end < 0) {
      return text;
    }
    List<StatusCause> causes =
        status.getDetails() == null ? ImmutableList.of() : status.getDetails().getCauses();
    return causes.isEmpty()
        ? withoutValue(text)
        : text.substring(0, end + INVALID.length()) + causes.get(0).getField() + ": "
            + withoutValue(String.valueOf(causes.get(0).getMessage()))
            + (causes.size() == 1 ? "" : " (and " + (causes.size() - 1) + " more)");
  }

  /** The value may be a whole pod template. */
  private static String withoutValue(String text) {
    int value = text.indexOf(VALUE);
    int problem = text.lastIndexOf(": ");
    return value < 0 || problem < value + VALUE.length()
        ? text
        : text.substring(0, value) + text.substring(problem + 2);
  }

  private WatchedKind kind(HasMetadata object) {
    ObjectKey key = ObjectKey.of(object);
    return kinds.stream()
        .filter(kind -> kind.isOf(key))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(key + " is of a kind that the cluster does not serve"));
  }

  private static WriteException.Reason reason(int code) {
    return switch (code) {
      case HTTP_CONFLICT -> WriteException.Reason.CONFLICT;
      case HTTP_NOT_FOUND -> WriteException.Reason.GONE;
      case TOO_MANY_REQUESTS -> WriteException.Reason.UNAVAILABLE;
      default ->
        code >= 400 && code < 500
            ? WriteException.Reason.REFUSED
            : WriteException.Reason.UNAVAILABLE;
    };
  }
}
