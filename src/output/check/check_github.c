/*
 * check_github.c - verdicts about budgets as workflow commands of GitHub, which
 * make annotations of files.
 *
 *     ::error file=model.py,line=37,title=tfprof check%3A params::too many
 */
#include "base/escape.h"
#include "budget/verdict.h"
#include "output/check/check_parts.h"

/* GitHub shows so many annotations of each kind for a step of a workflow. */
enum { MOST = 10 };

/* ---- Escapes ------------------------------------------------------------ */

static const char *escape_of(uint8_t byte, bool is_property)
{
    switch (byte) {
    case '%': return "%25";
    case '\r': return "%0D";
    case '\n': return "%0A";
    case ':': return is_property ? "%3A" : NULL;
    case ',': return is_property ? "%2C" : NULL;
    default: return NULL;
    }
}

/* Hidden and invalid characters are written as \xHH, line ends as GitHub has
 * them. */
static void put_escaped(tfp_sink *sink, tfp_span text, bool is_property)
{
    size_t from = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char *escape = escape_of(text.data[i], is_property);
        if (!escape)
            continue;
        tfp_sink_escaped(sink, (tfp_span){ text.data + from, i - from });
        tfp_sink_text(sink, escape);
        from = i + 1;
    }
    if (text.size > from)
        tfp_sink_escaped(sink,
                         (tfp_span){ text.data + from, text.size - from });
}

/* ---- Commands ----------------------------------------------------------- */

static const char *command_of(tfp_check_verdict verdict)
{
    return verdict == TFP_CHECK_BROKEN ? "::error " : "::warning ";
}

/* The line of the row; else the file of budgets, which has the limit. */
static void put_file(tfp_check_writer *w, const tfp_measured *measured)
{
    const char *file = measured->file ? measured->file
                                      : w->answer->budgets_path;
    if (!file)
        return;
    tfp_sink_text(w->sink, "file=");
    put_escaped(w->sink, tfp_span_of(file), true);
    tfp_sink_char(w->sink, ',');
    if (measured->file && measured->line > 0)
        tfp_sink_format(w->sink, "line=%lld,", (long long)measured->line);
}

static void put_annotation(tfp_check_writer *w, const tfp_checked *checked)
{
    tfp_sink_text(w->sink, command_of(checked->verdict));
    put_file(w, checked->measured);
    tfp_sink_text(w->sink, "title=tfprof check%3A ");
    put_escaped(w->sink, tfp_check_label(w, checked), true);
    tfp_sink_text(w->sink, "::");
    put_escaped(w->sink, tfp_check_message(w, checked), false);
    tfp_sink_char(w->sink, '\n');
}

/* The last annotation that GitHub shows names those that it would not. */
static void put_rest(tfp_check_writer *w, size_t from, size_t end)
{
    tfp_check_verdict verdict = tfp_check_at(w, from)->verdict;
    tfp_name_list names = { .room = sizeof(names.text) };
    for (size_t i = from; i < end; i++)
        tfp_name_list_add(&names, tfp_check_label(w, tfp_check_at(w, i)));
    tfp_name_list_end(&names);
    tfp_sink_text(w->sink, command_of(verdict));
    tfp_sink_format(w->sink,
                    "title=tfprof check::and %zu more %s: ", end - from,
                    verdict == TFP_CHECK_BROKEN ? "broken budgets"
                                                : "budgets without a verdict");
    put_escaped(w->sink, tfp_span_of(names.text), false);
    tfp_sink_char(w->sink, '\n');
}

static void put_kind(tfp_check_writer *w, size_t from, size_t count)
{
    size_t shown = count > MOST ? MOST - 1 : count;
    for (size_t i = from; i < from + shown; i++)
        put_annotation(w, tfp_check_at(w, i));
    if (shown < count)
        put_rest(w, from + shown, from + count);
}

void tfp_check_write_github(tfp_check_writer *w)
{
    size_t broken = w->counts[TFP_CHECK_BROKEN];
    put_kind(w, 0, broken);
    put_kind(w, broken, w->counts[TFP_CHECK_NO_VERDICT]);
    tfp_check_put_summary(w);
    tfp_sink_char(w->sink, '\n');
    tfp_check_put_last(w);
}
