package org.kblake.cli.process;

import java.lang.reflect.Proxy;

/**
 * A listener for signals that do not end the process. The JDK has no public interface for them. The
 * class {@code sun.misc.Signal}, which all present JDKs have, is looked up at run time. Without it
 * the signals do what they do by default.
 */
public final class ProcessSignal {

  private ProcessSignal() {}

  /**
   * Runs a reaction at each signal, until the JVM ends.
   *
   * @param name {@code HUP} or {@code USR1}, which the JVM does not use itself
   * @return whether the signal can be received
   */
  @SuppressWarnings("ReferenceEquality") // equals of a proxy compares identity
  public static boolean listen(String name, Runnable reaction) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object listener =
          Proxy.newProxyInstance(
              ProcessSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      reaction.run();
                      yield null;
                    }
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "ProcessSignal";
                  });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance(name), listener);
      return true;
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
