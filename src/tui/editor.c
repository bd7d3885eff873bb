/*
 * editor.c - opens a source line in $EDITOR.
 *
 * The path comes from an input, which may be malicious. So the editor is
 * started without a shell, only regular files are opened, and "./" is put
 * before a name that begins with - or +, which could be taken for an option.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tui/session.h"

enum {
    MOST_WORDS = 16,
    NOT_RUN = 127,
    LONGEST_COMMAND = 512,
    LONGEST_PATH = 4096
};

static const char *editor_command(void)
{
    const char *command = getenv("EDITOR");
    return command && *command ? command : "vi";
}

/* Runs in the child. The words of $EDITOR are separated by blanks. */
static void run_editor(const char *command, char *line, char *path)
{
    char words[LONGEST_COMMAND], *argv[MOST_WORDS + 3], *rest = NULL;
    size_t count = 0;
    snprintf(words, sizeof(words), "%s", command);
    for (char *word = strtok_r(words, " \t", &rest); word && count < MOST_WORDS;
         word = strtok_r(NULL, " \t", &rest))
        argv[count++] = word;
    if (count == 0)
        _exit(NOT_RUN);
    argv[count++] = line;
    argv[count++] = path;
    argv[count] = NULL;
    execvp(argv[0], argv);
    _exit(NOT_RUN);
}

/* Ctrl-C is meant for the editor, so this program ignores it meanwhile. */
static int wait_for(pid_t child)
{
    struct sigaction ignored = { .sa_handler = SIG_IGN }, interrupt, quit;
    int status = 0;
    sigemptyset(&ignored.sa_mask);
    sigaction(SIGINT, &ignored, &interrupt);
    sigaction(SIGQUIT, &ignored, &quit);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGQUIT, &quit, NULL);
    return status;
}

static void edit(tui_session *s, int64_t line, char *path)
{
    char plus[32];
    pid_t child;
    int status = 0;
    snprintf(plus, sizeof(plus), "+%lld", (long long)line);
    tui_terminal_leave(&s->terminal);
    fflush(stdout);
    child = fork();
    if (child == 0)
        run_editor(editor_command(), plus, path);
    if (child > 0)
        status = wait_for(child);
    tui_terminal_enter(&s->terminal);
    if (child < 0)
        tui_say(s, "cannot start the editor: %s", strerror(errno));
    else if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_RUN)
        tui_say(s,
                "cannot run the editor '%s' (set EDITOR to an installed "
                "editor)",
                editor_command());
}

/* Writes the path of the file to `path`. Returns false, with a message, if the
 * file cannot be opened. */
static bool find_file(tui_session *s, tfprof_text name, char path[LONGEST_PATH])
{
    struct stat about;
    bool is_odd = name.size > 0 && (name.data[0] == '-' || name.data[0] == '+');
    const char *before = is_odd ? "./" : "";
    if (name.size + 3 > LONGEST_PATH || memchr(name.data, '\0', name.size)) {
        tui_say(s, "cannot open the source file: invalid name");
        return false;
    }
    snprintf(path, LONGEST_PATH, "%s%.*s", before, (int)name.size, name.data);
    if (stat(path, &about) != 0) {
        tui_say(s, "%s: cannot open: %s", path, strerror(errno));
        return false;
    }
    if (!S_ISREG(about.st_mode)) {
        tui_say(s, "%s: cannot open: not a regular file", path);
        return false;
    }
    return true;
}

void tui_open_editor(tui_session *s)
{
    const tui_line *line = &s->now->tree.lines[s->now->cursor];
    tfprof_text file = tfprof_view_fact(s->now->view, line->row,
                                        TFPROF_FACT_FILE);
    char path[LONGEST_PATH];
    if (line->more > 0 || file.size == 0) {
        if (!strcmp(s->now->type, "code"))
            tui_say(s, "this row has no source line");
        else
            tui_say(s, "this view has no source lines (press c for the code "
                       "view)");
        return;
    }
    if (find_file(s, file, path))
        edit(s, tfprof_view_line(s->now->view, line->row), path);
}
