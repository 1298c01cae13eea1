package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.docs.MarkdownPage.Block;
import io.kueue4j.examples.docs.ShellSession.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The commands of {@code console} blocks print what stands below them. A line {@code …} stands for
 * any lines, and {@code …} at the end of a line for the rest of it.
 *
 * <p>Commands are kueue4j, programs of one file that stand on the same page, and {@code echo}. They
 * run as if pasted, in order, at the root of the repository. Commands that need a cluster are run
 * by {@link ControllerTutorialTest}.
 */
class ConsoleBlocksTest {
  private static final ImmutableList<String> PROGRAM =
      ImmutableList.of("java", "-cp", "kueue-examples/target/kueue-examples.jar");
  private static final Pattern FILE_NAME = Pattern.compile("[\\w-]+\\.\\w+");
  private static final String CUT = "…";

  /** Receives the files that commands write. */
  @TempDir
  Path folder;

  static ImmutableList<MarkdownPage> pages() {
    return MarkdownPage.documentation().stream()
        .filter(page -> !page.blocks("console").isEmpty())
        .filter(page -> !page.path().equals(ControllerTutorialTest.PATH))
        .collect(toImmutableList());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void printWhatStandsBelowThem(MarkdownPage page) {
    ShellSession session = new ShellSession();
    for (Block block : page.blocks()) {
      if (block.language().equals("sh")) {
        session.script(block.code(), command -> {});
      } else if (block.language().equals("console")) {
        session.console(
            block.code(),
            command -> assertThat(printed(page, session, command))
                .as("%s: %s", block, command.words())
                .matches(expected(command.printed())));
      }
    }
  }

  private static Pattern expected(String printed) {
    return Pattern.compile(printed
        .lines()
        .map(line -> {
          if (line.equals(CUT)) {
            return "(?:.*\n)*";
          }
          return line.endsWith(CUT)
              ? Pattern.quote(line.substring(0, line.length() - CUT.length())) + ".*\n"
              : Pattern.quote(line) + "\n";
        })
        .collect(joining()));
  }

  private String printed(MarkdownPage page, ShellSession session, Command command) {
    ImmutableList<String> words = command.words();
    if (!command.arguments().isEmpty()) {
      CommandLineRun run =
          CommandLineRun.of(command.arguments().stream().map(this::onDisk).toArray());
      assertThat(run.exitCode()).as(run.err()).isLessThan(2);
      session.set("?", String.valueOf(run.exitCode()));
      return asAtTheRoot(run.out());
    }
    if (words.get(0).equals("echo")) {
      return String.join(" ", words.subList(1, words.size())) + "\n";
    }
    if (words.size() == PROGRAM.size() + 1 && words.subList(0, PROGRAM.size()).equals(PROGRAM)) {
      return program(page, words.get(PROGRAM.size()));
    }
    throw new IllegalArgumentException("expected a command of kueue4j, a program of this page"
        + " or echo; put what a test cannot run into a block of sh: " + words);
  }

  /** What an argument names as seen from the folder of this module, if it names a file. */
  private String onDisk(String argument) {
    int value = argument.startsWith("--") ? argument.indexOf('=') + 1 : 0;
    String path = argument.substring(value);
    if (path.isEmpty()) {
      return argument;
    }
    if (Files.exists(MarkdownPage.ROOT.resolve(path))) {
      return argument.substring(0, value) + MarkdownPage.ROOT.resolve(path);
    }
    return FILE_NAME.matcher(path).matches()
        ? argument.substring(0, value) + folder.resolve(path)
        : argument;
  }

  private String asAtTheRoot(String printed) {
    return printed.replace("../", "").replace(folder + "/", "");
  }

  /** What a program prints that a reader has copied from the page into a file. */
  private String program(MarkdownPage page, String file) {
    String type = "class " + file.replace(".java", "") + " ";
    Block source = page.blocks("java").stream()
        .filter(block -> block.code().contains(type))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("the page has no " + type));
    try {
      Path saved = Files.writeString(folder.resolve(file), source.code());
      Process process = new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-cp",
              System.getProperty("java.class.path"),
              saved.toString())
          .redirectErrorStream(true)
          .start();
      String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(printed).isZero();
      return printed;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
