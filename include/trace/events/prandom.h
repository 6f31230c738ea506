/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM random

#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE prandom

#if !defined(_TRACE_PRANDOM_H) || defined(TRACE_HEADER_MULTI_READ)
#define _TRACE_PRANDOM_H

#include <linux/tracepoint.h>

/* One event a prandom_u32() call; inlined draws leave none. */
TRACE_EVENT(prandom_u32,
	    TP_PROTO(unsigned int ret),
	    TP_ARGS(ret),
	    TP_STRUCT__entry(__field(unsigned int, ret)),
	    TP_fast_assign(__entry->ret = ret;),
	    TP_printk("ret=%u", __entry->ret)
);

#endif /* _TRACE_PRANDOM_H */

/* This part must be outside protection */
#include <trace/define_trace.h>
