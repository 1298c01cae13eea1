package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How text is written: it names things instead of pointing back at them, since a chain of pronouns
 * has to be read twice; a tag that begins a description stands at its begin; a sentence of the
 * documentation is short; the name of a test says condition and result shortly.
 */
class EnglishTest {
  /** Spelled in parts, so that this file has none. */
  private static final Pattern CHAIN = Pattern.compile("\\b(?:th(?:ose|at) of|in questio[n])\\b");

  private static final Pattern LATE_RETURN =
      Pattern.compile("^\\s*(?:/\\*\\*|\\*)\\s*[^\\s*{].*\\{@return\\s");

  /** A longer name of a test, whose longer description is the text of {@code @DisplayName}. */
  private static final Pattern LONG_TEST = Pattern.compile("^ +(?:public )?void \\w{56,}\\(");

  private static final Pattern WORD = Pattern.compile("[\\p{Alnum}`_./'-]+");
  private static final int MAX_WORDS = 25;

  private static ImmutableList<Path> files() throws IOException {
    try (Stream<Path> modules = Files.list(MarkdownPage.ROOT)) {
      return modules
          .filter(path -> !path.getFileName().toString().startsWith("."))
          .flatMap(EnglishTest::below)
          .collect(toImmutableList());
    }
  }

  private static Stream<Path> below(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(path -> path.toString().matches(".*\\.(?:java|md|yaml|sh)"))
          .filter(path -> !path.toString().contains("/target/"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new AssertionError(root.toString(), e);
    }
  }

  private static ImmutableList<String> lines(Predicate<String> matching) throws IOException {
    ImmutableList.Builder<String> found = ImmutableList.builder();
    for (Path file : files()) {
      Streams.mapWithIndex(
              Files.readAllLines(file).stream(),
              (line, index) -> matching.test(line) ? file + ":" + (index + 1) + ": " + line : "")
          .filter(line -> !line.isEmpty())
          .forEach(found::add);
    }
    return found.build();
  }

  @Test
  void noTextHasAChainOfPronouns() throws IOException {
    assertThat(files()).hasSizeGreaterThan(1000);
    assertThat("as " + "those" + " of a queue").containsPattern(CHAIN);
    assertThat("the job in " + "question").containsPattern(CHAIN);
    assertThat("a group that offers").doesNotContainPattern(CHAIN);
    assertThat(lines(CHAIN.asPredicate())).isEmpty();
  }

  @Test
  void noDescriptionReturnsInTheMiddle() throws IOException {
    assertThat(" * Or {@" + "return a value}").containsPattern(LATE_RETURN);
    assertThat(lines(LATE_RETURN.asPredicate())).isEmpty();
  }

  private static Stream<String> longSentences(MarkdownPage page) {
    return page.sentences().stream()
        .filter(sentence -> WORD.matcher(sentence).results().count() > MAX_WORDS)
        .map(sentence -> page.path() + ": " + sentence);
  }

  @Test
  void sentencesOfTheDocumentationAreShort() {
    ImmutableList<MarkdownPage> pages = MarkdownPage.documentation();
    assertThat(pages).hasSizeGreaterThan(25).allMatch(page -> page.sentences().size() > 10);
    assertThat(longSentences(new MarkdownPage("25", "word ".repeat(25)))).isEmpty();
    assertThat(longSentences(new MarkdownPage("26", "word ".repeat(26)))).hasSize(1);
    assertThat(pages.stream().flatMap(EnglishTest::longSentences)).isEmpty();
  }

  @Test
  void namesOfTestsAreShort() throws IOException {
    assertThat("  void " + "a".repeat(56) + "() {").containsPattern(LONG_TEST);
    assertThat("  void " + "a".repeat(55) + "() {").doesNotContainPattern(LONG_TEST);
    assertThat(lines(LONG_TEST.asPredicate())).isEmpty();
  }
}
