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
 * The style of the project's value types: generated classes are hidden, callers see the abstract
 * type and its builder. Usually that is an empty class that extends the generated builder, so that
 * the builders of all types have the same methods; Javadoc lists the methods as methods of the
 * public class. A builder is written by hand where a generated name would mislead, as for amounts.
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
    builderVisibility = Value.Style.BuilderVisibility.PACKAGE,
    overshadowImplementation = true,
    allowedClasspathAnnotations = {
      CanIgnoreReturnValue.class,
      CheckReturnValue.class,
      Immutable.class,
      Var.class
    },
    defaults = @Value.Immutable(copy = false))
public @interface ValueStyle {}
