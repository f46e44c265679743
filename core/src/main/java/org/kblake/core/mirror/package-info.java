/**
 * Copies of growing logs on a local disk: what lies in a mirror's directory, how it is written, and
 * how it stands in for the archive. The copies are bytes; what they mean only {@link
 * org.kblake.core.log} knows. Nothing here decides what is copied, or opens a file of an archive.
 */
@NullMarked
package org.kblake.core.mirror;

import org.jspecify.annotations.NullMarked;
