import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * A node of HDFS on the loopback interface, which runs until standard input ends: {@code HdfsNode
 * name DIRECTORY}, which prints the URI of the file system, or {@code HdfsNode data DIRECTORY URI},
 * which prints a line when it has started.
 */
public final class HdfsNode {

  private HdfsNode() {}

  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    Configuration settings = new HdfsConfiguration();
    settings.set("hadoop.tmp.dir", directory.toString());
    settings.setInt("dfs.namenode.fs-limits.min-block-size", 1 << 16);
    settings.setInt("dfs.heartbeat.interval", 1);
    settings.setBoolean("dfs.permissions.enabled", false);
    if (arguments[0].equals("name")) {
      MiniDFSCluster cluster =
          new MiniDFSCluster.Builder(settings, directory.toFile()).numDataNodes(0).build();
      System.out.println(cluster.getURI());
    } else {
      FileSystem.setDefaultUri(settings, arguments[2]);
      settings.set("dfs.datanode.data.dir", directory.resolve("data").toUri().toString());
      settings.set("dfs.datanode.hostname", "127.0.0.1");
      for (String door : new String[] {"address", "http.address", "ipc.address"}) {
        settings.set("dfs.datanode." + door, "127.0.0.1:0");
      }
      DataNode node = DataNode.createDataNode(new String[0], settings);
      System.out.println(node.getDatanodeUuid());
    }
    while (System.in.read() >= 0) {
      // Nobody writes.
    }
    System.exit(0);
  }
}
