/*
 * demo.c - `tfprof demo DIR`: writes sample models, and says what to ask of
 * them.
 *
 * The files lie beside the program, wherever that was installed; a program that
 * needs no other file has some of them inside. DIR is new or empty, so nothing
 * is overwritten, and after a failure it is as it was.
 */
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/demo.h"

enum { LONGEST_PATH = 4096 };

typedef struct path {
    char text[LONGEST_PATH];
} path;

static const struct {
    const char *name, *about;
} samples[] = {
    { "jax", "layers in training with JAX: a trace of five steps" },
    { "multi", "layers on two devices: a graph, its op log and two steps" },
    { "tf1_cnn", "a convolutional network: a SavedModel" },
    { "while", "a loop: a graph, its op log and two steps" },
};

static const struct {
    const char *command, *sample, *options;
} questions[] = {
    { "summary", "jax", "" },
    { "code", "jax", "" },
    { "flops", "tf1_cnn", "" },
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* "A/B"; false when that is too long. */
static bool join(path *out, const char *folder, const char *name)
{
    int size = snprintf(out->text, sizeof(out->text), "%s/%s", folder, name);
    return size >= 0 && (size_t)size < sizeof(out->text);
}

/* ---- Where the samples are ---------------------------------------------- */

#ifdef TFPROF_DEMO_PLACE

/* From the folder of the program: installed, built, and two of a wheel, which
 * has the samples in its package. */
static const char *const places[] = {
    TFPROF_DEMO_PLACE,
    "share/tfprof/demo",
    "../lib*/python3*/*-packages/tfprof/_samples",
    "../tfprof/_samples",
};

/* The folder of the program, in which no letter has a meaning to glob(). */
static bool find_program(path *folder)
{
    char program[LONGEST_PATH];
    ssize_t size = readlink("/proc/self/exe", program, sizeof(program) - 1);
    size_t used = 0;
    char *slash;
    if (size <= 0 || (size_t)size >= sizeof(program) - 1)
        return false;
    program[size] = '\0';
    slash = strrchr(program, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (const char *at = program; *at; at++) {
        if (used + 2 >= sizeof(folder->text))
            return false;
        if (strchr("*?[]\\", *at))
            folder->text[used++] = '\\';
        folder->text[used++] = *at;
    }
    folder->text[used] = '\0';
    return true;
}

/* The first folder that a pattern matches. */
static bool find_place(const char *pattern, path *folder)
{
    glob_t found;
    int size = -1;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
        size = snprintf(folder->text, sizeof(folder->text), "%s",
                        found.gl_pathv[0]);
    globfree(&found);
    return size >= 0 && (size_t)size < sizeof(folder->text);
}

static bool find_samples(path *folder)
{
    path program, pattern;
    if (find_program(&program)) {
        for (size_t i = 0; i < COUNT(places); i++) {
            if (join(&pattern, program.text, places[i]) &&
                find_place(pattern.text, folder))
                return true;
        }
    }
    cli_complain("cannot find the sample models, which are installed as "
                 "share/tfprof/demo next to this program (install the complete "
                 "package)");
    return false;
}

#else

static bool find_samples(path *folder)
{
    folder->text[0] = '\0'; /* they are inside */
    return true;
}

#endif

/* ---- The folder for them ------------------------------------------------ */

#define SUITABLE "use a new or empty directory that you can write to"

/* Makes the folders of a path that are not there, all of them or all but the
 * last part. 0, or what errno was. */
static int make_folders(const char *name, bool with_last)
{
    path part;
    char *at = part.text + 1;
    if (!join(&part, name, ""))
        return ENAMETOOLONG;
    if (!with_last)
        *strrchr(part.text, '/') = '\0'; /* that of join() */
    while ((at = strchr(at, '/')) != NULL) {
        *at = '\0';
        if (mkdir(part.text, 0777) != 0 && errno != EEXIST)
            return errno;
        *at++ = '/';
    }
    return 0;
}

/* Whether it is a folder, and empty. */
static int check_folder(const char *folder)
{
    const struct dirent *entry;
    DIR *entries = opendir(folder);
    if (!entries) {
        cli_complain("%s: cannot open: %s (" SUITABLE ")", folder,
                     strerror(errno));
        return EXIT_OUTPUT;
    }
    do
        entry = readdir(entries);
    while (entry &&
           (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")));
    closedir(entries);
    if (!entry)
        return EXIT_ANSWERED;
    cli_complain("%s: directory is not empty (" SUITABLE ")", folder);
    return EXIT_OUTPUT;
}

/* ---- Writing ------------------------------------------------------------ */

/* The bytes of a file, which the caller frees; NULL, with a complaint. */
static unsigned char *read_sample(const char *folder, const cli_demo_file *file)
{
    unsigned char *data = malloc(file->size + 1);
    size_t size = 0;
    path from;
    FILE *in = join(&from, folder, file->path) ? fopen(from.text, "rb") : NULL;
    if (in && data)
        size = fread(data, 1, file->size + 1, in);
    if (!data)
        cli_complain("out of memory");
    else if (!in || ferror(in))
        cli_complain("%s: cannot read: %s", from.text, strerror(errno));
    else if (size != file->size)
        cli_complain("%s: not the sample model of this version (install the "
                     "complete package)",
                     from.text);
    if (in)
        fclose(in);
    if (size == file->size)
        return data;
    free(data);
    return NULL;
}

static int write_bytes(const char *to, const unsigned char *data, size_t size)
{
    FILE *out = fopen(to, "wbx");
    int why;
    if (!out)
        return errno;
    why = fwrite(data, 1, size, out) == size ? 0 : errno;
    if (fclose(out) != 0 && why == 0)
        why = errno;
    return why;
}

static int write_sample(const char *from, const char *folder,
                        const cli_demo_file *file)
{
    unsigned char *owned = file->data ? NULL : read_sample(from, file);
    path to;
    int why = ENAMETOOLONG;
    if (!file->data && !owned)
        return EXIT_INPUT;
    if (join(&to, folder, file->path)) {
        why = make_folders(to.text, false);
        if (why == 0)
            why = write_bytes(to.text, file->data ? file->data : owned,
                              file->size);
    }
    free(owned);
    if (why == 0)
        return EXIT_ANSWERED;
    cli_complain("%s: cannot write: %s (" SUITABLE ")", folder, strerror(why));
    return EXIT_OUTPUT;
}

/* Takes a file away, and the folders above it that are then empty. */
static void remove_sample(const char *folder, const cli_demo_file *file)
{
    size_t least = strlen(folder);
    path gone;
    char *slash;
    if (!join(&gone, folder, file->path))
        return;
    unlink(gone.text);
    while ((slash = strrchr(gone.text, '/')) > gone.text + least) {
        *slash = '\0';
        if (rmdir(gone.text) != 0)
            return;
    }
}

static int write_samples(const char *from, const char *folder)
{
    int code = EXIT_ANSWERED;
    size_t count = 0;
    while (cli_demo_files[count].path && code == EXIT_ANSWERED)
        code = write_sample(from, folder, &cli_demo_files[count++]);
    while (code != EXIT_ANSWERED && count > 0)
        remove_sample(folder, &cli_demo_files[--count]);
    return code;
}

/* ---- What was written --------------------------------------------------- */

static bool is_written(const char *sample)
{
    size_t size = strlen(sample);
    for (const cli_demo_file *file = cli_demo_files; file->path; file++) {
        if (!strncmp(file->path, sample, size) && file->path[size] == '/')
            return true;
    }
    return false;
}

/* What is in the folder, which has been escaped. */
static void print_sample(const char *folder, const char *name)
{
    char word[4 * LONGEST_PATH + 64];
    const char *divider = folder[strlen(folder) - 1] == '/' ? "" : "/";
    snprintf(word, sizeof(word), "%s%s%s%s", folder[0] == '-' ? "./" : "",
             folder, divider, name);
    cli_print_quoted(stdout, word);
}

static int tell(const char *folder)
{
    char safe[4 * LONGEST_PATH];
    size_t bytes = 0;
    for (const cli_demo_file *file = cli_demo_files; file->path; file++)
        bytes += file->size;
    tfprof_escape(folder, strlen(folder), safe, sizeof(safe));
    printf("wrote sample models to %s (%zu KB):\n", safe, bytes / 1000);
    for (size_t i = 0; i < COUNT(samples); i++) {
        if (is_written(samples[i].name))
            printf("  %-8s %s\n", samples[i].name, samples[i].about);
    }
    fputs("\ntry:\n", stdout);
    for (size_t i = 0; i < COUNT(questions); i++) {
        printf("  tfprof %s ", questions[i].command);
        print_sample(safe, questions[i].sample);
        printf("%s\n", questions[i].options);
    }
    return cli_finish_stdout(EXIT_ANSWERED);
}

/* ---- The command -------------------------------------------------------- */

static int demonstrate(const char *folder)
{
    path from;
    bool is_new = access(folder, F_OK) != 0;
    int code, why;
    if (!find_samples(&from))
        return EXIT_INPUT;
    why = is_new ? make_folders(folder, true) : 0;
    if (why != 0) {
        cli_complain("%s: cannot create: %s (" SUITABLE ")", folder,
                     strerror(why));
        return EXIT_OUTPUT;
    }
    code = check_folder(folder);
    if (code == EXIT_ANSWERED)
        code = write_samples(from.text, folder);
    if (code == EXIT_ANSWERED)
        return tell(folder);
    if (is_new)
        rmdir(folder);
    return code;
}

static int take(const cli_command *command, tfprof_profile *profile,
                const cli_args *args)
{
    (void)profile;
    if (args->input_count == 0 || args->inputs[0].path[0] == '\0') {
        cli_complain("%s needs an output directory: tfprof %s %s",
                     command->name, command->name, command->usage);
        return EXIT_USAGE;
    }
    if (args->input_count > 1) {
        cli_complain("%s accepts only one directory; unexpected '%s'",
                     command->name, args->inputs[1].path);
        return EXIT_USAGE;
    }
    return demonstrate(args->inputs[0].path);
}

int cli_run_demo(const cli_command *command, char **args)
{
    return cli_run_on_inputs(command, args, take);
}
