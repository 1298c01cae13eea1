package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.kueue4j.examples.CommandLineRun;
import io.kueue4j.examples.docs.MarkdownPage.Block;
import io.kueue4j.examples.docs.ShellSession.Command;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.xml.sax.InputSource;

/**
 * Every block of code of the documentation is of a language of which blocks are checked:
 * {@code console} by {@link ConsoleBlocksTest}, {@code java} by {@link JavaBlocksTest}, the others
 * here.
 */
class BlocksTest {
  private static final ImmutableSet<String> CHECKED =
      ImmutableSet.of("console", "java", "sh", "xml", "kotlin", "yaml", "json");
  private static final Pattern PROJECT_VERSION =
      Pattern.compile("<artifactId>kueue-parent</artifactId>\\s*<version>([^<]+)</version>");
  private static final Pattern COORDINATES = Pattern.compile(
      "io\\.kueue4j:[\\w-]+:([^:\"'`)\\s]+)"
          + "|<groupId>io\\.kueue4j</groupId>\\s*<artifactId>[\\w-]+</artifactId>\\s*<version>([^<]+)<");
  private static final Pattern RUN =
      Pattern.compile("^(?:\\$ )?(?:java -(?:jar|cp)|kueue4j) ", Pattern.MULTILINE);
  private static final Pattern PROFILE = Pattern.compile("-P([\\w-]+)");

  static ImmutableList<MarkdownPage> pages() {
    return MarkdownPage.documentation();
  }

  private static ImmutableList<Block> blocks(String language) {
    return pages().stream()
        .flatMap(page -> page.blocks(language).stream())
        .collect(toImmutableList());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void areOfALanguageThatIsChecked(MarkdownPage page) {
    assertThat(page.blocks()).allSatisfy(block -> assertThat(block.language()).isIn(CHECKED));
    assertThat(
            page.text().lines().filter(line -> line.strip().startsWith("```")).count())
        .as("fences")
        .isEqualTo(2L * page.blocks().size());
  }

  @Test
  void dataIsWellFormed() throws Exception {
    for (Block block : blocks("xml")) {
      assertThat(DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new InputSource(new StringReader(block.code())))
              .getDocumentElement())
          .isNotNull();
    }
    for (Block block : blocks("json")) {
      assertThat(new ObjectMapper().readTree(block.code())).as("%s", block).isNotNull();
    }
    for (Block block : blocks("yaml")) {
      Load load = new Load(LoadSettings.builder().setLabel(block.toString()).build());
      assertThat(ImmutableList.copyOf(load.loadAllFromString(block.code())))
          .as("%s", block)
          .isNotEmpty();
    }
  }

  /** The tests of the samples compare them with what the samples answer. */
  @Test
  void answersOfSamplesStandInTheirTests() throws IOException {
    String test =
        Files.readString(Path.of("src/it/spring-boot/src/test/java/sample/BatchServiceTest.java"));

    assertThat(blocks("json"))
        .filteredOn(block -> block.path().equals("docs/integrations.md"))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(test).contains(block.code().indent(8)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void dependenciesAreOfTheVersionOfThisProject(MarkdownPage page) throws IOException {
    Matcher version =
        PROJECT_VERSION.matcher(Files.readString(MarkdownPage.ROOT.resolve("pom.xml")));
    assertThat(version.find()).isTrue();

    assertThat(COORDINATES.matcher(page.text()).results())
        .allSatisfy(match -> assertThat(match.group(1) != null ? match.group(1) : match.group(2))
            .isEqualTo(version.group(1)));
  }

  /** Commands that take long or need a cluster: their options, profiles and files exist. */
  @ParameterizedTest
  @MethodSource("pages")
  void commandsOfScriptsExist(MarkdownPage page) {
    ShellSession session = new ShellSession();
    for (Block block : page.blocks()) {
      if (block.language().equals("sh")) {
        session.script(block.code(), command -> check(block, command));
      } else if (block.language().equals("console")) {
        session.set("?", "0");
        session.console(block.code(), command -> {});
      }
    }
  }

  private static void check(Block block, Command command) {
    assertThat(command.words().stream()
            .filter(word -> word.startsWith("kueue-") && word.contains("/src/"))
            .map(word -> word.contains("*") ? word.substring(0, word.lastIndexOf('/')) : word))
        .allSatisfy(path -> assertThat(MarkdownPage.ROOT.resolve(path)).exists());
    if (command.words().get(0).equals("mvn")) {
      assertThat(profilesOf(command)).as("%s", block).isSubsetOf(profiles());
    }
    if (!command.arguments().isEmpty()) {
      String usage = usage(command.arguments());
      assertThat(command.arguments())
          .filteredOn(argument -> argument.startsWith("-") && argument.length() > 1)
          .allSatisfy(option -> assertThat(usage).as("%s", block).contains(name(option)));
    }
  }

  private static String name(String option) {
    return option.contains("=") ? option.substring(0, option.indexOf('=')) : option;
  }

  private static String usage(List<String> arguments) {
    CommandLineRun help = CommandLineRun.of(arguments.get(0), "--help");
    assertThat(help.exitCode()).as("%s", arguments).isZero();
    return help.out().contains("\nCommands:")
        ? CommandLineRun.of(arguments.get(0), arguments.get(1), "--help").out()
        : help.out();
  }

  private static ImmutableSet<String> profilesOf(Command command) {
    return command.words().stream()
        .map(PROFILE::matcher)
        .filter(Matcher::matches)
        .map(match -> match.group(1))
        .collect(toImmutableSet());
  }

  private static ImmutableSet<String> profiles() {
    return Stream.of("pom.xml", "kueue-core/pom.xml", "kueue-examples/pom.xml")
        .map(MarkdownPage.ROOT::resolve)
        .flatMap(pom -> {
          try {
            return Pattern.compile("<profile>(?:\\s|<!--.*?-->)*<id>([^<]+)</id>", Pattern.DOTALL)
                .matcher(Files.readString(pom))
                .results();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        })
        .map(match -> match.group(1))
        .collect(toImmutableSet());
  }

  @Test
  void theTestCommandIsTheOneThatIsRunBeforeEveryLanding() throws IOException {
    assertThat(blocks("sh")).anySatisfy(block -> {
      assertThat(block.path()).isEqualTo("README.md");
      assertThat(block.code()).isEqualTo("mvn -B -ntp verify\n");
    });
    assertThat(Files.readString(MarkdownPage.ROOT.resolve(".ci/run")))
        .contains("-B -ntp")
        .contains("verify");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void nothingIsRunBeforeItIsBuilt(MarkdownPage page) {
    assertThat(page.blocks().stream().filter(block -> RUN.matcher(block.code()).find()))
        .allSatisfy(block -> assertThat(page.text().lines().limit(block.line()))
            .anyMatch(line -> line.contains("mvn -B -ntp package -Dquick")));
  }

  /** What is longer belongs on a page of its own. */
  @Test
  void theReadmeStaysShort() throws IOException {
    assertThat(Files.size(MarkdownPage.ROOT.resolve("README.md"))).isLessThan(10_500);
  }
}
