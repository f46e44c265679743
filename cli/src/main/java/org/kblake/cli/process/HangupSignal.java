package org.kblake.cli.process;

import java.lang.reflect.Proxy;

/**
 * A listener for SIGHUP. The JDK has no public interface for signals. The class {@code
 * sun.misc.Signal}, which all present JDKs have, is looked up at run time. Without it, SIGHUP is
 * ignored.
 */
public final class HangupSignal {

  private HangupSignal() {}

  /**
   * Runs a reaction at each SIGHUP, until the JVM ends.
   *
   * @return whether the signal can be received
   */
  @SuppressWarnings("ReferenceEquality") // equals of a proxy compares identity
  public static boolean listen(Runnable reaction) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object listener =
          Proxy.newProxyInstance(
              HangupSignal.class.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "handle" -> {
                      reaction.run();
                      yield null;
                    }
                    case "equals" -> arguments != null && proxy == arguments[0];
                    case "hashCode" -> System.identityHashCode(proxy);
                    default -> "HangupSignal";
                  });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), listener);
      return true;
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
