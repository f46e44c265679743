/**
 * Manual pages and shell completion, made from the commands while kblake is built. The notices and
 * the bill of materials of the libraries.
 */
@NullMarked
package org.kblake.cli.document;

import org.jspecify.annotations.NullMarked;
