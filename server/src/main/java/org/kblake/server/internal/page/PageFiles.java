package org.kblake.server.internal.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the page. Each is read from the class path once. Thread safe. */
final class PageFiles {

  private static final String PAGE = "/org/kblake/server/page/";
  private static final String WEBJAR = "META-INF/maven/org.webjars.npm/uplot/pom.properties";
  private static final Pattern NAME = Pattern.compile("[A-Za-z]{1,32}(\\.[a-z]{1,8}){1,2}");

  private final String plot = plotDirectory();
  private final Map<String, PageFile> read = new ConcurrentHashMap<>();

  /** Returns a file of the server, or null if there is no such file. */
  @Nullable PageFile page(String name) {
    return find(PAGE, name);
  }

  /** Returns a file of uPlot, or null if there is no such file. */
  @Nullable PageFile plot(String name) {
    return find(plot, name);
  }

  private @Nullable PageFile find(String directory, String name) {
    if (!NAME.matcher(name).matches()) {
      return null;
    }
    PageFile known = read.get(directory + name);
    if (known != null) {
      return known;
    }
    try (InputStream in = PageFiles.class.getResourceAsStream(directory + name)) {
      PageFile file = in == null ? null : PageFile.of(name, in.readAllBytes());
      if (file != null) {
        read.put(directory + name, file);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read from the server's jar: file=" + name, e);
    }
  }

  /** The WebJar's directory contains its version. */
  private static String plotDirectory() {
    Properties properties = new Properties();
    try (InputStream in = PageFiles.class.getResourceAsStream("/" + WEBJAR)) {
      if (in == null) {
        throw new IllegalStateException("the class path has no WebJar of uPlot: " + WEBJAR);
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + WEBJAR, e);
    }
    return "/META-INF/resources/webjars/uplot/" + properties.getProperty("version") + "/dist/";
  }
}
