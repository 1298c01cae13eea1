package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.Iterables;
import com.google.common.collect.TreeMultimap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** RULES.md and the lists of rules in the Javadoc of the classes agree. */
class RulesTest {
  private static final Path INDEX = Path.of("RULES.md");
  private static final Path SOURCES = Path.of("src", "main", "java");

  private static final Pattern ID = Pattern.compile("[A-Z]{1,3}(?:-[A-Z])?-\\d+[a-z]?|B\\.\\d+");
  private static final Pattern RANGE = Pattern.compile("\\d\\s*(?:…|\\.\\.|–|to)\\s*[A-Z]{1,3}-");
  private static final Pattern STATEMENT =
      Pattern.compile("Rules:\\s(.*?)(?:\\.\\s|\\*/)", Pattern.DOTALL);
  private static final Pattern CLASS = Pattern.compile("([A-Z]\\w*)(?: \\((.*)\\))?");

  /** Sections about the adapter; their classes are not in this module. */
  private static final Set<String> ADAPTER_SECTIONS = Set.of("19", "22");

  /** The rules by the class that lists them in its Javadoc. */
  private static final TreeMultimap<String, String> LISTED = TreeMultimap.create();

  /** The rules by the class that stands beside them in a table of RULES.md. */
  private static final TreeMultimap<String, String> INDEXED = TreeMultimap.create();

  private static final Set<String> CLASSES = new TreeSet<>();
  private static final List<String> RANGES = new ArrayList<>();

  static {
    try {
      readSources();
      readIndex();
    } catch (IOException e) {
      throw new AssertionError("the tests run in the folder of kueue-core", e);
    }
  }

  private static void readSources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(RulesTest::decides).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        CLASSES.add(name);
        String text = Files.readString(file).replaceAll("\\n\\s*\\* ?", " ");
        STATEMENT.matcher(text).results().map(statement -> statement.group(1)).forEach(rules -> {
          LISTED.putAll(name, ids(rules));
          noteRange(name, rules);
        });
      }
    }
  }

  /** The testkit implements the rules a second time, on purpose, and is not in the index. */
  private static boolean decides(Path file) {
    return file.toString().endsWith(".java") && !Iterables.contains(file, Path.of("testkit"));
  }

  private static void readIndex() throws IOException {
    String section = "";
    boolean listsClasses = false;
    String before = "";
    for (String line : Files.readAllLines(INDEX)) {
      if (line.startsWith("## ")) {
        section = Splitter.on(' ').splitToList(line).get(1);
      } else if (line.startsWith("|") && !before.startsWith("|")) {
        listsClasses = line.startsWith("| id |") && line.endsWith("| where |");
      } else if (line.startsWith("|") && listsClasses && !ADAPTER_SECTIONS.contains(section)) {
        List<String> cells = Splitter.onPattern("(?<!\\\\)\\|").trimResults().splitToList(line);
        readRow(ids(cells.get(1)), cells.get(cells.size() - 2));
      }
      before = line;
    }
  }

  private static void readRow(List<String> rules, String where) {
    noteRange("RULES.md", where);
    for (String part : splitOutsideParentheses(where, ';')) {
      if (!Character.isUpperCase(part.charAt(0))) {
        continue; // A remark, or what the adapter does.
      }
      for (String mention : splitOutsideParentheses(part, ',')) {
        Matcher name = CLASS.matcher(mention);
        assertThat(name.matches())
            .as("\"%s\" beside %s is a class", mention, rules)
            .isTrue();
        String remark = name.group(2) == null ? "" : name.group(2);
        List<String> some = ids(remark).stream().filter(rules::contains).toList();
        INDEXED.putAll(name.group(1), some.isEmpty() ? rules : some);
      }
    }
  }

  private static List<String> splitOutsideParentheses(String text, char separator) {
    return Splitter.onPattern(separator + "(?![^(]*\\))").trimResults().splitToList(text);
  }

  private static List<String> ids(String text) {
    return ID.matcher(text).results().map(MatchResult::group).toList();
  }

  private static void noteRange(String place, String text) {
    if (RANGE.matcher(text).find()) {
      RANGES.add(place + ": " + text);
    }
  }

  @Test
  void bothAreFound() {
    assertThat(LISTED.get("QuotaTree")).contains("Q-3", "Q-4");
    assertThat(INDEXED.get("QuotaTree")).contains("Q-3", "Q-4");
  }

  @Test
  void classesOfTheIndexExist() {
    assertThat(CLASSES).containsAll(INDEXED.keySet());
  }

  @Test
  void everyClassListsTheRulesThatTheIndexGivesIt() {
    INDEXED
        .asMap()
        .forEach((name, rules) -> assertThat(LISTED.get(name))
            .as("rules that %s lists in its Javadoc, as RULES.md says", name)
            .containsAll(rules));
  }

  @Test
  void theIndexNamesEveryClassThatListsARule() {
    LISTED
        .asMap()
        .forEach((name, rules) -> assertThat(INDEXED.get(name))
            .as("rules beside which RULES.md names %s, as its Javadoc says", name)
            .containsAll(rules));
  }

  @Test
  void rulesAreListedOneByOne() {
    assertThat(RANGES).isEmpty();
  }
}
