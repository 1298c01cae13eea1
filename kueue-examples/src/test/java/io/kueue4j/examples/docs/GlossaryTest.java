package io.kueue4j.examples.docs;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The glossary of docs/internals.md has one word for a thing, and classes of the core use it. */
class GlossaryTest {
  private static final Splitter CELLS = Splitter.on('|').trimResults();
  private static final Splitter WORDS = Splitter.on(',').trimResults().omitEmptyStrings();

  private static List<List<String>> rows() throws IOException {
    String page = Files.readString(MarkdownPage.ROOT.resolve("docs/internals.md"));
    return page.substring(page.indexOf("## Glossary"))
        .lines()
        .filter(line -> line.startsWith("| "))
        .skip(1)
        .map(CELLS::splitToList)
        .toList();
  }

  @Test
  void eachWordHasOneMeaning() throws IOException {
    assertThat(rows()).hasSizeGreaterThanOrEqualTo(40);
    assertThat(rows().stream().map(row -> row.get(1))).doesNotHaveDuplicates().isSorted();
    assertThat(rows().stream().map(row -> row.get(2))).doesNotHaveDuplicates().doesNotContain("");
  }

  @Test
  void noClassOfTheCoreUsesAnotherWord() throws IOException {
    ImmutableSet<String> others =
        rows().stream().flatMap(row -> WORDS.splitToStream(row.get(3))).collect(toImmutableSet());
    ImmutableSet<String> used = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.kueue4j.core")
            .stream()
            .filter(type -> !type.getPackageName().contains(".testkit"))
            .map(JavaClass::getSimpleName)
            .flatMap(name -> Arrays.stream(name.split("(?=\\p{Upper})", -1)))
            .collect(toImmutableSet());

    assertThat(others).hasSizeGreaterThan(20);
    assertThat(used).contains("Journal", "Shape");
    assertThat(Sets.intersection(others, used)).isEmpty();
  }
}
