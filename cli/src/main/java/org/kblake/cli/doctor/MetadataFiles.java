package org.kblake.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.settings.CommonSetting;
import org.kblake.cli.settings.Settings;
import org.kblake.core.metadata.GroupMetadata;
import org.kblake.core.metadata.MetadataFolder;
import org.kblake.core.model.Group;

/**
 * The files with the metadata of channels.
 *
 * @param files the number of files
 * @param channels the number of channels that they describe
 * @param problems a line on each mistake
 */
public record MetadataFiles(int files, int channels, List<String> problems) {

  /** The most lines on mistakes. */
  private static final int MOST = 50;

  /**
   * Reads all files of the folder of the settings.
   *
   * @param settings settings without mistakes
   */
  public static MetadataFiles of(Settings settings) {
    Path directory = settings.metadata();
    List<String> problems = new ArrayList<>();
    int files = 0;
    int channels = 0;
    if (directory != null) {
      String place = settings.place(CommonSetting.METADATA) + ": metadata: ";
      if (!Files.isDirectory(directory)) {
        return new MetadataFiles(0, 0, List.of(place + "no such directory: " + directory));
      }
      MetadataFolder folder = new MetadataFolder(directory, settings.zone());
      try {
        for (Group group : folder.groups()) {
          GroupMetadata metadata = folder.read(group);
          files++;
          channels += metadata.channels().size();
          problems.addAll(metadata.problems());
        }
      } catch (IOException e) {
        problems.add(place + ErrorLine.of(e));
      }
    }
    return new MetadataFiles(files, channels, shortened(problems));
  }

  private static List<String> shortened(List<String> problems) {
    if (problems.size() <= MOST) {
      return problems;
    }
    List<String> first = new ArrayList<>(problems.subList(0, MOST));
    first.add("metadata: " + (problems.size() - MOST) + " more mistakes are not listed");
    return first;
  }
}
