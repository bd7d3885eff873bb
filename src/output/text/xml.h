/*
 * xml.h - text in a document of XML 1.0.
 */
#ifndef TFP_OUTPUT_XML_H
#define TFP_OUTPUT_XML_H

#include "base/bytes.h"
#include "output/sink/sink.h"

/* Text of an element, or of an attribute in double quotes. Characters that XML
 * forbids, hidden ones (line ends too) and invalid UTF-8 become the text
 * \xHH. */
void tfp_xml_text(tfp_sink *sink, tfp_span text);

#endif
