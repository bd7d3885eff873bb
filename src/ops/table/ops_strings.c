/*
 * ops_strings.c - texts, and the files that hold them.
 */
#include "model/attrs.h"
#include "ops/table/common.h"
#include "ops/table/form.h"
#include "proto/dtype.h"

/* Inputs 1 and 2 are scalars. */
static void infer_replaced(tfp_site *site)
{
    if (tfp_site_has_rank(site, 1, 0) && tfp_site_has_rank(site, 2, 0))
        tfp_infer_same(site);
}

static void infer_matched(tfp_site *site)
{
    if (tfp_site_has_rank(site, 1, 0))
        tfp_infer_same(site);
}

/* All inputs that are not scalars have the same shape, which is that of the
 * output. An input of unknown rank may be a scalar and adds no information. */
static void infer_join(tfp_site *site)
{
    tfp_form out, in;
    bool scalars = true;
    out.rank = -1;
    for (size_t i = 0; i < site->input_count; i++) {
        tfp_form_input(site, i, &in);
        scalars &= in.rank == 0;
        if (in.rank > 0 && !tfp_form_merge(&out, &in))
            return;
    }
    if (scalars)
        tfp_site_put_scalar(site, 0);
    else
        tfp_site_put_form(site, 0, &out);
}

/* Pieces as a sparse matrix: where they are, what they are, how large it is. */
static void infer_split(tfp_site *site)
{
    int64_t dims[2] = { TFP_DIM_UNKNOWN, 2 };
    if (!tfp_site_has_rank(site, 0, 1) || !tfp_site_has_rank(site, 1, 0))
        return;
    tfp_site_put(site, 0, dims, 2);
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 2, 2);
}

static void infer_substring(tfp_site *site)
{
    tfp_form position, length, out;
    tfp_form_input(site, 1, &position);
    tfp_form_input(site, 2, &length);
    if (position.rank >= 0 && length.rank >= 0) {
        if (position.rank != length.rank)
            return;
        for (int i = 0; i < position.rank; i++) {
            if (position.at[i] != length.at[i])
                return;
        }
    }
    tfp_form_input(site, 0, &length);
    if (tfp_form_broadcast(&length, &position, &out))
        tfp_site_put_form(site, 0, &out);
}

/* One text for each row of code points. */
static void infer_unicode_encode(tfp_site *site)
{
    tfp_form splits;
    if (!tfp_site_has_rank(site, 0, 1) ||
        !tfp_form_input_of(site, 1, 1, &splits))
        return;
    if (splits.at[0] == 0)
        return;
    tfp_site_put_vector(site, 0,
                        splits.at[0] < 0 ? splits.at[0] : splits.at[0] - 1);
}

static void infer_unicode_decode(tfp_site *site)
{
    int64_t texts = tfp_dims_elements(tfp_site_input(site, 0));
    tfp_site_put_vector(site, 0, tfp_dim_add(texts, 1));
    tfp_site_put_vector(site, 1, TFP_DIM_UNKNOWN);
    tfp_site_put_vector(site, 2, TFP_DIM_UNKNOWN);
}

static void infer_ngrams(tfp_site *site)
{
    tfp_form splits;
    if (!tfp_site_has_rank(site, 0, 1) ||
        !tfp_form_input_of(site, 1, 1, &splits))
        return;
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
    tfp_site_put_form(site, 1, &splits);
}

/* The bytes of each text as a row of numbers. */
static void infer_decode_raw(tfp_site *site)
{
    tfp_form form;
    tfp_form_input(site, 0, &form);
    tfp_form_append(&form, TFP_DIM_UNKNOWN);
    tfp_site_put_form(site, 0, &form);
}

static void infer_decode_padded(tfp_site *site)
{
    const tfp_dtype_facts *type;
    tfp_form form;
    int64_t length = tfp_site_dim_value(site, 1);
    tfp_form_input(site, 0, &form);
    type = tfp_dtype_find(tfp_site_type(site, TFP_KEY_out_type));
    if (form.rank < 0 || !type || type->size == 0 ||
        (length >= 0 && length % type->size != 0))
        return;
    tfp_form_append(&form, length < 0 ? length : length / type->size);
    tfp_site_put_form(site, 0, &form);
}

static void infer_decode_csv(tfp_site *site)
{
    for (size_t i = 0; i < site->output_count; i++)
        tfp_site_put_shape(site, i, tfp_site_input_fact(site, 0)->shape);
}

/* A list of names, for any number of patterns. */
static void infer_vector(tfp_site *site)
{
    tfp_site_put_vector(site, 0, TFP_DIM_UNKNOWN);
}

const tfp_op tfp_ops_strings[] = {
    /* name, outputs, shapes */
    { "AsString", "output", tfp_infer_same, .formula = "free" },
    { "DecodeBase64", "output", tfp_infer_same, .formula = "free" },
    { "DecodeCSV", "output*OUT_TYPE", infer_decode_csv, .formula = "free" },
    { "DecodeCompressed", "output", tfp_infer_same, .formula = "free" },
    { "DecodeJSONExample", "binary_examples", tfp_infer_same,
      .formula = "free" },
    { "DecodePaddedRaw", "output", infer_decode_padded, .formula = "free" },
    { "DecodeRaw", "output", infer_decode_raw, .formula = "free" },
    { "EncodeBase64", "output", tfp_infer_same, .formula = "free" },
    { "MatchingFiles", "filenames", infer_vector, .formula = "free" },
    { "ReadFile", "contents", tfp_infer_scalar, .formula = "free" },
    { "RegexFullMatch", "output", infer_matched, .formula = "free" },
    { "RegexReplace", "output", infer_replaced, .formula = "free" },
    { "ShardedFilename", "filename", tfp_infer_scalar, .formula = "free" },
    { "ShardedFilespec", "filename", tfp_infer_scalar, .formula = "free" },
    { "StaticRegexFullMatch", "output", tfp_infer_same, .formula = "free" },
    { "StaticRegexReplace", "output", tfp_infer_same, .formula = "free" },
    { "StringFormat", "output", tfp_infer_scalar, .formula = "free" },
    { "StringJoin", "output", infer_join, .formula = "free" },
    { "StringLength", "output", tfp_infer_same, .formula = "free" },
    { "StringLower", "output", tfp_infer_same, .formula = "free" },
    { "StringNGrams", "ngrams,ngrams_splits", infer_ngrams, .formula = "free" },
    { "StringSplit", "indices,values,shape", infer_split, .formula = "free" },
    { "StringSplitV2", "indices,values,shape", infer_split, .formula = "free" },
    { "StringStrip", "output", tfp_infer_same, .formula = "free" },
    { "StringToHashBucket", "output", tfp_infer_same, .formula = "free" },
    { "StringToHashBucketFast", "output", tfp_infer_same, .formula = "free" },
    { "StringToHashBucketStrong", "output", tfp_infer_same, .formula = "free" },
    { "StringToNumber", "output", tfp_infer_same, .formula = "free" },
    { "StringUpper", "output", tfp_infer_same, .formula = "free" },
    { "Substr", "output", infer_substring, .formula = "free" },
    { "UnicodeDecode", "row_splits,char_values", infer_unicode_decode,
      .formula = "free" },
    { "UnicodeDecodeWithOffsets", "row_splits,char_values,char_to_byte_starts",
      infer_unicode_decode, .formula = "free" },
    { "UnicodeEncode", "output", infer_unicode_encode, .formula = "free" },
    { "UnicodeScript", "output", tfp_infer_same, .formula = "free" },
    { "UnicodeTranscode", "output", tfp_infer_same, .formula = "free" },
    { "WriteFile", "", tfp_infer_nothing, .formula = "free" },
    { 0 },
};
