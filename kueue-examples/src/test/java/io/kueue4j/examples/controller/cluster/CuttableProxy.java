package io.kueue4j.examples.controller.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Passes on connections to a port of this machine, until it is cut. It may delay what clients send,
 * as a long way to the server does: each request takes that much longer, and requests of one
 * connection do not wait for each other.
 */
final class CuttableProxy implements AutoCloseable {
  private static final int BUFFER = 65_536;

  private final ServerSocket server;
  private final int target;
  private final Duration delay;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;

  private CuttableProxy(ServerSocket server, int target, Duration delay) {
    this.server = server;
    this.target = target;
    this.delay = delay;
  }

  /**
   * Starts a proxy on a free port.
   *
   * @param delay how much later what clients send arrives
   */
  static CuttableProxy start(int target, Duration delay) throws IOException {
    CuttableProxy proxy =
        new CuttableProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target, delay);
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

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        if (isCut) {
          close(client);
          continue;
        }
        Socket forwarded = new Socket(InetAddress.getLoopbackAddress(), target);
        // Otherwise the second of two small writes waits for the acknowledgement of the first.
        client.setTcpNoDelay(true);
        forwarded.setTcpNoDelay(true);
        sockets.add(client);
        sockets.add(forwarded);
        if (delay.isZero()) {
          run(() -> copy(client, forwarded));
        } else {
          BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();
          run(() -> read(client, chunks));
          run(() -> writeLater(chunks, client, forwarded));
        }
        run(() -> copy(forwarded, client));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  /** What was read, and when to pass it on; nothing at the end of a connection. */
  private record Chunk(ByteBuffer bytes, long dueNanos) {}

  private void read(Socket from, BlockingQueue<Chunk> chunks) {
    byte[] buffer = new byte[BUFFER];
    int count;
    do {
      try {
        count = from.getInputStream().read(buffer);
      } catch (IOException e) {
        // The connection has ended.
        count = -1;
      }
      chunks.add(new Chunk(
          ByteBuffer.wrap(Arrays.copyOf(buffer, Math.max(0, count))),
          System.nanoTime() + delay.toNanos()));
    } while (count >= 0);
  }

  private void writeLater(BlockingQueue<Chunk> chunks, Socket from, Socket to) {
    try {
      OutputStream out = to.getOutputStream();
      for (Chunk chunk = chunks.take(); chunk.bytes().hasRemaining(); chunk = chunks.take()) {
        TimeUnit.NANOSECONDS.sleep(chunk.dueNanos() - System.nanoTime());
        out.write(chunk.bytes().array());
        out.flush();
      }
    } catch (IOException e) {
      // The connection has ended.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      end(from, to);
    }
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
        out.write(buffer, 0, count);
        out.flush();
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
