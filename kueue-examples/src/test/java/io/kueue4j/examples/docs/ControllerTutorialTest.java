package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.MoreCollectors;
import io.kueue4j.examples.controller.Await;
import io.kueue4j.examples.docs.MarkdownPage.Block;
import io.kueue4j.examples.docs.ShellSession.Command;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The controller does what its tutorial shows: every command of the page is run on an API server
 * with a controller, in order, and its output is compared with the page. What the guard refuses is
 * only tried on a real API server.
 */
class ControllerTutorialTest {
  /** The page, whose commands {@link ConsoleBlocksTest} cannot run. */
  static final String PATH = "docs/controller-tutorial.md";

  private static final MarkdownPage PAGE = MarkdownPage.documentation().stream()
      .filter(page -> page.path().equals(PATH))
      .collect(MoreCollectors.onlyElement());

  /** How many pods there were when the controller looked depends on the Job controller. */
  private static final Pattern REQUESTED = Pattern.compile("pods request [4-6] of");

  private final Set<String> filesUsed = new HashSet<>();

  private String file(String name) {
    String firstLine = "# " + name + "\n";
    filesUsed.add(firstLine);
    return PAGE.blocks("yaml").stream()
        .map(Block::code)
        .filter(code -> code.startsWith(firstLine))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the page has no file " + name));
  }

  private static void check(TutorialKubectl kubectl, Command command) {
    String expected = command.printed();
    if (expected.startsWith("Error from server")) {
      String refusal = kubectl.awaitRefusal(command.words(), expected);
      assertThat(refusal).startsWith(beforeCut(expected));
    } else if (expected.contains("   ")) {
      awaitTable(expected, () -> kubectl.run(command.words()));
    } else {
      String printed = kubectl.run(command.words());
      if (!expected.isEmpty()) {
        assertThat(KubectlTable.plain(printed)).isEqualTo(KubectlTable.plain(expected));
      }
    }
  }

  private static String beforeCut(String line) {
    return line.contains("…") ? line.substring(0, line.indexOf('…')) : line;
  }

  /** The controller takes a moment. */
  private static void awaitTable(String expected, Supplier<String> printed) {
    KubectlTable table = KubectlTable.parse(expected);
    ImmutableList<String> explained = PAGE.inlineCode();
    try {
      Await.until(
          "the output of the page",
          () -> KubectlTable.parse(sameNumber(printed.get())).isShownAs(table, explained));
    } catch (AssertionError e) {
      throw new AssertionError("expected\n" + expected + "but was\n" + printed.get(), e);
    }
  }

  private static String sameNumber(String printed) {
    return REQUESTED.matcher(printed).replaceAll("pods request 4 of");
  }

  @Test
  void everyCommandDoesWhatThePageShows() throws Exception {
    ShellSession session = new ShellSession();
    try (TutorialKubectl kubectl = new TutorialKubectl(this::file)) {
      assertThatThrownBy(() -> kubectl.run(List.of("kubectl", "-n", "team", "get", "pods")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("unknown command");
      kubectl.startCluster();
      for (Block block : PAGE.blocks()) {
        if (block.language().equals("sh")) {
          session.script(block.code(), command -> check(kubectl, command));
        } else if (block.language().equals("console")) {
          session.console(block.code(), command -> check(kubectl, command));
        }
      }
    }
    assertThat(filesUsed)
        .containsExactlyInAnyOrderElementsOf(PAGE.blocks("yaml").stream()
            .map(block -> block.code().lines().findFirst().orElseThrow() + "\n")
            .collect(toImmutableList()));
  }

  @Test
  void anotherOutputIsNoticed() {
    KubectlTable table = KubectlTable.parse("""
        NAME               QUEUE   ADMITTED   AGE
        job-first-44d96    jobs    True       2s
        job-second-97b54   jobs               1s
        """);
    assertThat(table.isShownAs(KubectlTable.parse("""
                NAME               QUEUE   ADMITTED   AGE
                job-first-00000    jobs    True       59s
                job-second-11111   jobs               58s
                """), ImmutableList.of())).isTrue();
    assertThat(table.isShownAs(KubectlTable.parse("""
                NAME               QUEUE   ADMITTED   AGE
                …
                job-second-97b54   jobs    True       1s
                """), ImmutableList.of())).isFalse();
    assertThat(table.isShownAs(KubectlTable.parse("""
                NAME              QUEUE   ADMITTED   AGE
                job-first-44d96   jobs    True       2s
                """), ImmutableList.of())).isFalse();
    KubectlTable explained = KubectlTable.parse("NAME   QUEUE\n…\na      …\n");
    assertThat(KubectlTable.parse("NAME   QUEUE\na      jobs\n")
            .isShownAs(explained, ImmutableList.of("jobs")))
        .isTrue();
    assertThat(KubectlTable.parse("NAME   QUEUE\na      other\n")
            .isShownAs(explained, ImmutableList.of("jobs")))
        .isFalse();
  }
}
