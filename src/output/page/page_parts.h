/*
 * page_parts.h - the page of `--output html:` without its data.
 *
 * A file consists of before_title, the title (escaped as HTML text),
 * before_data, the data in base64, and after_data. The parts contain the policy
 * of the page, with the hashes of its script and style. cmake/PackPage.cmake
 * makes the parts from page/. page/README.md describes the format of the data.
 */
#ifndef TFP_OUTPUT_PAGE_PARTS_H
#define TFP_OUTPUT_PAGE_PARTS_H

#include "base/bytes.h"

extern const tfp_span tfp_page_before_title;
extern const tfp_span tfp_page_before_data;
extern const tfp_span tfp_page_after_data;

#endif
