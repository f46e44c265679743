/*
 * The files behind the file system of the tests: those of a local directory (localfiles.c), or of a
 * server of NFS (nfsfiles.c). Paths begin with a slash. What fails returns -errno.
 */
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Opens the root: an absolute path, or nfs://... as libnfs wants it. To be called once, first. */
int files_begin(const char *root);

/* As lstat. */
int files_look(const char *path, struct stat *out);

/* As readlink, with a 0 behind the target. */
int files_link(const char *path, char *out, size_t size);

/* Calls for each name of a directory; kind tells the inode and the type. */
int files_list(const char *path, void (*each)(void *to, const char *name, const struct stat *kind),
               void *to);

/* Opens a file for reading. Returns what the functions below call it. */
int64_t files_open(const char *path);

/* As fstat. */
int files_facts(uint64_t file, struct stat *out);

/* As pread. */
ssize_t files_read(uint64_t file, char *out, size_t size, off_t offset);

void files_close(uint64_t file);
