/** Manual pages and shell completion, made from the commands themselves while kblake is built. */
@NullMarked
package org.kblake.cli.document;

import org.jspecify.annotations.NullMarked;
