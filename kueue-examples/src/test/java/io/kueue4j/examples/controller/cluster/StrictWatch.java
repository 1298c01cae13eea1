package io.kueue4j.examples.controller.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A watch of a client: receives first the writes since its list, then new ones. */
final class StrictWatch extends WebSocketListener implements Consumer<ApiWrite> {
  private final StrictCluster cluster;
  private final Object lock;
  private final WatchFilter filter;
  private final long start;
  private final long oldest;
  private @Nullable WebSocket socket;

  /**
   * Creates a watch without a listener.
   *
   * @param lock held while the cluster is read
   * @param start the version from which on writes are reported; 0 to receive all objects
   * @param oldest the oldest version that is not expired
   */
  StrictWatch(StrictCluster cluster, Object lock, WatchFilter filter, long start, long oldest) {
    this.cluster = cluster;
    this.lock = lock;
    this.filter = filter;
    this.start = start;
    this.oldest = oldest;
  }

  @Override
  public void onOpen(WebSocket opened, Response response) {
    synchronized (lock) {
      socket = opened;
      if (start != 0 && start < oldest) {
        send("ERROR", Trees.parse(Serialization.asJson(ApiRefusal.expired().toStatus())));
        return;
      }
      if (start == 0) {
        cluster.trees(filter::matches).forEach(object -> send("ADDED", object));
      } else {
        List<ApiWrite> log = cluster.log();
        log.subList((int) Math.min(start, log.size()), log.size()).forEach(this);
      }
      cluster.watch(this);
    }
  }

  @Override
  public void accept(ApiWrite write) {
    if (!filter.matches(write.key())) {
      return;
    }
    ObjectNode object = write.object();
    if (write.after() == null) {
      object = object.deepCopy();
      Trees.child(object, "metadata").put("resourceVersion", Long.toString(write.revision()));
    }
    send(write.before() == null ? "ADDED" : write.after() == null ? "DELETED" : "MODIFIED", object);
  }

  private void send(String type, ObjectNode object) {
    ObjectNode event = JsonNodeFactory.instance.objectNode();
    event.put("type", type).set("object", object);
    if (socket != null) {
      socket.send(event.toString());
    }
  }

  @Override
  public void onClosing(WebSocket closing, int code, String reason) {
    end();
    closing.close(code, reason);
  }

  @Override
  public void onClosed(WebSocket closed, int code, String reason) {
    end();
  }

  @Override
  public void onFailure(WebSocket failed, Throwable failure, @Nullable Response response) {
    end();
  }

  private void end() {
    synchronized (lock) {
      cluster.unwatch(this);
    }
  }
}
