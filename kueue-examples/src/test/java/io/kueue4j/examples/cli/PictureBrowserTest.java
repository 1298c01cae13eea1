package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.files;
import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.browser.Browser;
import io.kueue4j.examples.browser.Looks;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pictures of {@code --svg} in a browser, light and dark. */
class PictureBrowserTest {
  private static final String GPU = "004-gpu-operator-binpack";
  private static final Path TPU = Path.of("src/main/resources/tpu");

  @TempDir
  Path folder;

  private Path draw(String name, Object... arguments) {
    Path svg = folder.resolve(name + ".svg");
    CommandLineRun run = CommandLineRun.of(with(arguments, "--svg", svg));
    assertThat(run.exitCode()).as(run.err()).isZero();
    return svg;
  }

  @Test
  void picturesAreReadableLightAndDark() throws Exception {
    Object[] spread = files(GPU, "60-topology.yaml", "61-pods-spread.yaml", "63-job.yaml");
    ImmutableMap<String, Path> pictures = ImmutableMap.of(
        "topology",
        draw("topology", "topology", spread[0], spread[1], "--request", spread[2]),
        "fleet",
        draw("fleet", "tpu", "fit", TPU.resolve("pods.yaml"), TPU.resolve("requests.yaml")));
    try (Browser browser = Browser.open(folder)) {
      for (Map.Entry<String, Path> picture : pictures.entrySet()) {
        browser.look(Looks.WIDE_LIGHT);
        browser.show(picture.getValue().toUri());
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.paleTextsOfPicture())
            .as("%s, light", picture.getKey())
            .isEmpty();
        assertThat(ground(browser)).isEqualTo("rgb(255, 255, 255)");
        browser.look(Looks.WIDE_DARK);
        assertThat(browser.paleTextsOfPicture())
            .as("%s, dark", picture.getKey())
            .isEmpty();
        assertThat(ground(browser)).isEqualTo("rgb(18, 22, 28)");
      }
    }
  }

  private static String ground(Browser browser) throws InterruptedException {
    return browser.evaluate("getComputedStyle(document.querySelector('.page')).fill");
  }
}
