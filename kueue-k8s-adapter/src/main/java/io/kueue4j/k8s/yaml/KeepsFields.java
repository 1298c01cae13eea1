package io.kueue4j.k8s.yaml;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names fields that a class knows without looking at them: it keeps them among its additional
 * properties.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface KeepsFields {
  /** {@return the names} */
  String[] value();
}
