package io.kueue4j.examples.cli;

import static io.kueue4j.examples.cli.Admit.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** The output and pictures of {@code tpu fit}. */
final class TpuFitCommandTest {
  private static final Path FILES = Path.of("src/main/resources/tpu");
  private static final Object[] PODS = {FILES.resolve("pods.yaml"), FILES.resolve("requests.yaml")};
  private static final Object[] SUPERPOD = {FILES.resolve("superpod.yaml")};

  @TempDir
  Path folder;

  private static CommandLineRun command(Object... arguments) {
    return CommandLineRun.of(with(new Object[] {"tpu", "fit"}, arguments));
  }

  private static String run(Object... arguments) {
    CommandLineRun run = command(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    return run.out();
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("input.yaml"), text);
  }

  private static final String QUARTERS = """
      generation: v6e
      pools: [{name: pod, grid: 16x16, alignment: AnyHost}]
      slices:
      - {name: a, pool: pod, shape: 8x8, host: 4}
      - {name: b, pool: pod, shape: 8x8, host: 32}
      """;

  @Test
  void tellsPlacesReasonsAndRepairs() {
    assertThat(run(PODS)).isEqualTo("""
        SLICE      SHAPE   POOL    CHIPS              HOSTS                     RINGS
        ablation   4x8     pod-1   x 0-3, y 8-15      32-33,40-41,48-49,56-57   <none>
        job-0      2x2     pod-1   x 14-15, y 0-1     7                         <none>
        job-1      2x2     pod-1   x 14-15, y 2-3     15                        <none>
        job-2      2x2     pod-1   x 14-15, y 12-13   55                        <none>

        vision (8x8) does not fit
          because of geometry: 8x8 takes 16 hosts, 52 are free but do not lie together as needed
          largest slice that fits now: 4x8
          would fit at pod-0 x 0-7, y 8-15 after 1 move of 16 chips
            tune-b from pod-0 x 4-7, y 12-15 to pod-0 x 4-7, y 0-3
          would fit at pod-0 x 0-7, y 8-15 if tune-b stopped: 16 chips, the fewest possible

        pretrain (8x16) does not fit
          because of geometry: 8x16 takes 32 hosts, 52 are free but do not lie together as needed
          largest slice that fits now: 4x8
          would fit at pod-1 x 4-11, y 0-15 after 2 moves of 48 chips
            serve-1 from pod-1 x 8-11, y 4-7 to pod-1 x 0-3, y 4-7
            serve-2 from pod-1 x 4-7, y 8-15 to pod-1 x 12-15, y 4-11
          would fit at pod-1 x 4-11, y 0-15 if serve-1, serve-2 stopped: 48 chips, the fewest possible

        POOL    KIND                       HOSTS   FREE   NOT HEALTHY   LARGEST THAT FITS   FREE BEYOND IT
        pod-0   grid 16x16, hosts of 2x2   64      19     1             4x8                 58 %
        pod-1   grid 16x16, hosts of 2x2   64      33     2             4x8                 76 %
        """);
  }

  @Test
  void largeSlicesTakeWholeCubesAndSmallOnesDamagedCubes() {
    assertThat(run(SUPERPOD))
        .contains("distill   8x8x16   superpod   cubes 66-69,71-82 ")
        .containsPattern(
            "serve-0 +2x2x4 +superpod +cube 2, x 2-3, y 2-3, z 0-3 +35,39,43,47 +<none>")
        .containsPattern("rl-0 .* x y z\n")
        .contains("superpod   144 cubes, hosts of 2x2x1   2304    85     8             4x8x8");
  }

  @Test
  void movesAreCarriedOutIfAskedFor() throws IOException {
    Path half = file(QUARTERS + "requests: [{name: half, shape: 8x16, mayTurn: true}]\n");

    assertThat(run(half)).contains("half (8x16) does not fit", "after 1 move of 64 chips");
    assertThat(run(half, "--defragment"))
        .contains("half    8x16    pod ", "half fits after 1 move of 64 chips")
        .doesNotContain("does not fit");
    assertThat(run(half, "--moves", "0"))
        .contains("half (8x16) does not fit", "if b stopped: 64 chips")
        .doesNotContain(" move");
  }

  @Test
  void whatMayNotMoveOrStopStays() throws IOException {
    String stay = QUARTERS.replace("host: 4}", "host: 4, movable: false, evictable: false}");
    String whole = "requests: [{name: whole, shape: 16x16}]\n";

    assertThat(run(file(stay + whole)))
        .contains(
            "no plan of at most 2 moves was found", "would not fit even if all owners stopped");
    assertThat(run(file(QUARTERS + whole)))
        .contains("no plan of at most 2 moves was found", "if a, b stopped: 128 chips");
  }

  @Test
  void saysHowManyOfSeveralFit() throws IOException {
    assertThat(run(file(QUARTERS + "requests: [{name: many, shape: 4x8, count: 5}]\n")))
        .contains("""
            many (4x8) does not fit
              because of capacity: 5 slices 4x8 takes 40 hosts, 32 are free
              largest slice that fits now: 8x8
              slices of those that fit now: 4
            """);
  }

  @Test
  void hostsThatFailMakeSlicesGo() throws IOException {
    Path quarters = file(QUARTERS);

    assertThat(run(quarters)).startsWith("POOL ");
    assertThat(run(quarters, "--down", "pod:4,44-45"))
        .startsWith("a (8x8) has hosts that are down, could go to pod x 8-15, y 2-9\n")
        .contains("pod    grid 16x16, hosts of 2x2   64      30     3 ");
    assertThat(run(quarters, "--down", "pod:4", "--failover"))
        .startsWith("a (8x8) has hosts that are down, goes to pod x 0-7, y 0-7\n")
        .contains("pod    grid 16x16, hosts of 2x2   64      31     1 ");
    assertThat(run(quarters, "--down", "pod:27,31", "--down", "pod:63"))
        .startsWith("a (8x8) has hosts that are down, and there is no place for it\n");
  }

  @Test
  void describesWhatIsAskedFor() throws IOException {
    Path nodes = file("""
        generation: v5e
        pools:
        - {name: x, grid: 4x8, chipsPerHost: 8, fabric: f, nodes: [n0, n1, n2, n3]}
        - {name: "y", grid: 4x8, chipsPerHost: 8, fabric: f}
        degraded: {x: [n2]}
        requests:
        - {name: pinned, shape: 2x4, pin: {x: [n1]}}
        - {name: worn, shape: 2x4, pin: {x: [n2]}, allowDegraded: true}
        - {name: healthy, shape: 2x4, pin: {x: [n2]}}
        - {name: spread, shape: 2x4, count: 2, maxPerPool: 1}
        - {name: rings, shape: 4x4, rings: Required}
        - {name: choice, shapes: [16x16, 4x4]}
        """);

    assertThat(run(nodes))
        .containsPattern("pinned +2x4 +x +x 2-3, y 0-3 +n1 +<none>")
        .containsPattern("worn +2x4 +x +x 0-1, y 4-7 +n2 +<none>")
        .contains("healthy (2x4) does not fit\n  because of selection")
        .containsPattern("spread-0 +2x4 +x ")
        .containsPattern("spread-1 +2x4 +y ")
        .contains("rings (4x4) does not fit\n  because of rings")
        .containsPattern("choice +4x4 +y ");
  }

  @Test
  void drawsATorusAcrossItsSeam() throws IOException {
    Path torus = file("""
        generation: v4
        pools: [{name: t, torus: 8x8x8, alignment: AnyHost, crossesSeams: true}]
        slices: [{name: seam, pool: t, shape: 4x4x4, host: 3}]
        """);
    Document picture = picture(torus);

    // Two hosts wide, two high, in four layers, cut in two by the seam.
    assertThat(elements(picture, "rect", "rx", "3")).hasSize(8);
    assertThat(texts(picture)).contains("z = 0", "z = 7", "seam  4x4x4");
  }

  private Document picture(Object... arguments) throws IOException {
    Path svg = folder.resolve("picture.svg");
    run(with(arguments, "--svg", svg));
    return parse(Files.readString(svg));
  }

  private static Document parse(String svg) {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader(svg)));
    } catch (Exception e) {
      throw new AssertionError("not XML: " + svg, e);
    }
  }

  private static List<String> texts(Document picture) {
    List<String> texts = new ArrayList<>();
    NodeList nodes = picture.getElementsByTagName("text");
    for (int i = 0; i < nodes.getLength(); i++) {
      texts.add(nodes.item(i).getTextContent());
    }
    return texts;
  }

  private static List<Element> elements(
      Document picture, String tag, String attribute, String value) {
    List<Element> found = new ArrayList<>();
    NodeList nodes = picture.getElementsByTagName(tag);
    for (int i = 0; i < nodes.getLength(); i++) {
      if (((Element) nodes.item(i)).getAttribute(attribute).equals(value)) {
        found.add((Element) nodes.item(i));
      }
    }
    return found;
  }

  @Test
  void drawsSlicesFreeAndBrokenHosts() throws IOException {
    Document picture = picture(PODS);

    assertThat(texts(picture))
        .contains("pod-0", "19 of 64 free, largest 4x8", "33 of 64 free, largest 4x8")
        .contains("llm-train", "serve-2", "job (3)  2x2", "llm-train  8x16")
        .contains("free", "largest slice that still fits", "placed now", "down", "degraded");
    // Seven that ran and four that were placed; one box each.
    assertThat(elements(picture, "rect", "rx", "3")).hasSize(11);
    assertThat(elements(picture, "rect", "fill", "url(#down)")).hasSize(1 + 1);
    assertThat(elements(picture, "rect", "fill", "url(#degraded)")).hasSize(2 + 1);
    // One for each pod and one in the legend.
    assertThat(elements(picture, "rect", "stroke-dasharray", "6 4")).hasSize(2 + 1);
    assertThat(elements(picture, "rect", "stroke", "#c3c8d0")).hasSize(19 + 33 + 1);
    assertThat(elements(picture, "pattern", "patternUnits", "userSpaceOnUse")).hasSize(2);
  }

  @Test
  void eachCubeHasItsNumber() throws IOException {
    Document picture = picture(SUPERPOD);

    for (int cube = 0; cube < 144; cube++) {
      assertThat(texts(picture)).contains(String.valueOf(cube));
    }
    assertThat(texts(picture).stream().filter(text -> text.equals("frontier"))).hasSize(64);
  }

  @Test
  void nothingReachesOutOfThePicture() throws IOException {
    Path many = file("""
        generation: v6e
        pools: [{name: a-pod-with-a-rather-long-name-of-its-own, count: 9, grid: 16x16, chipsPerHost: 1}]
        requests: [{name: r, shape: 2x2, count: 500}]
        """);
    for (Document picture : List.of(picture(PODS), picture(SUPERPOD), picture(many))) {
      int width = Integer.parseInt(picture.getDocumentElement().getAttribute("width"));
      int height = Integer.parseInt(picture.getDocumentElement().getAttribute("height"));
      NodeList rectangles = picture.getElementsByTagName("rect");
      for (int i = 0; i < rectangles.getLength(); i++) {
        Element each = (Element) rectangles.item(i);
        if (each.getParentNode().getNodeName().equals("pattern")) {
          continue;
        }
        assertThat(number(each, "x") + number(each, "width")).isLessThanOrEqualTo(width);
        assertThat(number(each, "y") + number(each, "height")).isLessThanOrEqualTo(height);
        assertThat(number(each, "width")).isPositive();
      }
      NodeList texts = picture.getElementsByTagName("text");
      for (int i = 0; i < texts.getLength(); i++) {
        assertThat(number((Element) texts.item(i), "y")).isLessThanOrEqualTo(height);
      }
    }
  }

  private static int number(Element element, String attribute) {
    String value = element.getAttribute(attribute);
    return value.isEmpty() ? 0 : Integer.parseInt(value);
  }

  @Test
  void namesCannotBreakThePicture() throws IOException {
    Path odd = file("""
        generation: v6e
        pools: [{name: "<p&\\u0007>", grid: 8x8}]
        requests: [{name: "\\"]]><script>", shape: 4x4}]
        """);

    Document picture = picture(odd);
    assertThat(picture.getElementsByTagName("script").getLength()).isZero();
    assertThat(texts(picture)).anyMatch(text -> text.contains("<p&"));
    assertThat(run(odd)).doesNotContain("\u0007");
  }

  @Test
  void thePicturesOfTheReadmeAreWhatIsDrawnToday() throws IOException {
    Path svg = folder.resolve("picture.svg");
    run(with(PODS, "--svg", svg));
    assertThat(Files.readString(svg)).isEqualTo(Files.readString(FILES.resolve("pods.svg")));
    run(with(SUPERPOD, "--svg", svg));
    assertThat(Files.readString(svg)).isEqualTo(Files.readString(FILES.resolve("superpod.svg")));
  }

  @Test
  void aMisspeltFieldIsNoted() throws IOException {
    Path misspelt = file(QUARTERS + "requests: [{name: r, shape: 4x4, mayturn: true}]\n");

    CommandLineRun run = command(misspelt);
    assertThat(run.exitCode()).isZero();
    assertThat(run.err())
        .isEqualTo("warning: " + misspelt + ": document 1, line 6, column 43: requests[0].mayturn:"
            + " unknown field; did you mean \"mayTurn\"?\n");
    assertThat(command(misspelt, "--strict").exitCode()).isEqualTo(2);
  }

  /** For any content of a file, the result is a table or errors, never a crash. */
  @Test
  void survivesWhatIsCutOrGarbled() throws IOException {
    byte[] good = Files.readAllBytes((Path) PODS[0]);
    byte[] requests = Files.readAllBytes((Path) PODS[1]);
    byte[] all = new byte[good.length + requests.length];
    System.arraycopy(good, 0, all, 0, good.length);
    System.arraycopy(requests, 0, all, good.length, requests.length);
    Random random = new Random(3);
    for (int round = 0; round < 100; round++) {
      byte[] changed = all.clone();
      int changes = 1 + random.nextInt(3);
      for (int i = 0; i < changes; i++) {
        int at = random.nextInt(changed.length);
        changed[at] = random.nextBoolean()
            ? changed[random.nextInt(changed.length)]
            : (byte) "0123456789-,:{}[]x #\n".charAt(random.nextInt(21));
      }
      Path file = file(new String(changed, StandardCharsets.UTF_8));
      CommandLineRun run = command(file, "--svg", folder.resolve("picture.svg"));
      assertThat(run.exitCode()).as("%s\n%s", run.err(), Files.readString(file)).isIn(0, 2);
      if (run.exitCode() == 2) {
        assertThat(run.errLines("error: ")).isNotEmpty();
      }
    }
  }
}
