/* libc and the kernel's headers, and only such inline C as Swift cannot import: variadics, casts,
   ioctl numbers. No feature macros: glibc's headers are textual in every C module, and one that sees
   them under another macro than the rest breaks the build. */
#pragma once
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <grp.h>
#include <limits.h>
#include <linux/input.h>
#include <linux/kd.h>
#include <linux/major.h>
#include <linux/rtnetlink.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <linux/vt.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/vfs.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <sysexits.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* What compiles this. */
static inline const char *CLinux_compiler(void) { return __VERSION__; }

/* errno is a macro. */
static inline int CLinux_errno(void) { return errno; }
static inline void CLinux_clearErrno(void) { errno = 0; }

/* A flexible name in a fixed array: Swift would copy 256 bytes as a tuple. */
static inline const char *CLinux_entryName(const struct dirent *entry) { return entry->d_name; }

/* open(2) and fcntl(2) are variadic. */
static inline int CLinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int CLinux_openat(int folder, const char *path, int flags, mode_t mode) {
  return openat(folder, path, flags, mode);
}

/* O_TMPFILE and renameat2(2) are declared under _GNU_SOURCE only; 1 is RENAME_NOREPLACE. The value is the same on all
   architectures that Paraph is built for, but O_DIRECTORY in it is not. */
static const int CLinux_unnamed = 020000000 | O_DIRECTORY;
static inline int CLinux_renameToNew(int folder, const char *name, const char *target) {
  return (int)syscall(SYS_renameat2, folder, name, folder, target, 1u);
}

/* readlink(2) fills bytes, not char. */
static inline ssize_t CLinux_readlink(const char *path, uint8_t *target, size_t size) {
  return readlink(path, (char *)target, size);
}

/* socket(2)'s types are an enum, and bind(2) and recvfrom(2) take a union under _GNU_SOURCE. */
static inline int CLinux_socket(int family, int protocol) {
  return socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, protocol);
}
static inline int CLinux_bindNetlink(int descriptor, uint32_t groups) {
  struct sockaddr_nl address;
  memset(&address, 0, sizeof address);
  address.nl_family = AF_NETLINK;
  address.nl_groups = groups;
  return bind(descriptor, (const struct sockaddr *)&address, sizeof address);
}
/* The bytes of one message; 0 for one that another process sent. */
static inline ssize_t CLinux_receiveFromKernel(int descriptor, uint8_t *bytes, size_t size) {
  struct sockaddr_nl sender;
  socklen_t length = sizeof sender;
  memset(&sender, 0, sizeof sender);
  ssize_t count = recvfrom(descriptor, bytes, size, 0, (struct sockaddr *)&sender, &length);
  return count > 0 && sender.nl_pid != 0 ? 0 : count;
}

/* prctl(2) is variadic. */
static inline int CLinux_setThreadName(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

/* renameat2(2) hides behind _GNU_SOURCE; RENAME_NOREPLACE is 1 (linux/fs.h). */
static inline int CLinux_renameNoReplace(int fromFolder, const char *from, int toFolder, const char *to) {
  return (int)syscall(SYS_renameat2, fromFolder, from, toFolder, to, 1u);
}

/* off_t has 32 bits on 32-bit ARM, and the map offsets of a 64-bit kernel's DRM begin at 4 GiB. */
static inline void *CLinux_mmap(size_t length, int protection, int flags, int descriptor, uint64_t offset) {
#if defined(SYS_mmap2)
  return (void *)syscall(SYS_mmap2, 0, length, protection, flags, descriptor, (unsigned long)(offset >> 12));
#else
  return mmap(0, length, protection, flags, descriptor, (off_t)offset);
#endif
}

/* ioctl(2) is variadic; one function for each kind of argument. */
static inline int CLinux_ioctlPointer(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}
static inline int CLinux_ioctlInt(int descriptor, unsigned long request, long argument) {
  return ioctl(descriptor, request, argument);
}

/* stat's mode macros are function-like. */
static inline int CLinux_isCharacterDevice(mode_t mode) { return S_ISCHR(mode); }

/* WIFEXITED and its kin are function-like. */
static inline int CLinux_exitStatus(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }
static inline int CLinux_endSignal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

/* pipe2(2) hides behind _GNU_SOURCE. */
static inline int CLinux_pipe(int ends[2]) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

/* memfd_create(2) hides behind _GNU_SOURCE. 1: MFD_CLOEXEC. */
static inline int CLinux_createMemory(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

/* glibc has no pidfd_open(2) before 2.36. 434 on every architecture but alpha. */
static inline int CLinux_openPID(pid_t pid) { return (int)syscall(434, pid, 0u); }

/* POSIX_SPAWN_… are casts in some libcs; the child has every signal at its default and none blocked,
   and is the leader of its own process group. */
static inline int CLinux_spawn(pid_t *pid, const char *path, char *const arguments[], char *const environment[],
                               int input, int output, int error) {
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int result = posix_spawnattr_init(&attributes);
  if (result) return result;
  result = posix_spawn_file_actions_init(&actions);
  if (result) return posix_spawnattr_destroy(&attributes), result;
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  if (input >= 0) result = posix_spawn_file_actions_adddup2(&actions, input, 0);
  else result = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  if (!result && output >= 0) result = posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (!result && error >= 0) result = posix_spawn_file_actions_adddup2(&actions, error, 2);
  if (!result) result = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return result;
}
#include "keeper.h"
/* The name of a user in /etc/passwd, without the services of nsswitch.conf. */
static inline bool CLinux_localUserName(uid_t user, char *name, size_t size) {
  struct passwd entry, *found;
  char line[16384];
  bool has_name = false;
  FILE *file = fopen("/etc/passwd", "re");
  if (!file) return false;
  while (!has_name && !fgetpwent_r(file, &entry, line, sizeof line, &found))
    has_name = found->pw_uid == user && snprintf(name, size, "%s", found->pw_name) < (int)size;
  fclose(file);
  return has_name;
}
static inline char *const *CLinux_environment(void) {
  extern char **environ;
  return environ;
}

/* sendto(2)'s address is a transparent union where _GNU_SOURCE is defined. */
static inline long CLinux_sendTo(
  int socket, const void *bytes, size_t count, const struct sockaddr *address, socklen_t length) {
  return sendto(socket, bytes, count, MSG_NOSIGNAL, address, length);
}

/* Unix sockets: casts of addresses, an overlong path refused; accept4(2) and struct ucred hide behind
   _GNU_SOURCE. */
static inline int CLinux_unixAddress(struct sockaddr_un *address, const char *path) {
  if (strlen(path) >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  strcpy(address->sun_path, path);
  return 0;
}
static inline int CLinux_bindUnix(int descriptor, const char *path) {
  struct sockaddr_un address;
  if (CLinux_unixAddress(&address, path)) return -1;
  return bind(descriptor, (const struct sockaddr *)&address, sizeof address);
}
static inline int CLinux_connectUnix(int descriptor, const char *path) {
  struct sockaddr_un address;
  if (CLinux_unixAddress(&address, path)) return -1;
  return connect(descriptor, (const struct sockaddr *)&address, sizeof address);
}
static inline int CLinux_accept(int descriptor) {
  return (int)syscall(SYS_accept4, descriptor, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
/* getsockopt(2): why a connection that was begun has failed; 0: it has not. */
static inline int CLinux_socketError(int descriptor) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) ? errno : error;
}
/* getpeername(2) takes a union under _GNU_SOURCE. */
static inline bool CLinux_isConnected(int descriptor) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  return getpeername(descriptor, (struct sockaddr *)&address, &size) == 0;
}
/* Whether the other side has closed a connection and everything before that is read. */
static inline bool CLinux_isAtEnd(int descriptor) {
  char byte;
  return recv(descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}
struct CLinux_credentials { int32_t process; uint32_t user; uint32_t group; };
static inline int CLinux_peer(int descriptor, struct CLinux_credentials *credentials) {
  socklen_t size = sizeof *credentials;
  return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, credentials, &size);
}
/* The process that connected a Unix socket, as a descriptor of it (SO_PEERPIDFD, Linux 6.5); -1 with errno on error. */
static inline int CLinux_peerProcess(int descriptor) {
  int process = -1;
  socklen_t size = sizeof process;
  return getsockopt(descriptor, SOL_SOCKET, 77, &process, &size) ? -1 : process;
}
/* What the other side of a Unix socket has not read, with the kernel's own overhead (unix_outq_len of
   net/unix/af_unix.c): 0 once it has read everything; -1 with errno on error. */
static inline int CLinux_unreadByPeer(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCOUTQ, &count) ? -1 : count;
}
/* SO_ERROR: the error that waits at a socket, which reading it clears; -1 with errno if it cannot be read. */
static inline int CLinux_takeSocketError(int descriptor) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) ? -1 : error;
}
static inline int CLinux_setCloseOnExec(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC); }
static inline int CLinux_setNonBlocking(int descriptor) {
  return fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}
static inline int CLinux_isSocket(mode_t mode) { return S_ISSOCK(mode); }

/* A pair of connected Unix sockets; SOCK_STREAM is an enum. */
static inline int CLinux_socketPair(int ends[2]) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}
/* SHUT_WR is an enum. */
static inline int CLinux_endSending(int descriptor) { return shutdown(descriptor, SHUT_WR); }
/* prctl(2) is variadic. */
static inline void CLinux_forbidDumps(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
/* Whether a folder's files are in memory: tmpfs or ramfs (linux/magic.h); statfs's types differ by architecture. */
static inline bool CLinux_isInMemory(const char *path) {
  struct statfs found;
  if (statfs(path, &found)) return false;
  return (uint32_t)found.f_type == 0x01021994u || (uint32_t)found.f_type == 0x858458f6u;
}
/* Whether the machine has swap space. */
static inline bool CLinux_hasSwap(void) {
  struct sysinfo found;
  return sysinfo(&found) != 0 || found.totalswap != 0;
}

/* struct sigaction's handler is a union; SIG_IGN is a cast. */
static inline void CLinux_ignoreSignal(int number) { signal(number, SIG_IGN); }

/* The time of an event: struct input_event names it differently where time_t has 64 bits on 32-bit kernels. */
static inline int64_t CLinux_eventNanoseconds(const struct input_event *event) {
  return (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
}

/* getopt_long(3) keeps its state in mutable globals. It prints nothing here; the caller does. */
static inline int CLinux_nextOption(int argc, char *const argv[], const char *letters, const struct option *options) {
  opterr = 0;
  return getopt_long(argc, argv, letters, options, 0);
}
/* glibc starts anew at 0. */
static inline void CLinux_restartOptions(void) { optind = 0; }
static inline const char *CLinux_optionValue(void) { return optarg; }
static inline int CLinux_firstOperand(void) { return optind; }
/* The letter or number of an option without its value or with one too many; 0 for a long option that is unknown. */
static inline int CLinux_wrongOption(void) { return optopt; }
/* Whether the whole text is a number, which strtod(3) reads after blanks too. */
static inline int CLinux_readNumber(const char *text, double *number) {
  char *end;
  if ((unsigned char)*text <= ' ') return 0;
  *number = strtod(text, &end);
  return end != text && !*end;
}
/* The number is an _IOW() expression. */
static inline int CLinux_setEventClock(int descriptor, int clock) { return ioctl(descriptor, EVIOCSCLOCKID, &clock); }
/* The number is an expression of the axis. */
static inline int CLinux_readAxis(int descriptor, unsigned axis, struct input_absinfo *axisInfo) {
  return ioctl(descriptor, EVIOCGABS(axis), axisInfo);
}
/* One bit for each code of a type, the first 64: those that are not set are not passed on. */
static inline int CLinux_setEventMask(int descriptor, unsigned type, uint64_t codes) {
  struct input_mask mask = {.type = type, .codes_size = sizeof codes, .codes_ptr = (uintptr_t)&codes};
  return ioctl(descriptor, EVIOCSMASK, &mask);
}

/* setpriority(2)'s first argument is an enum under _GNU_SOURCE. 0 is the calling thread: Linux has both per thread. */
static inline void CLinux_becomeOrdinary(void) {
  struct sched_param priority = {0};
  sched_setscheduler(0, SCHED_OTHER, &priority);
  if (getpriority(PRIO_PROCESS, 0) < 0) setpriority(PRIO_PROCESS, 0, 0);
}

/* sched_setaffinity(2) and its kin hide behind _GNU_SOURCE. 0 is the calling thread. */
static inline long CLinux_coresAllowed(unsigned long *bits, size_t size) {
  return syscall(SYS_sched_getaffinity, 0, size, bits);
}
static inline long CLinux_stayOnCores(const unsigned long *bits, size_t size) {
  return syscall(SYS_sched_setaffinity, 0, size, bits);
}
/* The policy with SCHED_RESET_ON_FORK, which is no part of it. */
static inline int CLinux_isRealTime(void) {
  int policy = sched_getscheduler(0) & ~0x40000000;
  return policy == SCHED_RR || policy == SCHED_FIFO;
}
