package io.kueue4j.examples.controller.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Passes on connections to a port of this machine, until it is cut. */
final class CuttableProxy implements AutoCloseable {
  private static final int BUFFER = 65_536;

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> webSockets = ConcurrentHashMap.newKeySet();
  private final Set<Socket> frozen = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;
  private volatile boolean isDeafToHandshakes;

  private CuttableProxy(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  /** Starts a proxy on a free port. */
  static CuttableProxy start(int target) throws IOException {
    CuttableProxy proxy =
        new CuttableProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
    run(proxy::accept);
    return proxy;
  }

  private static void run(Runnable task) {
    Thread thread = new Thread(task, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  int port() {
    return server.getLocalPort();
  }

  /** Cuts all connections and refuses new ones, or ends that. */
  void cut(boolean cut) {
    isCut = cut;
    if (cut) {
      sockets.forEach(CuttableProxy::close);
      sockets.clear();
    }
  }

  /** Passes on nothing more on the present WebSockets, and leaves them open. */
  void freezeWebSockets() {
    frozen.addAll(webSockets);
  }

  /** Passes on nothing of WebSockets that begin now, and leaves them open, or ends that. */
  void ignoreHandshakes(boolean ignore) {
    isDeafToHandshakes = ignore;
  }

  /** {@return the number of WebSockets that have begun} */
  int webSocketCount() {
    return webSockets.size() / 2;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        if (isCut) {
          close(client);
          continue;
        }
        try {
          forward(client, new Socket(InetAddress.getLoopbackAddress(), target));
        } catch (IOException e) {
          // The server is down.
          close(client);
        }
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void forward(Socket client, Socket forwarded) throws IOException {
    // Otherwise the second of two small writes waits for the acknowledgement of the first.
    client.setTcpNoDelay(true);
    forwarded.setTcpNoDelay(true);
    sockets.add(client);
    sockets.add(forwarded);
    if (isCut) {
      // It was cut between the look at that and the addition.
      end(client, forwarded);
      return;
    }
    run(() -> copy(client, forwarded));
    run(() -> copy(forwarded, client));
  }

  private void end(Socket one, Socket other) {
    close(one);
    close(other);
    sockets.remove(one);
    sockets.remove(other);
  }

  private void copy(Socket from, Socket to) {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] buffer = new byte[BUFFER];
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (new String(buffer, 0, count, ISO_8859_1).contains("Sec-WebSocket-Key")) {
          if (isDeafToHandshakes) {
            frozen.add(from);
          }
          webSockets.addAll(List.of(from, to));
        }
        if (!frozen.contains(from)) {
          out.write(buffer, 0, count);
          out.flush();
        }
      }
    } catch (IOException e) {
      // The connection has ended.
    } finally {
      end(from, to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is closed enough.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut(true);
  }
}
