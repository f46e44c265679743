/** The files of the trend page. They are in the server's jar, and uPlot is in its WebJar. */
@NullMarked
package org.kblake.server.internal.page;

import org.jspecify.annotations.NullMarked;
