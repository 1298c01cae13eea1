package io.kueue4j.core.fault;

import io.kueue4j.core.internal.support.UserCode;
import io.kueue4j.core.internal.versioned.Journal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Loads the engine, and the tests that call it, with a {@link FaultPoints#pass} at the beginning of
 * each method of the engine. So any step can be made to fail, and the engine itself needs no hook.
 * Classes that draw random values are shared with the test, so that it can create the values.
 *
 * <p>Left out are:
 *
 * <ul>
 *   <li>methods that only read or write fields, which cannot fail;
 *   <li>the extent of elementary changes, which are the methods that add to the {@link Journal}:
 *       they change something and say how to take that back, in one step;
 *   <li>what takes changes back, and what ends a call ({@code rollback}, {@code close} and the
 *       like);
 *   <li>assertion mode, which checks the engine after each call;
 *   <li>calls of user code whose failures have no effect ({@link UserCode}), and initializers of
 *       classes.
 * </ul>
 */
public final class FaultLoader extends ClassLoader {
  private static final String ROOT = "io.kueue4j.core.";
  private static final String JOURNAL = Journal.class.getName().replace('.', '/');

  /** Classes that only make elementary changes. */
  private static final String VERSIONED = "io/kueue4j/core/internal/versioned/";

  private static final String ELEMENTARY = UserCode.class.getName().replace('.', '/');

  /** What takes trial changes back. */
  private static final Set<String> UNDOING = Set.of(
      "checkpoint", "rollback", "rewind", "restore", "close", "done", "failed", "afterwards");

  /** Instructions that cannot fail. */
  private static final BitSet HARMLESS = new BitSet();

  static {
    HARMLESS.set(Opcodes.NOP, Opcodes.DCONST_1 + 1);
    HARMLESS.set(Opcodes.POP, Opcodes.LMUL + 2);
    HARMLESS.set(Opcodes.INEG, Opcodes.DCMPG + 1);
    HARMLESS.set(Opcodes.IRETURN, Opcodes.RETURN + 1);
  }

  private static final String FAULT_POINTS = FaultPoints.class.getName().replace('.', '/');

  /** Creates a loader that takes class files from where this class came from. */
  public FaultLoader() {
    super(FaultLoader.class.getClassLoader());
  }

  /** Initializes all classes of the engine, which do not fail while they are initialized. */
  public void initializeAll() {
    try {
      Path classes = Path.of(ClassLoader.getSystemResource("io/kueue4j/core/AdmissionEngine.class")
              .toURI())
          .getParent();
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
          String name = ROOT
              + classes.relativize(file).toString().replace('/', '.').replaceAll("[.]class$", "");
          if (!name.contains("testkit") && !name.endsWith("package-info")) {
            Class.forName(name, true, this);
          }
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(ROOT)
        || name.startsWith(ROOT + "fault.")
        || name.startsWith(ROOT + "testkit.jqwik.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? define(name) : known;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String file = name.replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      boolean ofEngine = !getParent().getResource(file).getPath().contains("test-classes")
          && !name.startsWith(ROOT + "testkit.")
          && !name.startsWith(ROOT + "internal.assertion.");
      byte[] loaded = ofEngine ? withFaultPoints(bytes) : bytes;
      return defineClass(name, loaded, 0, loaded.length);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static byte[] withFaultPoints(byte[] bytes) {
    ClassReader reader = new ClassReader(bytes);
    Set<String> plain = new HashSet<>();
    Set<String> elementary = new HashSet<>();
    reader.accept(new Survey(reader.getClassName(), plain, elementary), ClassReader.SKIP_DEBUG);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    reader.accept(new EveryMethod(writer, reader.getClassName(), plain, elementary), 0);
    return writer.toByteArray();
  }

  /** Finds the methods that cannot fail, and those that make an elementary change. */
  private static final class Survey extends ClassVisitor {
    private final String type;
    private final Set<String> plain;
    private final Set<String> elementary;

    Survey(String type, Set<String> plain, Set<String> elementary) {
      super(Opcodes.ASM9);
      this.type = type;
      this.plain = plain;
      this.elementary = elementary;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      String method = name + descriptor;
      plain.add(method);
      if (type.startsWith(VERSIONED) || ELEMENTARY.equals(type) || UNDOING.contains(name)) {
        elementary.add(method);
      }
      return new MethodVisitor(Opcodes.ASM9) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String called, String of, boolean isInterface) {
          plain.remove(method);
          if (owner.equals(JOURNAL) && called.equals("add")) {
            elementary.add(method);
          }
        }

        @Override
        public void visitInvokeDynamicInsn(
            String called, String of, Handle handle, Object... more) {
          plain.remove(method);
        }

        @Override
        public void visitInsn(int opcode) {
          if (!HARMLESS.get(opcode)) {
            plain.remove(method);
          }
        }

        @Override
        public void visitTypeInsn(int opcode, String of) {
          plain.remove(method);
        }
      };
    }
  }

  private static final class EveryMethod extends ClassVisitor {
    private final String type;
    private final Set<String> plain;
    private final Set<String> elementary;

    EveryMethod(ClassVisitor next, String type, Set<String> plain, Set<String> elementary) {
      super(Opcodes.ASM9, next);
      this.type = type.substring(type.lastIndexOf('/') + 1);
      this.plain = plain;
      this.elementary = elementary;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      String method = name + descriptor;
      boolean isCode = (access & Opcodes.ACC_ABSTRACT) == 0 && !name.equals("<clinit>");
      if (!isCode) {
        return next;
      }
      if (elementary.contains(method) && !name.equals("<init>")) {
        return new Shield(next);
      }
      return plain.contains(method) ? next : new Entry(next, type + "." + name);
    }
  }

  /** Marks the extent of an elementary change. */
  private static final class Shield extends MethodVisitor {
    Shield(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      call("shield");
    }

    private void call(String method) {
      super.visitMethodInsn(Opcodes.INVOKESTATIC, FAULT_POINTS, method, "()V", false);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
        call("unshield");
      }
      super.visitInsn(opcode);
    }
  }

  private static final class Entry extends MethodVisitor {
    private final int site;
    private boolean located;

    Entry(MethodVisitor next, String method) {
      super(Opcodes.ASM9, next);
      this.site = FaultPoints.add(method);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      super.visitLdcInsn(site);
      super.visitMethodInsn(Opcodes.INVOKESTATIC, FAULT_POINTS, "pass", "(I)V", false);
    }

    @Override
    public void visitLineNumber(int line, Label start) {
      super.visitLineNumber(line, start);
      if (!located) {
        located = true;
        FaultPoints.locate(site, line);
      }
    }
  }
}
