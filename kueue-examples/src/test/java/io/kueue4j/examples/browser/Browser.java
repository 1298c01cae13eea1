package io.kueue4j.examples.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Streams;
import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import com.google.common.util.concurrent.Uninterruptibles;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * A headless Chromium with one page, which is controlled by its DevTools protocol. A test that
 * opens one is skipped where no browser is installed, or where it does not start. Not thread-safe.
 */
public final class Browser implements AutoCloseable {
  private static final int HEIGHT = 900;
  private static final Duration START = Duration.ofMinutes(1);
  private static final Duration END = Duration.ofSeconds(20);
  private static final Duration ANSWER = Duration.ofMinutes(2);
  private static final String COLORS = """
        const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
        const light = color => color.slice(0, 3)
            .map(part => part / 255)
            .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
            .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
        const contrast = (a, b) =>
            (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      """;
  private static final String CONTRAST = "(() => {\n" + COLORS + """
        const ground = element => {
          for (let at = element; at; at = at.parentElement) {
            const color = parse(getComputedStyle(at).backgroundColor);
            if (color.length === 3 || color[3] > 0) return color;
          }
          return [255, 255, 255];
        };
        return [...document.body.querySelectorAll('*')]
            .filter(each => [...each.childNodes].some(
                child => child.nodeType === 3 && child.textContent.trim()))
            .filter(each => each.getClientRects().length)
            .filter(each => contrast(parse(getComputedStyle(each).color), ground(each)) < 4.5)
            .map(each => each.tagName + ' ' + each.textContent.trim())
            .join('\\n');
      })()""";
  private static final String PICTURE_CONTRAST = "(() => {\n" + COLORS + """
        const boxes = [...document.querySelectorAll('svg > rect, svg > g > rect')];
        const ground = text => {
          const at = text.getBBox(), x = at.x + at.width / 2, y = at.y + at.height / 2;
          return boxes
              .filter(box => {
                const area = box.getBBox();
                return area.x <= x && x <= area.x + area.width
                    && area.y <= y && y <= area.y + area.height
                    && box.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
              })
              .map(box => getComputedStyle(box))
              .filter(style => style.fill.startsWith('rgb'))
              .reduce(
                  (below, style) => parse(style.fill).map((part, i) =>
                      part * style.fillOpacity + below[i] * (1 - style.fillOpacity)),
                  [255, 255, 255]);
        };
        return [...document.querySelectorAll('text')]
            .filter(text => contrast(parse(getComputedStyle(text).fill), ground(text)) < 4.5)
            .map(text => text.textContent)
            .join('\\n');
      })()""";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final Path profile;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> messages;
  private final List<String> complaints = new ArrayList<>();
  private int lastId;

  private Browser(
      Process process, Path profile, WebSocket socket, BlockingQueue<JsonNode> messages) {
    this.process = process;
    this.profile = profile;
    this.socket = socket;
    this.messages = messages;
  }

  /** Opens a browser with its profile in {@code folder}, or aborts the test. */
  public static Browser open(Path folder) throws IOException, InterruptedException {
    Optional<File> installed = Stream.of("chromium", "chromium-browser", "google-chrome", "chrome")
        .flatMap(name -> Stream.of(
                Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
            .map(path -> new File(path, name)))
        .filter(File::canExecute)
        .findFirst();
    assumeTrue(installed.isPresent(), "no browser is installed");
    Path profile = folder.resolve("profile");
    Process process = new ProcessBuilder(
            installed.get().getPath(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile,
            "about:blank")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("browser.log").toFile())
        .start();
    try {
      Browser browser = connect(process, profile.resolve("DevToolsActivePort"));
      browser.call("Page.enable");
      browser.call("Runtime.enable");
      browser.call("Log.enable");
      return browser;
    } catch (IOException | InterruptedException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static Browser connect(Process process, Path portFile)
      throws IOException, InterruptedException {
    Instant end = Instant.now().plus(START);
    while (!Files.exists(portFile) || Files.readString(portFile).lines().count() < 2) {
      assumeTrue(
          process.isAlive() && Instant.now().isBefore(end), "the browser does not start here");
      Thread.sleep(20);
    }
    String port = Files.readString(portFile).lines().findFirst().orElseThrow();
    HttpClient client = HttpClient.newHttpClient();
    HttpRequest list = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
        .build();
    Optional<String> page = page(client, list);
    while (page.isEmpty()) {
      // The port is known before the page is.
      assumeTrue(Instant.now().isBefore(end), "the browser opens no page here");
      Thread.sleep(20);
      page = page(client, list);
    }
    BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
    WebSocket socket = client
        .newWebSocketBuilder()
        .buildAsync(URI.create(page.get()), new Receiver(messages))
        .join();
    return new Browser(process, portFile.getParent(), socket, messages);
  }

  private static Optional<String> page(HttpClient client, HttpRequest list)
      throws IOException, InterruptedException {
    JsonNode targets =
        JSON.readTree(client.send(list, HttpResponse.BodyHandlers.ofString()).body());
    return Streams.stream(targets)
        .filter(target -> target.path("type").asText().equals("page"))
        .map(target -> target.path("webSocketDebuggerUrl").asText())
        .findFirst();
  }

  /** Collects messages, which may arrive in parts. */
  private static final class Receiver implements WebSocket.Listener {
    private final BlockingQueue<JsonNode> messages;
    private final StringBuilder text = new StringBuilder();

    Receiver(BlockingQueue<JsonNode> messages) {
      this.messages = messages;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        try {
          messages.add(JSON.readTree(text.toString()));
        } catch (IOException e) {
          return CompletableFuture.failedFuture(e);
        }
        text.setLength(0);
      }
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  @CanIgnoreReturnValue
  private JsonNode call(String method, Object... parameters) throws InterruptedException {
    lastId++;
    ObjectNode call = JSON.createObjectNode().put("id", lastId).put("method", method);
    ObjectNode given = call.putObject("params");
    for (int i = 0; i < parameters.length; i += 2) {
      given.set(parameters[i].toString(), JSON.valueToTree(parameters[i + 1]));
    }
    socket.sendText(call.toString(), true).join();
    return await(message -> message.path("id").asInt() == lastId).path("result");
  }

  /** {@return the first message of that kind; those before it are looked at for complaints} */
  private JsonNode await(Predicate<JsonNode> kind) throws InterruptedException {
    Instant end = Instant.now().plus(ANSWER);
    while (true) {
      JsonNode message = messages.poll(
          Math.max(0, Duration.between(Instant.now(), end).toMillis()), TimeUnit.MILLISECONDS);
      assertThat(message).as("an answer of the browser within %s", ANSWER).isNotNull();
      if (message.path("method").asText().equals("Log.entryAdded")
          || message.path("method").asText().equals("Runtime.exceptionThrown")
          || message.path("method").asText().equals("Runtime.consoleAPICalled")) {
        complaints.add(message.path("params").toString());
      }
      if (kind.test(message)) {
        return message;
      }
    }
  }

  /** Sets the width of the window, and the preferred colours, of what is shown from now on. */
  public void look(Looks looks) throws InterruptedException {
    call(
        "Emulation.setDeviceMetricsOverride",
        "width",
        looks.width(),
        "height",
        HEIGHT,
        "deviceScaleFactor",
        1,
        "mobile",
        false);
    call(
        "Emulation.setEmulatedMedia",
        "features",
        List.of(Map.of("name", "prefers-color-scheme", "value", looks.dark() ? "dark" : "light")));
  }

  /** Shows an address, and waits until it is loaded. */
  public void show(URI address) throws InterruptedException {
    complaints.clear();
    call("Page.navigate", "url", address.toString());
    await(message -> message.path("method").asText().equals("Page.loadEventFired"));
  }

  /** Shows a file with that text; its name says what it is. */
  public void show(Path file, String text) throws IOException, InterruptedException {
    Files.writeString(file, text, UTF_8);
    show(file.toUri());
  }

  /** {@return what the browser complained about since the page was shown} */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** {@return the value of an expression in the page} */
  public String evaluate(String expression) throws InterruptedException {
    JsonNode answer = call("Runtime.evaluate", "expression", expression, "returnByValue", true);
    assertThat(answer.has("exceptionDetails")).as(answer.toString()).isFalse();
    return answer.path("result").path("value").asText();
  }

  /**
   * {@return the value of an expression in the page as soon as it is the expected one, or as it is
   * after some time}
   *
   * <p>The browser reacts to input and to what is opened after the call that causes it.
   */
  public String await(String expression, String expected) throws InterruptedException {
    Instant end = Instant.now().plus(START);
    String value = evaluate(expression);
    while (!value.equals(expected) && Instant.now().isBefore(end)) {
      Thread.sleep(20);
      value = evaluate(expression);
    }
    return value;
  }

  /** Runs a script that leads to another page, and waits until that is loaded. */
  public void act(String script) throws InterruptedException {
    call("Runtime.evaluate", "expression", script);
    await(message -> message.path("method").asText().equals("Page.loadEventFired"));
  }

  /** {@return the number of pixels that the page is wider than the window} */
  public int overflow() throws InterruptedException {
    return Integer.parseInt(
        evaluate(
            "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"));
  }

  /**
   * {@return the texts with a contrast of less than 4.5 to what is behind them, the minimum of the
   * Web Content Accessibility Guidelines at level AA}
   */
  public String paleTexts() throws InterruptedException {
    return evaluate(CONTRAST);
  }

  /**
   * {@return the texts of an SVG with a contrast of less than 4.5 to the visible boxes behind them,
   * which are drawn before them}
   */
  public String paleTextsOfPicture() throws InterruptedException {
    return evaluate(PICTURE_CONTRAST);
  }

  /** {@return the whole page as a picture} */
  public BufferedImage picture() throws IOException, InterruptedException {
    JsonNode answer =
        call("Page.captureScreenshot", "format", "png", "captureBeyondViewport", true);
    byte[] bytes = Base64.getDecoder().decode(answer.path("data").asText());
    return ImageIO.read(new ByteArrayInputStream(bytes));
  }

  @Override
  public void close() {
    // Its children write to the profile too, and the folder around it is deleted next.
    List<ProcessHandle> children = process.descendants().toList();
    socket.sendText("{\"id\":0,\"method\":\"Browser.close\"}", true).join();
    end(process.toHandle());
    children.forEach(Browser::end);
    socket.abort();
    deleteProfile();
  }

  /** Deletes the profile, to which processes that the browser has let go may still write. */
  private void deleteProfile() {
    Instant end = Instant.now().plus(END);
    while (Files.exists(profile) && Instant.now().isBefore(end)) {
      try {
        MoreFiles.deleteRecursively(profile, RecursiveDeleteOption.ALLOW_INSECURE);
      } catch (IOException e) {
        Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(100));
      }
    }
  }

  /** Waits for the end of a process, which it forces after some time. */
  private static void end(ProcessHandle process) {
    process
        .onExit()
        .completeOnTimeout(process, END.toSeconds(), TimeUnit.SECONDS)
        .join();
    if (process.destroyForcibly()) {
      process
          .onExit()
          .completeOnTimeout(process, END.toSeconds(), TimeUnit.SECONDS)
          .join();
    }
  }
}
