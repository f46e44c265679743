package org.kblake.cli.run;

import java.lang.reflect.Proxy;

/**
 * SIGHUP. The JDK has no public way to hear of a signal; what all JDKs have, {@code
 * sun.misc.Signal}, is looked for when the program runs. Where there is none, nothing is heard.
 */
final class HangupSignal {

  private HangupSignal() {}

  /**
   * Has something done at each SIGHUP, until the JVM ends.
   *
   * @return whether it will be heard
   */
  @SuppressWarnings("ReferenceEquality") // what a proxy's equals is to answer
  static boolean listen(Runnable reaction) {
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
