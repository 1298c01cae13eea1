package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import io.kueue4j.examples.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README prints the snippets that are compiled, and what its commands answer. */
class ReadmeTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern SNIPPET =
      Pattern.compile("^ *// snippet\\n(.*?)^ *// end$", Pattern.DOTALL | Pattern.MULTILINE);

  private static final Pattern COMMAND =
      Pattern.compile("\\A\\$ java -jar \\S+ ((?:.*\\\\\n)*.*)\n");
  private static final String RESOURCES = "kueue-examples/src/main/resources/";
  private static final String MANIFESTS = RESOURCES + "manifests/";
  private static final String CUT = "…\n";

  private static String readme() throws IOException {
    return Files.readString(ROOT.resolve("README.md"));
  }

  private static ImmutableList<String> blocks(String language) throws IOException {
    Pattern fenced = Pattern.compile("```" + language + "\\n(.*?)```", Pattern.DOTALL);
    return fenced
        .matcher(readme())
        .results()
        .map(match -> match.group(1))
        .collect(toImmutableList());
  }

  @Test
  void theJavaIsCompiled() throws IOException {
    Path folder = Path.of("src/main/java/io/kueue4j/examples/docs");
    String source = Files.readString(folder.resolve("Snippets.java"))
        + Files.readString(folder.resolve("JobAdmission.java"));
    ImmutableList<String> compiled = SNIPPET
        .matcher(source)
        .results()
        .map(match -> match.group(1).stripTrailing().stripIndent() + "\n")
        .collect(toImmutableList());

    assertThat(blocks("java")).isNotEmpty().isEqualTo(compiled);
  }

  /** A command with its last line broken or not, then what it prints, or the end of that. */
  @Test
  void theCommandsOfTheReadmeAnswerAsPrinted(@TempDir Path folder) throws IOException {
    assertThat(blocks("console")).hasSize(8).allSatisfy(block -> {
      Matcher command = COMMAND.matcher(block);
      assertThat(command.find()).isTrue();
      Object[] arguments = Pattern.compile("\\s+")
          .splitAsStream(command.group(1).replace("\\\n", " ").trim())
          .map(word -> word.replace("$TUTORIAL", MANIFESTS + "001-tpu-multislice-jobset"))
          .map(word -> word.replace("$GPU", MANIFESTS + "004-gpu-operator-binpack"))
          .map(word -> word.replace("$TPU", RESOURCES + "tpu"))
          .map(word -> word.endsWith(".svg") ? folder.resolve(word).toString() : word)
          .map(word -> word.endsWith(".yaml") ? ROOT.resolve(word).toString() : word)
          .toArray();
      String printed = block.substring(command.end());

      CommandLineRun run = CommandLineRun.of(arguments);

      assertThat(run.exitCode()).isZero();
      String out = run.out().replace("../", "");
      if (printed.startsWith(CUT)) {
        assertThat(out).endsWith(printed.substring(CUT.length()));
      } else {
        assertThat(out).isEqualTo(printed);
      }
    });
  }

  @Test
  void theCommandOfTheTutorialWorksAsPrinted() throws IOException {
    String block = blocks("sh").stream()
        .filter(each -> each.contains(" admit "))
        .findFirst()
        .orElseThrow();
    Object[] arguments = ImmutableList.copyOf(block
            .substring(block.indexOf(" admit "))
            .replace("\\\n", " ")
            .trim()
            .split("\\s+"))
        .stream()
        .map(word -> word.endsWith(".yaml") ? ROOT.resolve(word).toString() : word)
        .toArray();

    CommandLineRun run = CommandLineRun.of(arguments);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("PHASE 2").contains("google.com/tpu 24/24");
  }

  @Test
  void theTestCommandIsTheOneThatIsRunBeforeEveryLanding() throws IOException {
    assertThat(blocks("sh")).anyMatch(block -> block.equals("mvn -B -ntp verify\n"));
    assertThat(Files.readString(ROOT.resolve(".ci/run"))).contains("-B -ntp").contains("verify");
  }
}
