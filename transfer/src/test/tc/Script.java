import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.ShapedBuilder;
import org.kblake.transfer.shape.ShapingPlan;
import org.kblake.transfer.shape.ShapingScript;

/** Writes the script of the test: two builders, the second one also with an address of IPv6. */
final class Script {

  private Script() {}

  public static void main(String[] arguments) throws Exception {
    ShapedBuilder first = builder("10.77.0.2");
    ShapedBuilder second = builder("10.77.0.3", "fd77::3");
    ShapingPlan plan =
        new ShapingPlan(
            "va",
            BitRate.parse("10gbit"),
            BitRate.parse("10mbit"),
            BitRate.parse("40mbit"),
            List.of(first, second));
    Files.writeString(Path.of(arguments[0]), ShapingScript.of(plan));
  }

  private static ShapedBuilder builder(String... addresses) throws Exception {
    InetAddress[] all = new InetAddress[addresses.length];
    for (int i = 0; i < all.length; i++) {
      all[i] = InetAddress.getByName(addresses[i]);
    }
    return new ShapedBuilder(List.of(all), 5000, 5001, BitRate.parse("30mbit"));
  }
}
