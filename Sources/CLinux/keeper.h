/* fork(2) cannot be called from Swift. A program is started below a process that adopts whatever it leaves
   behind, in any session, and ends that with it: PR_SET_CHILD_SUBREAPER. Between fork and exit only
   async-signal-safe functions are called, for the program that forks has threads. */

/* Kills every child of this process. proc(5): "pid (name) state ppid ..."; a name can have any byte. */
static inline void CLinux_killChildren(void) {
  struct CLinux_entry { uint64_t number, offset; uint16_t length; uint8_t type; char name[]; };
  char entries[4096] __attribute__((aligned(8)));
  char text[512];
  pid_t own = getpid();
  int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  for (long size; (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;) {
    for (long place = 0; place < size;) {
      const struct CLinux_entry *entry = (const struct CLinux_entry *)(entries + place);
      place += entry->length;
      pid_t pid = 0, parent = 0;
      const char *digit = entry->name;
      for (; *digit >= '0' && *digit <= '9'; digit++) pid = pid * 10 + (*digit - '0');
      size_t length = (size_t)(digit - entry->name);
      if (length == 0 || length > 10 || *digit) continue;
      memcpy(text, entry->name, length);
      memcpy(text + length, "/stat", 6);
      int file = openat(folder, text, O_RDONLY | O_CLOEXEC);
      if (file < 0) continue;
      long count = read(file, text, sizeof text);
      close(file);
      while (count > 0 && text[count - 1] != ')') count--;
      /* ") S 123 " */
      for (long at = count + 3; at < (long)sizeof text && text[at] >= '0' && text[at] <= '9'; at++)
        parent = parent * 10 + (text[at] - '0');
      if (count > 0 && parent == own) kill(pid, SIGKILL);
    }
  }
  close(folder);
}

static inline void CLinux_closeAll(void) {
  /* close_range(2), 436 on every architecture; since Linux 5.9. */
  if (syscall(436, 0u, ~0u, 0u) == 0) return;
  long limit = sysconf(_SC_OPEN_MAX);
  for (int number = 0; number < limit; number++) close(number);
}

/* Until the program `pid` has ended, or SIGTERM comes; then until nothing of it is left. Ends as it did. */
static inline void CLinux_keep(pid_t pid, const sigset_t *signals) {
  int ending = 0, end = SIGKILL, status;
  while (!ending) {
    int number = sigwaitinfo(signals, 0);
    if (number == SIGTERM) break;
    for (pid_t child; (child = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (child == pid) ending = 1, end = status;
    }
  }
  /* Not by /proc alone: a mount option may hide a program there (hidepid). It leads its own process group. */
  if (!ending) kill(-pid, SIGKILL), kill(pid, SIGKILL);
  /* What cannot be killed must not hold up the next delivery: 2 s without an end are enough. */
  for (int idle = 0; idle < 200;) {
    CLinux_killChildren();
    /* One at a time: what it leaves is a child then. */
    pid_t child = waitpid(-1, &status, WNOHANG);
    if (child < 0 && errno == ECHILD) break;
    if (child == pid) end = status;
    if (child > 0) {
      idle = 0;
      continue;
    }
    struct timespec pause = {0, 10000000};
    nanosleep(&pause, 0);
    idle++;
  }
  if (WIFEXITED(end)) _exit(WEXITSTATUS(end));
  sigset_t none;
  sigemptyset(&none);
  signal(WTERMSIG(end), SIG_DFL);
  kill(getpid(), WTERMSIG(end));
  sigprocmask(SIG_SETMASK, &none, 0);
  _exit(128 + WTERMSIG(end));
}

/* As CLinux_spawn, and `pid` is that of the process above the program: SIGTERM ends both and all that the
   program started; it ends as the program does. The end of the thread that calls this is a SIGTERM. */
static inline int CLinux_spawnKept(pid_t *pid, const char *path, char *const arguments[],
                                   char *const environment[], int input, int output, int error) {
  int report[2];
  sigset_t all, before, awaited;
  pid_t starter = getpid();
  if (syscall(SYS_pipe2, report, O_CLOEXEC)) return errno;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t keeper = fork();
  if (keeper == 0) {
    prctl(PR_SET_NAME, "paraph-keeper", 0, 0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
    if (getppid() != starter) _exit(127);
    setpgid(0, 0);
    signal(SIGCHLD, SIG_DFL);
    pid_t program = 0;
    int result = CLinux_spawn(&program, path, arguments, environment, input, output, error);
    if (write(report[1], &result, sizeof result) < 0) _exit(127);
    if (result) _exit(127);
    CLinux_closeAll();
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    CLinux_keep(program, &awaited);
  }
  int result = keeper < 0 ? errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, 0);
  close(report[1]);
  if (!result) {
    ssize_t count;
    do count = read(report[0], &result, sizeof result); while (count < 0 && errno == EINTR);
    if (count != sizeof result) result = ECHILD;
    if (result) {
      kill(keeper, SIGTERM);
      waitpid(keeper, 0, 0);
    }
  }
  close(report[0]);
  if (!result) *pid = keeper;
  return result;
}
