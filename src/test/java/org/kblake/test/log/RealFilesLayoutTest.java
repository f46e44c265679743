package org.kblake.test.log;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.LogLayoutContract;
import org.kblake.test.fixture.TestArchives;

/** Runs the contract suite as a site does: from another module, on the files of a real machine. */
class RealFilesLayoutTest extends LogLayoutContract {

  @Override
  protected LogLayout layout() {
    List<LogLayout> layouts = LogLayout.installed();
    return layouts.get(layouts.size() - 1);
  }

  @Override
  protected Path siteArchive() {
    return TestArchives.real();
  }
}
