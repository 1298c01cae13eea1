package io.kueue4j.k8s.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

@KueueTest("queues.yaml")
class KueueExtensionTest {
  private KueueCluster before;

  @BeforeEach
  void start(KueueCluster kueue) {
    before = kueue;
  }

  @Test
  void allMethodsOfATestShareACluster(KueueCluster kueue, KubernetesClient client) {
    assertThat(kueue).isSameAs(before);
    assertThat(client).isSameAs(kueue.client());
    assertThat(localQueues(client)).isEqualTo(1);
  }

  @Nested
  class InAnotherClass {
    @Test
    void manifestsAreThoseOfTheClassAroundIt(KubernetesClient client) {
      assertThat(localQueues(client)).isEqualTo(1);
    }
  }

  /** JUnit runs it as a class of its own. */
  static class InTheSameFile {
    void test(KueueCluster unused) {}
  }

  private static <T> T proxy(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }

  @Test
  @SuppressWarnings("unchecked") // the extension stores what a function returns
  void aStaticClassHasNoManifestsOfTheClassAroundIt() throws Exception {
    Method test = InTheSameFile.class.getDeclaredMethod("test", KueueCluster.class);
    ExtensionContext.Store store = proxy(
        ExtensionContext.Store.class,
        (self, called, arguments) -> ((Function<Object, ?>) arguments[1]).apply(arguments[0]));
    ExtensionContext context =
        proxy(ExtensionContext.class, (self, called, arguments) -> switch (called.getName()) {
          case "getElement" -> Optional.of(test);
          case "getStore" -> store;
          default -> InTheSameFile.class;
        });
    ParameterContext parameter =
        proxy(ParameterContext.class, (self, called, arguments) -> test.getParameters()[0]);
    try (KueueCluster cluster =
        (KueueCluster) new KueueExtension().resolveParameter(parameter, context)) {
      assertThat(localQueues(cluster.client())).isEqualTo(0);
    }
  }

  @Test
  @KueueTest
  void aMethodMayHaveOtherManifests(KubernetesClient client) {
    assertThat(localQueues(client)).isEqualTo(0);
  }

  private static int localQueues(KubernetesClient client) {
    return client
        .genericKubernetesResources("kueue.x-k8s.io/v1beta2", "LocalQueue")
        .list()
        .getItems()
        .size();
  }
}
