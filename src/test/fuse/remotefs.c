/*
 * A view of a directory through FUSE that fails, delays, hangs or shows zeros on request. Tests use
 * it.
 *
 *     remotefs BACKING MOUNTPOINT direct|cached|writable
 *
 * Both paths must be absolute. If linked with nfsfiles.c, BACKING is a URL nfs://.... The type in
 * the table of mounts is fuse.remotefs, which is not known to be local. direct: the kernel keeps
 * neither attributes nor pages, so that every read reaches this process. cached: it keeps attributes
 * for a second, and pages until size or time of a file change, as an NFS client does. writable: as
 * direct, and local files can be changed; the other views are read-only.
 *
 * Standard input takes commands, one a line. Standard output answers each with one line: "ok",
 * "ok NUMBER" or "error REASON". The first line, "ok", reports that the file system is mounted.
 *
 *     fail KIND ERRNO FIRST LAST PART   operations from FIRST to LAST (0: without end) fail.
 *                                       KIND: read; any, which also counts reads of attributes,
 *                                       directories and links, and opening; change, which counts
 *                                       all that changes files, directories and names, and forcing
 *                                       them; or room, which counts changes that need space.
 *                                       ERRNO: EIO, ESTALE, ENOENT, ENOSPC. Only operations on
 *                                       paths that contain PART are counted, from this command on;
 *                                       / for all
 *     heal                              ends errors; answers their number
 *     count                             answers the number of operations counted so far
 *     delay MICROSECONDS                delays each read
 *     rate BYTES                        limits all reads together to BYTES a second; 0: no limit
 *     hang PATH                         operations on PATH and all paths below it wait; / for all
 *     release                           waiting operations continue
 *     waiting                           answers the number of waiting operations
 *     settle MILLISECONDS               shows a file's size before its bytes: bytes written in the
 *                                       last MILLISECONDS may be zeros, even if they were shown
 *                                       before. 0: off
 *
 * At the end of standard input, also when the process that wrote it has ended, waiting operations fail, the
 * file system is unmounted, and the program ends. If the program is killed, fusermount3 unmounts
 * (auto_unmount).
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 312

#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES 4096   /* whose growth is known; more are shown as they are */
#define SAMPLES 32   /* of a file's size */
#define MAX_THREADS 256 /* as many operations may wait at once */
#define MAX_READ_BYTES 131072 /* in one request, as rsize of NFS; also among the options below */

enum kind { READ = 1, OTHER = 2, ROOM = 4, CHANGE = 8 };

static bool direct, writable;

/* The settings of the commands. The lock guards everything below. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int counting = READ; /* a set of kinds */
static int failure; /* an errno, 0 for none */
static uint64_t counted, failed, first_failing, last_failing;
static char part[PATH_MAX] = "/";
static char hanging[PATH_MAX]; /* empty: nothing */
static int waiting;
static uint64_t delay_micros, bytes_per_second, line_free_micros, settle_millis;

/* The sizes of a file at the times when its attributes were read, from the oldest to the newest. */
struct growth {
    dev_t device;
    ino_t inode;
    int samples;
    struct {
        uint64_t millis;
        off_t size;
    } sample[SAMPLES];
};
static struct growth *grown[FILES];

static uint64_t now_micros(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now); /* the clock of a file's times */
    return (uint64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static uint64_t now_millis(void)
{
    return now_micros() / 1000;
}

static void sleep_micros(uint64_t micros)
{
    struct timespec pause = {micros / 1000000, micros % 1000000 * 1000};
    while (nanosleep(&pause, &pause) != 0 && errno == EINTR)
        ;
}

/* Returns whether a path is the hanging one or below it. */
static bool hangs(const char *path)
{
    size_t length = strlen(hanging);
    if (length == 0)
        return false;
    if (strcmp(hanging, "/") == 0)
        return true;
    return strncmp(path, hanging, length) == 0 && (path[length] == 0 || path[length] == '/');
}

/*
 * Returns whether the calling thread is being killed. As with a hard NFS mount, no other signal
 * ends its wait.
 */
static bool is_killed(pid_t thread)
{
    char name[64], line[256];
    snprintf(name, sizeof name, "/proc/%d/status", (int) thread);
    FILE *status = fopen(name, "r");
    if (status == NULL)
        return true;
    bool killed = false;
    while (fgets(line, sizeof line, status) != NULL) {
        uint64_t pending;
        if (sscanf(line, "SigPnd: %" SCNx64, &pending) == 1
            || sscanf(line, "ShdPnd: %" SCNx64, &pending) == 1)
            killed |= (pending >> 8 & 1) != 0; /* SIGKILL */
    }
    fclose(status);
    return killed;
}

/* Begins an operation: waits if it hangs. Returns the error with which it fails, or 0. */
static int enter(const char *path, enum kind kind)
{
    int error = 0;
    pid_t asking = fuse_get_context()->pid;
    pthread_mutex_lock(&lock);
    while (error == 0 && hangs(path)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 50000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        waiting++;
        pthread_cond_timedwait(&changed, &lock, &until);
        waiting--;
        if (hangs(path) && is_killed(asking))
            error = -EINTR;
    }
    if (error == 0 && (kind & counting) != 0 && strstr(path, part) != NULL) {
        counted++;
        if (failure != 0 && counted >= first_failing
            && (last_failing == 0 || counted <= last_failing)) {
            failed++;
            error = -failure;
        }
    }
    pthread_mutex_unlock(&lock);
    return error;
}

/* Waits for the time that the bytes take at the limited rate. */
static void transfer(size_t bytes)
{
    pthread_mutex_lock(&lock);
    uint64_t micros = delay_micros;
    if (bytes_per_second != 0) {
        uint64_t now = now_micros();
        if (line_free_micros < now)
            line_free_micros = now;
        line_free_micros += bytes * 1000000 / bytes_per_second;
        micros += line_free_micros - now;
    }
    pthread_mutex_unlock(&lock);
    if (micros != 0)
        sleep_micros(micros);
}

/* Returns the known growth of a file. At first a file that was just written counts as empty. */
static struct growth *growth_of(const struct stat *file, uint64_t now, bool settled)
{
    for (size_t i = file->st_ino % FILES, tries = 0; tries < FILES; i = (i + 1) % FILES, tries++) {
        struct growth *known = grown[i];
        if (known == NULL) {
            known = calloc(1, sizeof *known);
            if (known == NULL)
                return NULL;
            known->device = file->st_dev;
            known->inode = file->st_ino;
            known->samples = 2;
            known->sample[0].size = settled ? file->st_size : 0;
            known->sample[1].millis = now;
            known->sample[1].size = file->st_size;
            grown[i] = known;
            return known;
        }
        if (known->inode == file->st_ino && known->device == file->st_dev)
            return known;
    }
    return NULL;
}

/* Records a size that is shown now, whose bytes are shown later. */
static void look(struct growth *file, off_t size, uint64_t now)
{
    int last = file->samples - 1;
    if (size <= file->sample[last].size || now < file->sample[last].millis + settle_millis / 16)
        return;
    if (file->samples == SAMPLES) {
        memmove(&file->sample[0], &file->sample[1], last * sizeof file->sample[0]);
        last--;
    }
    file->sample[last + 1].millis = now;
    file->sample[last + 1].size = size;
    file->samples = last + 2;
}

/* Returns the age of the view of a file. It is random for each quarter of the time to settle. */
static uint64_t age_millis(ino_t inode, uint64_t now)
{
    uint64_t hash = inode * 0x9E3779B97F4A7C15u;
    hash = (hash ^ now / (settle_millis / 4 + 1)) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 29) * 0x94D049BB133111EBu;
    return (hash ^ hash >> 32) % settle_millis;
}

/* Replaces bytes by zeros that are newer than the view of a file. */
static void hide(const struct stat *file, char *bytes, size_t count, off_t offset)
{
    uint64_t now = now_millis();
    pthread_mutex_lock(&lock);
    uint64_t written = (uint64_t) file->st_mtim.tv_sec * 1000 + file->st_mtim.tv_nsec / 1000000;
    bool settled = settle_millis == 0 || written + settle_millis <= now;
    struct growth *known = settle_millis == 0 ? NULL : growth_of(file, now, settled);
    if (known != NULL)
        look(known, file->st_size, now);
    if (known != NULL && !settled) {
        uint64_t seen = now - age_millis(file->st_ino, now);
        int sample = known->samples - 1;
        while (sample > 0 && known->sample[sample].millis > seen)
            sample--;
        off_t from = known->sample[sample].size - offset;
        if (from < (off_t) count)
            memset(bytes + (from > 0 ? from : 0), 0, count - (from > 0 ? from : 0));
    }
    pthread_mutex_unlock(&lock);
}

static int fs_getattr(const char *path, struct stat *out, struct fuse_file_info *open)
{
    (void) open;
    int error = enter(path, OTHER);
    if (error == 0)
        error = files_look(path, out);
    if (error != 0)
        return error;
    if (S_ISREG(out->st_mode))
        hide(out, NULL, 0, 0);
    return 0;
}

static int fs_readlink(const char *path, char *out, size_t size)
{
    int error = enter(path, OTHER);
    return error != 0 ? error : files_link(path, out, size);
}

/* The receiver of a directory's names. */
struct listing {
    void *out;
    fuse_fill_dir_t fill;
};

static void add_name(void *to, const char *name, const struct stat *kind)
{
    struct listing *listing = to;
    listing->fill(listing->out, name, kind, 0, 0);
}

static int fs_readdir(const char *path, void *out, fuse_fill_dir_t fill, off_t offset,
                      struct fuse_file_info *open, enum fuse_readdir_flags flags)
{
    (void) offset, (void) open, (void) flags;
    struct listing listing = {out, fill};
    int error = enter(path, OTHER);
    return error != 0 ? error : files_list(path, add_name, &listing);
}

static int opened(int64_t file, struct fuse_file_info *open_file)
{
    if (file < 0)
        return (int) file;
    open_file->fh = file;
    open_file->direct_io = direct;
    return 0;
}

static int fs_open(const char *path, struct fuse_file_info *open_file)
{
    int error = enter(path, OTHER);
    if (error != 0)
        return error;
    if (!writable && (open_file->flags & O_ACCMODE) != O_RDONLY)
        return -EROFS;
    return opened(files_open(path, open_file->flags, 0), open_file);
}

static int fs_read(const char *path, char *out, size_t size, off_t offset,
                   struct fuse_file_info *open)
{
    struct stat file;
    int error = enter(path, READ);
    if (error != 0)
        return error;
    /* Reads attributes first, so that bytes appended meanwhile do not count as settled. */
    error = files_facts(open->fh, &file);
    if (error != 0)
        return error;
    ssize_t count = files_read(open->fh, out, size, offset);
    if (count < 0)
        return count;
    transfer(count);
    hide(&file, out, count, offset);
    return count;
}

static int fs_create(const char *path, mode_t mode, struct fuse_file_info *open_file)
{
    int error = enter(path, ROOM);
    return error != 0 ? error : opened(files_open(path, open_file->flags, mode), open_file);
}

static int fs_write(const char *path, const char *bytes, size_t size, off_t offset,
                    struct fuse_file_info *open)
{
    int error = enter(path, ROOM);
    return error != 0 ? error : (int) files_write(open->fh, bytes, size, offset);
}

static int fs_truncate(const char *path, off_t size, struct fuse_file_info *open)
{
    (void) open;
    int error = enter(path, CHANGE);
    return error != 0 ? error : files_truncate(path, size);
}

static int fs_fsync(const char *path, int only_bytes, struct fuse_file_info *open)
{
    (void) only_bytes, (void) open; /* the tests cut no power */
    return enter(path, CHANGE);
}

static int fs_rename(const char *from, const char *to, unsigned int flags)
{
    int error = enter(to, CHANGE);
    return error != 0 ? error : files_rename(from, to, flags);
}

static int fs_link(const char *from, const char *to)
{
    int error = enter(to, ROOM);
    return error != 0 ? error : files_name(from, to);
}

static int fs_remove(const char *path)
{
    int error = enter(path, CHANGE);
    return error != 0 ? error : files_remove(path);
}

static int fs_mkdir(const char *path, mode_t mode)
{
    int error = enter(path, ROOM);
    return error != 0 ? error : files_directory(path, mode);
}

static int fs_chmod(const char *path, mode_t mode, struct fuse_file_info *open)
{
    (void) open;
    int error = enter(path, CHANGE);
    return error != 0 ? error : files_mode(path, mode);
}

static int fs_utimens(const char *path, const struct timespec times[2], struct fuse_file_info *open)
{
    (void) open;
    int error = enter(path, CHANGE);
    return error != 0 ? error : files_times(path, times);
}

static int fs_statfs(const char *path, struct statvfs *out)
{
    return files_space(path, out);
}

static int fs_release(const char *path, struct fuse_file_info *open)
{
    (void) path;
    files_close(open->fh);
    return 0;
}

static void *fs_init(struct fuse_conn_info *connection, struct fuse_config *config)
{
    connection->max_read = MAX_READ_BYTES;
    config->use_ino = 1;
    config->auto_cache = !direct;
    config->attr_timeout = config->entry_timeout = direct ? 0 : 1;
    config->negative_timeout = 0;
    return NULL;
}

static const struct fuse_operations operations = {
    .init = fs_init,
    .getattr = fs_getattr,
    .readlink = fs_readlink,
    .readdir = fs_readdir,
    .open = fs_open,
    .read = fs_read,
    .release = fs_release,
    .create = fs_create,
    .write = fs_write,
    .truncate = fs_truncate,
    .fsync = fs_fsync,
    .fsyncdir = fs_fsync,
    .rename = fs_rename,
    .link = fs_link,
    .unlink = fs_remove,
    .rmdir = fs_remove,
    .mkdir = fs_mkdir,
    .chmod = fs_chmod,
    .utimens = fs_utimens,
    .statfs = fs_statfs,
};

static int kinds_of(const char *name)
{
    return strcmp(name, "read") == 0 ? READ
         : strcmp(name, "room") == 0 ? ROOM
         : strcmp(name, "change") == 0 ? ROOM | CHANGE
         : READ | OTHER;
}

static int errno_of(const char *name)
{
    return strcmp(name, "EIO") == 0 ? EIO
         : strcmp(name, "ESTALE") == 0 ? ESTALE
         : strcmp(name, "ENOENT") == 0 ? ENOENT
         : strcmp(name, "ENOSPC") == 0 ? ENOSPC
         : 0;
}

/* Carries out a line. Returns whether it is a command. *answer is -1 if it has no number. */
static bool obey(const char *line, int64_t *answer)
{
    char kind[8], name[16], text[PATH_MAX];
    uint64_t first, last;
    *answer = -1;
    if (sscanf(line, "fail %7s %15s %" SCNu64 " %" SCNu64 " %4095[^\n]", kind, name, &first, &last,
               text) == 5 && errno_of(name) != 0) {
        counting = kinds_of(kind);
        failure = errno_of(name);
        first_failing = first;
        last_failing = last;
        strcpy(part, text);
        counted = failed = 0;
    } else if (strcmp(line, "heal\n") == 0) {
        failure = 0;
        *answer = failed;
    } else if (strcmp(line, "count\n") == 0) {
        *answer = counted;
    } else if (strcmp(line, "waiting\n") == 0) {
        *answer = waiting;
    } else if (sscanf(line, "hang %4095[^\n]", text) == 1) {
        strcpy(hanging, text);
    } else if (strcmp(line, "release\n") == 0) {
        hanging[0] = 0;
        pthread_cond_broadcast(&changed);
    } else {
        return sscanf(line, "delay %" SCNu64, &delay_micros) == 1
               || sscanf(line, "rate %" SCNu64, &bytes_per_second) == 1
               || sscanf(line, "settle %" SCNu64, &settle_millis) == 1;
    }
    return true;
}

/* Carries out the commands of standard input to its end, and then ends the process. */
static void *control(void *mount_point)
{
    char line[PATH_MAX + 64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        int64_t answer;
        pthread_mutex_lock(&lock);
        bool known = obey(line, &answer);
        pthread_mutex_unlock(&lock);
        if (!known)
            printf("error no such command: %s", line);
        else if (answer >= 0)
            printf("ok %" PRId64 "\n", answer);
        else
            printf("ok\n");
        fflush(stdout);
    }
    umount2(mount_point, MNT_DETACH); /* where that is not allowed fusermount3 does it, a moment later */
    _exit(0);
}

int main(int count, char **words)
{
    if (count != 4 || words[2][0] != '/') {
        fprintf(stderr, "usage: remotefs /BACKING /MOUNTPOINT direct|cached|writable\n");
        return 2;
    }
    if (files_begin(words[1]) != 0)
        return 1;
    writable = strcmp(words[3], "writable") == 0;
    direct = writable || strcmp(words[3], "direct") == 0;
    umask(0);
    char *options[] = {
        words[0], "-o", "ro,auto_unmount,subtype=remotefs,fsname=remotefs,max_read=131072"};
    if (writable)
        options[2] += strlen("ro,");
    struct fuse_args args = FUSE_ARGS_INIT(3, options);
    struct fuse *fuse = fuse_new(&args, &operations, sizeof operations, NULL);
    if (fuse == NULL || fuse_mount(fuse, words[2]) != 0)
        return 1;
    printf("ok\n");
    fflush(stdout);
    pthread_t commands;
    if (pthread_create(&commands, NULL, control, words[2]) != 0)
        return 1;
    struct fuse_loop_config *loop = fuse_loop_cfg_create();
    fuse_loop_cfg_set_max_threads(loop, MAX_THREADS);
    int status = fuse_loop_mt(fuse, loop);
    /* Unmounted by another process, or by the thread of the commands, which ends this process. */
    sleep_micros(1000000);
    return status;
}
