/*
 * Files of an NFS server, read through libnfs. libnfs is for one thread at a time, so all files
 * wait if the server does not answer. With NFS 4, a second open of a file makes the first one
 * invalid, so all readers of a file share one.
 */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <nfsc/libnfs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct nfs_context *server;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A file that is open. */
struct shared {
    char *path;
    struct nfsfh *file;
    int users;
    struct shared *next;
};
static struct shared *opened;

int files_begin(const char *root)
{
    server = nfs_init_context();
    struct nfs_url *url = server == NULL ? NULL : nfs_parse_url_dir(server, root);
    if (url == NULL || nfs_mount(server, url->server, url->path) != 0) {
        fprintf(stderr, "%s: %s\n", root, server == NULL ? "no memory" : nfs_get_error(server));
        return -EIO;
    }
    nfs_destroy_url(url);
    return 0;
}

static void take_over(struct stat *out, const struct nfs_stat_64 *from)
{
    memset(out, 0, sizeof *out);
    out->st_dev = 1;
    out->st_ino = from->nfs_ino;
    out->st_mode = from->nfs_mode;
    out->st_nlink = from->nfs_nlink;
    out->st_size = from->nfs_size;
    out->st_blocks = from->nfs_blocks;
    out->st_mtim.tv_sec = from->nfs_mtime;
    out->st_mtim.tv_nsec = from->nfs_mtime_nsec;
    out->st_ctim.tv_sec = from->nfs_ctime;
    out->st_ctim.tv_nsec = from->nfs_ctime_nsec;
}

int files_look(const char *path, struct stat *out)
{
    struct nfs_stat_64 found;
    pthread_mutex_lock(&lock);
    int status = nfs_lstat64(server, path, &found);
    pthread_mutex_unlock(&lock);
    if (status == 0)
        take_over(out, &found);
    return status;
}

int files_link(const char *path, char *out, size_t size)
{
    pthread_mutex_lock(&lock);
    int status = nfs_readlink(server, path, out, size);
    pthread_mutex_unlock(&lock);
    return status < 0 ? status : 0;
}

int files_list(const char *path, void (*each)(void *to, const char *name, const struct stat *kind),
               void *to)
{
    struct nfsdir *directory;
    pthread_mutex_lock(&lock);
    int status = nfs_opendir(server, path, &directory);
    if (status == 0) {
        struct nfsdirent *entry;
        while ((entry = nfs_readdir(server, directory)) != NULL) {
            /* libnfs does not set the inode; a name whose inode is 0 is not shown. */
            struct stat kind = {.st_ino = 1, .st_mode = entry->mode};
            each(to, entry->name, &kind);
        }
        nfs_closedir(server, directory);
    }
    pthread_mutex_unlock(&lock);
    return status;
}

int64_t files_open(const char *path, int flags, mode_t mode)
{
    (void) flags, (void) mode;
    pthread_mutex_lock(&lock);
    struct shared *file = opened;
    while (file != NULL && strcmp(file->path, path) != 0)
        file = file->next;
    int status = 0;
    if (file == NULL) {
        struct nfsfh *handle;
        status = nfs_open(server, path, O_RDONLY, &handle);
        if (status == 0) {
            file = malloc(sizeof *file);
            *file = (struct shared) {strdup(path), handle, 0, opened};
            opened = file;
        }
    }
    if (file != NULL)
        file->users++;
    pthread_mutex_unlock(&lock);
    return status < 0 ? status : (int64_t) (intptr_t) file;
}

int files_facts(uint64_t file, struct stat *out)
{
    struct nfs_stat_64 found;
    pthread_mutex_lock(&lock);
    int status = nfs_fstat64(server, ((struct shared *) (uintptr_t) file)->file, &found);
    pthread_mutex_unlock(&lock);
    if (status == 0)
        take_over(out, &found);
    return status;
}

ssize_t files_read(uint64_t file, char *out, size_t size, off_t offset)
{
    pthread_mutex_lock(&lock);
    ssize_t count = nfs_pread(server, ((struct shared *) (uintptr_t) file)->file, offset, size, out);
    pthread_mutex_unlock(&lock);
    return count;
}

void files_close(uint64_t file)
{
    struct shared *closed = (struct shared *) (uintptr_t) file;
    pthread_mutex_lock(&lock);
    if (--closed->users == 0) {
        struct shared **link = &opened;
        while (*link != closed)
            link = &(*link)->next;
        *link = closed->next;
        nfs_close(server, closed->file);
        free(closed->path);
        free(closed);
    }
    pthread_mutex_unlock(&lock);
}
