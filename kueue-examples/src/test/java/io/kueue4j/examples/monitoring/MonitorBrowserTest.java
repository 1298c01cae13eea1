package io.kueue4j.examples.monitoring;

import static io.kueue4j.examples.monitoring.MonitoredEngine.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedMap;
import com.sun.net.httpserver.HttpServer;
import io.kueue4j.examples.browser.Browser;
import io.kueue4j.examples.browser.Looks;
import java.awt.image.BufferedImage;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page in a browser: wide and narrow, light and dark. */
class MonitorBrowserTest {
  private static final String LONG =
      "a-name-that-is-as-long-as-names-are-in-some-clusters-0123456789";

  @TempDir
  Path folder;

  private static MonitorView view() {
    MonitoredEngine busy = MonitoredEngine.busy();
    for (int i = 0; i < 60; i++) {
      busy.engine.submit(job(LONG + "-" + i, "language", 1 + i % 7));
    }
    var unused = busy.engine.runUntilStable(100);
    return busy.view()
        .withWarnings(ImmutableList.of("the guard is missing"))
        .withProblems(ImmutableSortedMap.of(
            "ClusterQueue " + LONG, "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota"));
  }

  @Test
  void itIsReadableOnEveryScreen() throws Exception {
    MonitorView view = view();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", new PageHandler("Batch jobs", () -> view));
    server.start();
    URI page = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    try (Browser browser = Browser.open(folder)) {
      for (Looks looks : Looks.values()) {
        for (String query : new String[] {"", "?q=" + LONG, "?job=team/large"}) {
          browser.look(looks);
          browser.show(page.resolve("/" + query));
          assertThat(browser.complaints()).as("%s %s", looks, query).isEmpty();
          assertThat(browser.overflow()).as("%s %s", looks, query).isZero();
          assertThat(browser.paleTexts()).as("%s %s", looks, query).isEmpty();
        }
      }
      browser.look(Looks.NARROW_DARK);
      browser.show(page);
      assertThat(browser.evaluate("document.querySelectorAll('main section').length"))
          .isEqualTo("8");
      assertThat(browser.evaluate("getComputedStyle(document.querySelector('.bar .used')).fill"))
          .isEqualTo("rgb(86, 180, 233)");
      // The bars of what is used, and of what is borrowed.
      assertThat(colors(browser.picture())).contains(0x56b4e9, 0xf0a04b);
      search(browser);
    } finally {
      server.stop(0);
    }
  }

  private static Set<Integer> colors(BufferedImage picture) {
    Set<Integer> colors = new HashSet<>();
    for (int x = 0; x < picture.getWidth(); x++) {
      for (int y = 0; y < picture.getHeight(); y++) {
        colors.add(picture.getRGB(x, y) & 0xffffff);
      }
    }
    return colors;
  }

  private static void search(Browser browser) throws InterruptedException {
    browser.act("const form = document.querySelector('form');"
        + "form.q.value = 'borrower'; form.requestSubmit();");
    assertThat(browser.evaluate("document.querySelector('#running + div').innerText"))
        .contains("borrower")
        .doesNotContain("modest");
    assertThat(browser.evaluate("document.querySelector('#waiting + div').innerText"))
        .contains("No pending job matches.");
  }

  @Test
  void aPageInAFileHasItsStyleToo() throws Exception {
    try (Browser browser = Browser.open(folder)) {
      browser.look(Looks.NARROW_LIGHT);
      browser.show(folder.resolve("page.html"), MonitorPage.write(view(), "Admission"));
      assertThat(browser.complaints()).isEmpty();
      assertThat(browser.overflow()).isZero();
      assertThat(browser.evaluate("document.querySelectorAll('form, a[href^=\"?\"]').length"))
          .isEqualTo("0");
      assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor"))
          .isEqualTo("rgb(246, 247, 249)");
    }
  }
}
