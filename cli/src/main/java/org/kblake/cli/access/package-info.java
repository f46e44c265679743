/** Tokens and certificates of the servers, which are read again after their files have changed. */
@NullMarked
package org.kblake.cli.access;

import org.jspecify.annotations.NullMarked;
