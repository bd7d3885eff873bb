/*
 * sanitized.h - is this build watched by a sanitizer?
 */
#ifndef TFP_TESTS_SANITIZED_H
#define TFP_TESTS_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__)
#define TFP_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TFP_SANITIZED 1
#endif
#endif

#endif
