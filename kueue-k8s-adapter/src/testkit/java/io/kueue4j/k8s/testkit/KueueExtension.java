package io.kueue4j.k8s.testkit;

import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * An extension of JUnit 5 that gives each test a {@link KueueCluster} of its own, and closes it
 * after the test. Parameters of test and lifecycle methods may be the cluster or its
 * {@link KubernetesClient}.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final KueueExtension KUEUE = KueueExtension.of(
 *     kueue -> kueue.settings(settings).timeout(Duration.ofSeconds(30)));
 * }</pre>
 *
 * <p>{@link KueueTest} is the short form for the default settings.
 *
 * @since 0.1.0
 */
public final class KueueExtension implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(KueueExtension.class);

  private final Consumer<? super KueueCluster.Builder> settings;

  /** Creates an extension with the default settings of {@link KueueCluster.Builder}. */
  public KueueExtension() {
    this(builder -> {});
  }

  private KueueExtension(Consumer<? super KueueCluster.Builder> settings) {
    this.settings = settings;
  }

  /**
   * {@return an extension with other settings}
   *
   * @param settings sets them, for each test
   */
  public static KueueExtension of(Consumer<? super KueueCluster.Builder> settings) {
    return new KueueExtension(settings);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    // A constructor has the context of its class, so that all tests would share the cluster.
    return parameter.getDeclaringExecutable() instanceof Method
        && context.getTestMethod().isPresent()
        && (type == KueueCluster.class || type == KubernetesClient.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    KueueCluster cluster = context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(KueueCluster.class, key -> start(context), KueueCluster.class);
    return parameter.getParameter().getType() == KueueCluster.class ? cluster : cluster.client();
  }

  private KueueCluster start(ExtensionContext context) {
    KueueCluster.Builder builder = KueueCluster.builder();
    settings.accept(builder);
    manifests(context).forEach(builder::manifests);
    return builder.start();
  }

  private static ImmutableList<String> manifests(ExtensionContext context) {
    Class<?> test = context.getRequiredTestClass();
    Stream<AnnotatedElement> elements = Stream.concat(
        context.getElement().stream(),
        Stream.<Class<?>>iterate(test, Objects::nonNull, KueueExtension::around));
    return elements
        .flatMap(element -> AnnotationSupport.findAnnotation(element, KueueTest.class).stream())
        .limit(1)
        .map(KueueTest::value)
        .flatMap(names -> ImmutableList.copyOf(names).stream())
        .map(name -> read(test, name))
        .collect(ImmutableList.toImmutableList());
  }

  /**
   * {@return the class whose manifests a nested test class has, too} A static class is nested in
   * the text only.
   */
  private static @Nullable Class<?> around(Class<?> test) {
    return Modifier.isStatic(test.getModifiers()) ? null : test.getEnclosingClass();
  }

  private static String read(Class<?> test, String name) {
    URL resource = test.getResource(name);
    if (resource == null) {
      throw new IllegalArgumentException("@KueueTest of " + test.getName() + " names \"" + name
          + "\"; expected a resource beside the class");
    }
    try {
      return Resources.toString(resource, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    KueueCluster cluster =
        context.getStore(NAMESPACE).remove(KueueCluster.class, KueueCluster.class);
    if (cluster != null) {
      cluster.close();
    }
  }
}
