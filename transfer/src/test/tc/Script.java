import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.transfer.shape.BitRate;
import org.kblake.transfer.shape.BuilderShare;
import org.kblake.transfer.shape.ShapingScript;

/** Writes the script of the test: two builders, one over IPv4, one over IPv6, too. */
final class Script {

  private Script() {}

  public static void main(String[] arguments) throws Exception {
    ShapingScript script =
        new ShapingScript(
            "va",
            BitRate.parse("10gbit"),
            BitRate.parse("10mbit"),
            BitRate.parse("40mbit"),
            List.of(
                BuilderShare.parse("10.77.0.2=30mbit"), BuilderShare.parse("b.test=30mbit")));
    Files.writeString(Path.of(arguments[0]), script.text(5000, 5001));
  }
}
