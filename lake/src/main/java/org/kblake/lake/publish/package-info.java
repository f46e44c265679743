/**
 * Publishing: what of the store is not in the tables yet, files of blocks as data files, and their
 * commit.
 */
@NullMarked
package org.kblake.lake.publish;

import org.jspecify.annotations.NullMarked;
