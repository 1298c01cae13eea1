package io.kueue4j.k8s.testkit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a Kueue of its own: the parameters of its test and lifecycle methods
 * may be a {@link KueueCluster}, or a {@link io.fabric8.kubernetes.client.KubernetesClient} of it.
 *
 * <pre>{@code
 * @KueueTest("queues.yaml")
 * class MyOperatorTest {
 *   @Test
 *   void startsWhatFits(KueueCluster kueue) { … }
 * }
 * }</pre>
 *
 * <p>{@link KueueExtension#of} has more settings.
 *
 * @since 0.1.0
 */
@Documented
@Inherited
@ExtendWith(KueueExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface KueueTest {
  /**
   * {@return resources with manifests that exist before each test, such as queues, by their names
   * relative to the package of the test class; none by default}
   */
  String[] value() default {};
}
