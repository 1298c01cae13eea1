package io.kueue4j.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableMap;
import io.kueue4j.core.decision.EngineListener;
import io.kueue4j.core.model.Admission;
import io.kueue4j.core.model.ClusterQueue;
import io.kueue4j.core.model.EvictionReason;
import io.kueue4j.core.model.Workload;
import io.kueue4j.core.model.WorkloadId;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each call of the facade says which of its arguments is null. */
class NullArgumentsTest {
  private static final Cluster CLUSTER = new Cluster();

  /** Values for the arguments before the null argument. */
  private static final Map<Class<?>, Object> VALUES = ImmutableMap.<Class<?>, Object>builder()
      .put(String.class, "name")
      .put(Class.class, ClusterQueue.class)
      .put(Iterable.class, List.of())
      .put(Optional.class, Optional.empty())
      .put(int.class, 1)
      .put(boolean.class, true)
      .put(WorkloadId.class, Cluster.id("job"))
      .put(Workload.class, CLUSTER.job("job", "q", 1))
      .put(Admission.class, Admissions.admission("job", "q", Cluster.FLAVOR, 1))
      .put(EvictionReason.class, EvictionReason.NODE_FAILURES)
      .put(EngineListener.class, new EngineListener() {})
      .buildOrThrow();

  static Stream<Arguments> arguments() {
    return Stream.of(
            AdmissionEngine.builder(),
            CLUSTER.engine,
            CLUSTER.engine.lifecycle(),
            CLUSTER.engine.view())
        .flatMap(facade -> Arrays.stream(facade.getClass().getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()))
            .flatMap(method -> IntStream.range(0, method.getParameterCount())
                .filter(i -> !method.getParameterTypes()[i].isPrimitive())
                .mapToObj(i -> Arguments.of(facade, method, i))));
  }

  @ParameterizedTest
  @MethodSource("arguments")
  void anArgumentThatIsNullIsNamed(Object facade, Method method, int index) {
    Object[] values = new Object[method.getParameterCount()];
    for (int i = 0; i < values.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      values[i] = i < index || type.isPrimitive() ? VALUES.get(type) : null;
    }

    assertThatThrownBy(() -> method.invoke(facade, values))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOf(NullPointerException.class)
        .hasMessage(method.getName() + ": " + method.getParameters()[index].getName() + " is null");
  }
}
