package io.kueue4j.k8s.job;

import com.google.common.base.Ascii;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Doubles;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The requests of the pods that Spark will create for a driver or an executor, as Spark computes
 * them from the fields of the application and its properties: fields win over {@code sparkConf}.
 * Rules: J-14.
 */
final class SparkRequests {
  private static final RawPath PROPERTIES = RawPath.of("spec.sparkConf");
  private static final RawPath FACTOR = RawPath.of("spec.memoryOverheadFactor");
  private static final RawPath TYPE = RawPath.of("spec.type");
  private static final Pattern MEMORY = Pattern.compile("(\\d{1,19})([a-z]*)");
  private static final int MEBI = 20;
  private static final ImmutableMap<String, Integer> UNITS = ImmutableMap.<String, Integer>builder()
      .put("b", 0)
      .put("k", 10)
      .put("kb", 10)
      .put("m", MEBI)
      .put("mb", MEBI)
      .put("g", 30)
      .put("gb", 30)
      .put("t", 40)
      .put("tb", 40)
      .put("p", 50)
      .put("pb", 50)
      .build();
  private static final BigInteger DEFAULT_MEMORY = BigInteger.valueOf(1024);
  private static final BigInteger MIN_OVERHEAD = BigInteger.valueOf(384);
  private static final double JVM_FACTOR = 0.1;
  private static final double OTHER_FACTOR = 0.4;

  private final JobFields fields;
  private final String role;
  private final RawPath path;
  private final String type;

  /**
   * Creates a reader.
   *
   * @param role {@code driver} or {@code executor}
   */
  SparkRequests(JobFields fields, String role) {
    this.fields = fields;
    this.role = role;
    path = RawPath.of("spec." + role);
    type = fields.text(TYPE).orElse("");
  }

  /** {@return cpu and memory; an amount of invalid form is a problem, and absent} */
  Map<String, Quantity> read() {
    Map<String, Quantity> requests = new LinkedHashMap<>();
    cores().ifPresent(cores -> requests.put("cpu", new Quantity(cores)));
    BigInteger mebibytes = memory();
    if (mebibytes.shiftLeft(MEBI).bitLength() < Long.SIZE) {
      requests.put("memory", new Quantity(mebibytes + "Mi"));
    } else {
      fields.problem(path.field("memory"), mebibytes + "Mi in all; expected less than 8Ei");
    }
    return requests;
  }

  private Optional<String> cores() {
    Optional<Setting> request =
        setting("coreRequest", "spark.kubernetes." + role + ".request.cores");
    if (request.isPresent()) {
      return request.get().text(io.kueue4j.core.resource.Quantity::parse);
    }
    RawPath cores = path.field("cores");
    if (fields.isWritten(cores)) {
      return Optional.of(String.valueOf(fields.count(cores).orElse(1)));
    }
    Optional<Setting> property = property("spark." + role + ".cores");
    return property.isPresent() ? property.get().text(Integer::valueOf) : Optional.of("1");
  }

  /** {@return the memory in Mi} */
  private BigInteger memory() {
    BigInteger memory = setting("memory", "spark." + role + ".memory")
        .map(setting -> setting.memory(MEBI))
        .orElse(DEFAULT_MEMORY);
    BigInteger whole = memory.add(setting("memoryOverhead", "spark." + role + ".memoryOverhead")
        .map(setting -> setting.memory(MEBI))
        .orElseGet(() -> defaultOverhead(memory)));
    return role.equals("executor") ? whole.add(furtherMemory()) : whole;
  }

  private BigInteger defaultOverhead(BigInteger memory) {
    double factor = property("spark." + role + ".memoryOverheadFactor")
        .or(() -> property("spark.kubernetes.memoryOverheadFactor"))
        .or(() -> fields
            .text(FACTOR)
            .filter(text -> !text.isEmpty())
            .map(text -> new Setting(FACTOR, text)))
        .map(Setting::factor)
        .orElse(type.equals("Python") || type.equals("R") ? OTHER_FACTOR : JVM_FACTOR);
    // Spark computes with floating-point numbers, and cuts the result.
    return BigInteger.valueOf((long) (factor * memory.doubleValue())).max(MIN_OVERHEAD);
  }

  /** {@return the memory that executors use outside of the heap of Java, in Mi} */
  private BigInteger furtherMemory() {
    BigInteger python = type.equals("Python")
        ? property("spark.executor.pyspark.memory")
            .map(setting -> setting.memory(MEBI))
            .orElse(BigInteger.ZERO)
        : BigInteger.ZERO;
    boolean offHeap = property("spark.memory.offHeap.enabled")
        .filter(setting -> Ascii.equalsIgnoreCase(setting.text(), "true"))
        .isPresent();
    return offHeap
        ? python.add(property("spark.memory.offHeap.size")
            .map(setting -> setting.memory(0))
            .orElse(BigInteger.ZERO))
        : python;
  }

  private Optional<Setting> setting(String field, String property) {
    RawPath at = path.field(field);
    return fields.text(at).map(text -> new Setting(at, text)).or(() -> property(property));
  }

  private Optional<Setting> property(String name) {
    RawPath at = PROPERTIES.field(name);
    return fields.text(at).map(text -> new Setting(at, text));
  }

  /** A text at a place of the application. */
  private final class Setting {
    private final RawPath place;
    private final String text;

    Setting(RawPath place, String text) {
      this.place = place;
      this.text = text;
    }

    String text() {
      return text;
    }

    /** {@return the text, empty if {@code check} fails} */
    Optional<String> text(Function<String, ?> check) {
      try {
        Object unused = check.apply(text);
        return Optional.of(text);
      } catch (IllegalArgumentException e) {
        fields.problem(place, String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }

    /**
     * {@return Java's notation of memory in Mi, rounded down}
     *
     * @param unit the power of 2 of a number without a unit
     */
    BigInteger memory(int unit) {
      Matcher matcher = MEMORY.matcher(Ascii.toLowerCase(text.strip()));
      if (matcher.matches()) {
        Integer exponent =
            matcher.group(2).isEmpty() ? (Integer) unit : UNITS.get(matcher.group(2));
        if (exponent != null) {
          return new BigInteger(matcher.group(1)).shiftLeft(exponent).shiftRight(MEBI);
        }
      }
      fields.problem(place, "\"" + text + "\"; expected an amount of memory such as 512m or 2g");
      return BigInteger.ZERO;
    }

    double factor() {
      Double factor = Doubles.tryParse(text);
      if (factor != null && factor >= 0) {
        return factor;
      }
      fields.problem(place, "\"" + text + "\"; expected a number of at least 0");
      return 0;
    }
  }
}
