package io.kueue4j.core.internal.support;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import com.google.errorprone.annotations.Immutable;
import com.google.errorprone.annotations.Var;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.immutables.value.Value;

/**
 * The style of the project's value types: the generated class is hidden, callers see the abstract
 * type and its hand-written builder only.
 *
 * <p>Types use {@code @Value.Immutable} without members, and generated classes carry no annotation
 * of Immutables ({@code allowedClasspathAnnotations}): the compiler of a user, who does not have
 * Immutables, would warn about each member that it cannot find. {@link SingletonStyle} takes the
 * place of {@code @Value.Immutable(singleton = true)}.
 */
@Target({ElementType.PACKAGE, ElementType.TYPE})
@Retention(RetentionPolicy.SOURCE)
@Value.Style(
    jdkOnly = false,
    visibility = Value.Style.ImplementationVisibility.PACKAGE,
    overshadowImplementation = true,
    allowedClasspathAnnotations = {
      CanIgnoreReturnValue.class,
      CheckReturnValue.class,
      Immutable.class,
      Var.class
    },
    defaults = @Value.Immutable(copy = false))
public @interface ValueStyle {}
