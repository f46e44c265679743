/**
 * The image of a log in a block: recording it during a scan, encoding the log's bytes from it
 * again, and comparing both.
 */
@NullMarked
package org.kblake.ingest.internal.image;

import org.jspecify.annotations.NullMarked;
