package io.kueue4j.k8s.internal.yaml;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads a quantity from text or a number without conversion to a number type. */
final class QuantityDeserializer extends StdScalarDeserializer<Quantity> {
  private static final long serialVersionUID = 1L;

  QuantityDeserializer() {
    super(Quantity.class);
  }

  @Override
  public @Nullable Quantity deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    boolean isQuantity = switch (parser.currentToken()) {
      case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> true;
      default -> false;
    };
    if (!isQuantity) {
      return (Quantity) context.handleUnexpectedToken(Quantity.class, parser);
    }
    String text = parser.getText();
    Optional<String> problem = Fields.quantityProblem(text);
    if (problem.isPresent()) {
      return (Quantity) context.handleWeirdStringValue(Quantity.class, text, "%s", problem.get());
    }
    return new Quantity(text);
  }
}
