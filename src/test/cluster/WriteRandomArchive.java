import java.nio.file.Path;
import org.kblake.test.fixture.archive.RandomArchive;

/** Writes a random archive: {@code WriteRandomArchive DIRECTORY SEED}. */
final class WriteRandomArchive {

  private WriteRandomArchive() {}

  public static void main(String[] arguments) throws Exception {
    RandomArchive.write(Path.of(arguments[0]), Long.parseLong(arguments[1]));
  }
}
