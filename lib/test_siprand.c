// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests for the SipHash generator
 *
 * One property a case.  Known answers come from test_siprand_vectors.h.  Cases
 * that judge random values state how often a perfect generator fails them; all
 * are below 2^-40.
 */

#include <kunit/test.h>

#include <linux/siprand.h>

#include <linux/bpf.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/inetdevice.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/preempt.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/skbuff.h>
#include <linux/smp.h>
#include <linux/sort.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/timex.h>
#include <net/net_namespace.h>
#include <trace/events/prandom.h>

#ifdef CONFIG_PM_SLEEP
#include "../kernel/power/power.h"
#endif

#include "test_siprand_vectors.h"

/*********************************************************************
 *
 * Known answers.
 *
 *********************************************************************/

/* Word of the message (or key) 00 01 02 ... of @len bytes, from byte @from on. */
static unsigned long count_word(size_t from, size_t len)
{
	unsigned long word = 0;
	size_t i;

	for (i = 0; i < sizeof(word) && from + i < len; i++)
		word |= (unsigned long)(from + i) << (8 * i);
	return word;
}

static void rounds(unsigned long v[4], unsigned int count)
{
	while (count--)
		siprand_round(&v[0], &v[1], &v[2], &v[3]);
}

/* SipHash-2-4 or HalfSipHash-2-4 of 00 01 02 ... under the key 00 01 02 ... */
static unsigned long count_hash(size_t len)
{
	const size_t size = sizeof(unsigned long);
	unsigned long k0 = count_word(0, 16), k1 = count_word(size, 16);
#if BITS_PER_LONG == 64
	unsigned long v[4] = {
		k0 ^ 0x736f6d6570736575UL, k1 ^ 0x646f72616e646f6dUL,
		k0 ^ 0x6c7967656e657261UL, k1 ^ 0x7465646279746573UL
	};
#else
	unsigned long v[4] = { k0, k1, k0 ^ 0x6c796765UL, k1 ^ 0x74656462UL };
#endif
	size_t from;

	for (from = 0; from <= len; from += size) {
		unsigned long word = count_word(from, len);

		if (from + size > len)
			word |= (unsigned long)len << (BITS_PER_LONG - 8);
		v[3] ^= word;
		rounds(v, 2);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	rounds(v, 4);
	return BITS_PER_LONG == 64 ? v[0] ^ v[1] ^ v[2] ^ v[3] : v[1] ^ v[3];
}

static void test_round_vectors(struct kunit *test)
{
	size_t len;

	for (len = 0; len < ARRAY_SIZE(siprand_vec_hash); len++)
		KUNIT_EXPECT_EQ_MSG(test, count_hash(len), siprand_vec_hash[len],
				    "message of %zu bytes", len);
}

static void expect_words(struct kunit *test, const unsigned long *got,
			 const unsigned long *want)
{
	unsigned int i;

	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ_MSG(test, got[i], want[i], "word %u", i);
}

/* A state of nobody's, keyed from the current generation. */
static void plant(struct siprand_state *state, const unsigned long v[4])
{
	memcpy(state->v, v, sizeof(state->v));
	state->noise = 0;
	state->generation = READ_ONCE(siprand_generation);
}

/* siprand_load() as siprand_draw() and siprand_draw_behind() use it. */
static __always_inline void load(struct siprand_words *words, struct siprand_state *state,
				 enum siprand_instance instance)
{
	unsigned long generation = READ_ONCE(siprand_generation);

	if (state->generation != generation)
		generation = siprand_rekey(state, instance);
	siprand_load(words, state, generation);
}

static u32 draw(struct siprand_state *state, unsigned long n)
{
	struct siprand_words words;
	u32 ret;

	load(&words, state, SIPRAND_KERNEL);
	ret = siprand_step(&words, n);
	siprand_store(state, &words);
	return ret;
}

static void test_draw_vectors(struct kunit *test)
{
	struct siprand_state state;
	unsigned long flags;
	u32 out[ARRAY_SIZE(siprand_vec_draw_n)];
	unsigned int i, tries = 0;

	/* Again if the state was rekeyed by a renewal on another CPU. */
	do {
		local_irq_save(flags);
		plant(&state, siprand_vec_draw_v);
		for (i = 0; i < ARRAY_SIZE(out); i++)
			out[i] = draw(&state, siprand_vec_draw_n[i]);
		local_irq_restore(flags);
	} while (memcmp(state.v, siprand_vec_draw_end, sizeof(state.v)) && ++tries < 3);

	for (i = 0; i < ARRAY_SIZE(out); i++)
		KUNIT_EXPECT_EQ_MSG(test, out[i], siprand_vec_draw_out[i], "draw %u", i);
	expect_words(test, state.v, siprand_vec_draw_end);
}

static void test_noise_vectors(struct kunit *test)
{
	const unsigned long *in = siprand_vec_stir_in;

	KUNIT_EXPECT_EQ(test, siprand_stir(in[0], in[1], in[2], in[3], in[4]),
			siprand_vec_stir_out[0]);
}

static void test_derive_vectors(struct kunit *test)
{
	const siphash_key_t key = { { siprand_vec_key[0], siprand_vec_key[1] } };
	unsigned long v[4];

	memcpy(v, siprand_vec_derive_v, sizeof(v));
	siprand_derive(v, &key, SIPRAND_PROGRAM, 0x1234, 0x89abcdefUL);
	expect_words(test, v, siprand_vec_derive_out);
}

static void test_next_key_vectors(struct kunit *test)
{
	const siphash_key_t key = { { siprand_vec_key[0], siprand_vec_key[1] } };
	const siphash_key_t fresh = { { siprand_vec_fresh[0], siprand_vec_fresh[1] } };
	siphash_key_t keys[2];
	unsigned int i;

	siprand_next_keys(keys, &key, &fresh, 0x89abcdefUL, 0x76543210UL);
	for (i = 0; i < 4; i++)
		KUNIT_EXPECT_EQ_MSG(test, keys[i / 2].key[i % 2], siprand_vec_next[i],
				    "word %u", i);
}

static void test_zero_key_on_zero_state(struct kunit *test)
{
	const siphash_key_t key = {};
	const unsigned long zero[4] = {};
	struct siprand_state state;
	unsigned long v[4] = {};

	siprand_derive(v, &key, SIPRAND_KERNEL, 0, 0);
	expect_words(test, v, siprand_vec_derive_zero);
	KUNIT_EXPECT_NE(test, memcmp(v, zero, sizeof(v)), 0);

	/* Without any keying, one draw leads away from zero. */
	plant(&state, zero);
	draw(&state, siprand_context());
	KUNIT_EXPECT_NE(test, memcmp(state.v, zero, sizeof(zero)), 0);
}

/*********************************************************************
 *
 * The API.
 *
 *********************************************************************/

/*
 * Each byte takes another value in one of 8 calls; 34 x 33 / 2 x 8 bytes with
 * 2^-56 each fail with p = 2^-43.
 */
static void test_bytes(struct kunit *test)
{
	enum { ALIGN = 8, MOST = 33, GUARD = 16, FILL = 0xa5 };
	u8 *buf = kunit_kzalloc(test, GUARD + ALIGN + MOST + GUARD, GFP_KERNEL);
	u8 first[MOST], varied[MOST];
	size_t size = GUARD + ALIGN + MOST + GUARD, align, len, i;
	unsigned int call;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, buf);
	for (align = 0; align < ALIGN; align++) {
		for (len = 0; len <= MOST; len++) {
			u8 *to = buf + GUARD + align;

			memset(buf, FILL, size);
			memset(varied, 0, sizeof(varied));
			for (call = 0; call < 8; call++) {
				prandom_bytes(to, len);
				if (!call)
					memcpy(first, to, len);
				for (i = 0; i < len; i++)
					varied[i] |= first[i] ^ to[i];
			}
			for (i = 0; i < len; i++)
				if (!varied[i])
					KUNIT_FAIL(test, "byte %zu of %zu at %zu never changes",
						   i, len, align);
			for (i = 0; i < size; i++)
				if ((buf + i < to || buf + i >= to + len) && buf[i] != FILL)
					KUNIT_FAIL(test, "wrote at %zd, not in %zu bytes at %zu",
						   buf + i - to, len, align);
		}
	}
}

static void test_below_bounds(struct kunit *test)
{
	static const u32 ceils[] = { 1, 2, 3, 10, 1000, 0x80000001U, U32_MAX };
	unsigned int i, n;

	KUNIT_EXPECT_EQ(test, prandom_u32_below(0), (u32)0);
	for (i = 0; i < ARRAY_SIZE(ceils); i++)
		for (n = 0; n < 10000; n++)
			KUNIT_ASSERT_LT(test, prandom_u32_below(ceils[i]), ceils[i]);
}

/* Chi-square with 10 degrees of freedom exceeds 80 with p = 2^-40.8. */
static void test_below_chi_square(struct kunit *test)
{
	enum { CELLS = 11, EXPECT = 4096 };
	unsigned int count[CELLS] = {}, i;
	u64 sum = 0;

	for (i = 0; i < CELLS * EXPECT; i++)
		count[prandom_u32_below(CELLS)]++;
	for (i = 0; i < CELLS; i++) {
		s64 diff = (s64)count[i] - EXPECT;

		sum += diff * diff;
	}
	KUNIT_EXPECT_LE(test, sum, (u64)80 * EXPECT);
}

/* 1000 intervals all miss the first or last quarter with p = 2^-414. */
static void test_interval(struct kunit *test)
{
	unsigned long least = ULONG_MAX, most = 0;
	unsigned int i;

	for (i = 0; i < 1000; i++) {
		unsigned long interval = siprand_interval();

		least = min(least, interval);
		most = max(most, interval);
	}
	KUNIT_EXPECT_GE(test, least, 40UL * HZ);
	KUNIT_EXPECT_LT(test, least, 50UL * HZ);
	KUNIT_EXPECT_GE(test, most, 70UL * HZ);
	KUNIT_EXPECT_LT(test, most, 80UL * HZ);
}

/* Nothing sleeps, spins on a lock or complains; lockdep builds see the most. */
static void test_atomic_contexts(struct kunit *test)
{
	static DEFINE_RAW_SPINLOCK(lock);
	u32 seen = 0, buf[4] = {};
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 64; i++) {
		raw_spin_lock_irqsave(&lock, flags);
		seen |= prandom_u32();
		seen |= __prandom_u32();
		seen |= siprand_draw(SIPRAND_PROGRAM);
		prandom_bytes(buf, sizeof(buf));
		prandom_u32_add_noise(i, 0, 0, 0);
		raw_spin_unlock_irqrestore(&lock, flags);
	}
	/* 192 draws leave a bit zero with p = 32 x 2^-192. */
	KUNIT_EXPECT_EQ(test, seen, (u32)U32_MAX);
}

#ifdef CONFIG_TRACEPOINTS
struct trace_seen {
	struct task_struct *task;
	unsigned int events;
	u32 last;
};

static void trace_probe(void *data, unsigned int ret)
{
	struct trace_seen *seen = data;

	if (current != seen->task || hardirq_count() || in_serving_softirq())
		return;
	seen->events++;
	seen->last = ret;
}

static void test_tracepoint(struct kunit *test)
{
	struct trace_seen seen = { .task = current };
	unsigned int i;

	KUNIT_ASSERT_EQ(test, register_trace_prandom_u32(trace_probe, &seen), 0);
	for (i = 1; i <= 16; i++) {
		u32 value = prandom_u32();

		KUNIT_EXPECT_EQ(test, seen.events, i);
		KUNIT_EXPECT_EQ(test, seen.last, value);
	}
	unregister_trace_prandom_u32(trace_probe, &seen);
	tracepoint_synchronize_unregister();
	prandom_u32();
	KUNIT_EXPECT_EQ(test, seen.events, 16U);
}
#endif

/*********************************************************************
 *
 * Noise.
 *
 *********************************************************************/

/* Fixed arguments: whether two noise words collide is not left to chance. */
static void test_noise_bits(struct kunit *test)
{
	struct siprand_state *state;
	struct rnd_state rnd;
	unsigned int sample, arg, bit;

	prandom_seed_state(&rnd, 1);
	for (sample = 0; sample < 16; sample++) {
		unsigned long base, args[4], plain, flipped, flags;

		prandom_bytes_state(&rnd, &base, sizeof(base));
		prandom_bytes_state(&rnd, args, sizeof(args));
		for (arg = 0; arg < 4; arg++) {
			for (bit = 0; bit < BITS_PER_LONG; bit++) {
				local_irq_save(flags);
				state = raw_cpu_ptr(&siprand_states[SIPRAND_KERNEL]);
				state->noise = base;
				prandom_u32_add_noise(args[0], args[1], args[2], args[3]);
				plain = state->noise;
				args[arg] ^= 1UL << bit;
				state->noise = base;
				prandom_u32_add_noise(args[0], args[1], args[2], args[3]);
				flipped = state->noise;
				args[arg] ^= 1UL << bit;
				local_irq_restore(flags);
				KUNIT_EXPECT_NE_MSG(test, plain, flipped,
						    "argument %u, bit %u", arg, bit);
			}
		}
	}
}

static void test_noise_changes_draw(struct kunit *test)
{
	unsigned long noise = siprand_vec_draw_n[0];
	unsigned int bit;

	for (bit = 0; bit < BITS_PER_LONG; bit++) {
		struct siprand_state with, without;

		plant(&with, siprand_vec_draw_v);
		plant(&without, siprand_vec_draw_v);
		KUNIT_EXPECT_NE_MSG(test, draw(&with, noise ^ 1UL << bit),
				    draw(&without, noise), "bit %u", bit);
		KUNIT_EXPECT_NE_MSG(test, memcmp(with.v, without.v, sizeof(with.v)), 0,
				    "bit %u", bit);
	}
}

/* The tick of this CPU stirs; a second is time for 100 of them at HZ = 100. */
static void test_tick_stirs(struct kunit *test)
{
	struct siprand_state *state;
	unsigned long before;
	unsigned int ms;
	bool stirred = false;

	preempt_disable();
	state = raw_cpu_ptr(&siprand_states[SIPRAND_KERNEL]);
	before = READ_ONCE(state->noise);
	for (ms = 0; ms < 1000 && !stirred; ms++) {
		mdelay(1);
		stirred = READ_ONCE(state->noise) != before;
	}
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, stirred);
}

#ifdef CONFIG_NET
/* Whether sending one packet over loopback stirred; -1 if a tick was in between. */
static int xmit_one_packet(struct kunit *test, struct net_device *dev)
{
	struct sk_buff *skb = alloc_skb(128, GFP_KERNEL);
	struct siprand_state *state;
	unsigned long before, after, tick;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, skb);
	skb_put_zero(skb, 64);
	skb_reset_mac_header(skb);
	skb->dev = dev;
	skb->protocol = htons(ETH_P_LOOPBACK);

	migrate_disable();
	state = raw_cpu_ptr(&siprand_states[SIPRAND_KERNEL]);
	tick = jiffies;
	before = READ_ONCE(state->noise);
	dev_queue_xmit(skb);
	after = READ_ONCE(state->noise);
	tick -= jiffies;
	migrate_enable();
	return tick ? -1 : before != after;
}

static void test_transmit_stirs(struct kunit *test)
{
	struct net_device *dev = init_net.loopback_dev;
	int opened, stirred = -1, tries;

	rtnl_lock();
	opened = dev->flags & IFF_UP ? 1 : dev_open(dev, NULL);
	rtnl_unlock();
	KUNIT_ASSERT_GE(test, opened, 0);
	for (tries = 0; tries < 100 && stirred < 0; tries++)
		stirred = xmit_one_packet(test, dev);
	if (!opened) {
		rtnl_lock();
		dev_close(dev);
		rtnl_unlock();
	}
	KUNIT_EXPECT_EQ(test, stirred, 1);
}
#endif

/*********************************************************************
 *
 * States, keys and renewals.
 *
 *********************************************************************/

static void test_layout(struct kunit *test)
{
	int cpu;

	KUNIT_EXPECT_EQ(test, sizeof(struct siprand_state), (size_t)64);
	for_each_possible_cpu(cpu) {
		unsigned long address = (unsigned long)per_cpu_ptr(siprand_states, cpu);

		KUNIT_EXPECT_EQ_MSG(test, address % 64, 0UL, "CPU %d", cpu);
	}
}

struct copies {
	struct siprand_state states[SIPRAND_INSTANCES];
};

static void copy_after_draw(void *arg)
{
	struct copies *copies = arg;
	unsigned int i;

	for (i = 0; i < SIPRAND_INSTANCES; i++) {
		siprand_draw(i);
		copies->states[i] = *raw_cpu_ptr(&siprand_states[i]);
	}
}

/* Four words are equal by chance with p = 2^-128 or less. */
static void test_states_differ(struct kunit *test)
{
	unsigned int total = nr_cpu_ids * SIPRAND_INSTANCES, i, j;
	struct copies *copies = kunit_kzalloc(test, nr_cpu_ids * sizeof(*copies),
					      GFP_KERNEL);
	struct siprand_state *states = (struct siprand_state *)copies;
	unsigned int compared = 0;
	int cpu;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, copies);
	for_each_online_cpu(cpu)
		KUNIT_ASSERT_EQ(test, smp_call_function_single(cpu, copy_after_draw,
							       &copies[cpu], 1), 0);
	for (i = 0; i < total; i++) {
		if (!states[i].generation)
			continue;
		for (j = 0; j < i; j++) {
			if (!states[j].generation)
				continue;
			compared++;
			KUNIT_EXPECT_NE_MSG(test, memcmp(states[i].v, states[j].v,
							 sizeof(states[i].v)), 0,
					    "CPU %u and %u, instance %u and %u",
					    i / 2, j / 2, i % 2, j % 2);
		}
	}
	KUNIT_EXPECT_GT(test, compared, 0U);
}

/* What 64 bits a state gives, by two draws. */
static u64 draw_twice(struct siprand_state *state, enum siprand_instance instance)
{
	u64 ret = 0;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct siprand_words words;

		load(&words, state, instance);
		ret = ret << 32 | siprand_step(&words, siprand_vec_draw_n[i]);
		siprand_store(state, &words);
	}
	return ret;
}

struct probe {
	enum siprand_instance instance;
	unsigned long generation;
	u64 fresh, stale;
	unsigned long found;
	bool hardirq;
};

/*
 * Put the same words into this CPU's state, as of a generation that is over,
 * and into one that is not behind: they must part.
 */
static void probe_renewal(struct probe *probe)
{
	struct siprand_state *state = raw_cpu_ptr(&siprand_states[probe->instance]);
	struct siprand_state current_state;

	plant(&current_state, siprand_vec_draw_v);
	memcpy(state->v, siprand_vec_draw_v, sizeof(state->v));
	state->generation = probe->generation;
	probe->fresh = draw_twice(state, probe->instance);
	probe->found = state->generation;
	probe->stale = draw_twice(&current_state, probe->instance);
	probe->hardirq = hardirq_count();
}

static void probe_renewal_ipi(void *arg)
{
	probe_renewal(arg);
}

static u64 stale_draws(void)
{
	return (u64)siprand_vec_draw_out[0] << 32 | siprand_vec_draw_out[1];
}

/* 64 bits are equal by chance with p = 2^-64 for each CPU and instance. */
static void expect_renewed(struct kunit *test, const struct probe *probe)
{
	KUNIT_EXPECT_NE(test, probe->found, probe->generation);
	KUNIT_EXPECT_EQ(test, probe->stale, stale_draws());
	KUNIT_EXPECT_NE(test, probe->fresh, stale_draws());
}

static void test_reseed_reaches_every_cpu(struct kunit *test)
{
	struct probe probe;
	int cpu;

	for_each_online_cpu(cpu) {
		for (probe.instance = 0; probe.instance < SIPRAND_INSTANCES; probe.instance++) {
			probe.generation = READ_ONCE(siprand_generation);
			prandom_reseed();
			KUNIT_ASSERT_EQ(test, smp_call_function_single(cpu, probe_renewal_ipi,
								       &probe, 1), 0);
			expect_renewed(test, &probe);
		}
	}
}

struct irq_probe {
	struct irq_work work;
	struct probe probe;
	bool done;
};

static void probe_renewal_irq(struct irq_work *work)
{
	struct irq_probe *irq = container_of(work, struct irq_probe, work);

	probe_renewal(&irq->probe);
	/* The results before the flag; pairs with wait_for(). */
	smp_store_release(&irq->done, true);
}

static void init_hard_irq_work(struct irq_work *work, void (*func)(struct irq_work *))
{
#ifdef IRQ_WORK_INIT_HARD
	*work = IRQ_WORK_INIT_HARD(func);
#else
	init_irq_work(work, func);
#endif
}

/* Without an interrupt of its own, irq_work waits for the next tick. */
static bool wait_for(bool *done)
{
	unsigned long end = jiffies + HZ;

	/* The flag before the results; pairs with the irq_work functions. */
	while (!smp_load_acquire(done)) {
		if (time_after(jiffies, end))
			return false;
		cpu_relax();
	}
	return true;
}

static void test_reseed_reaches_hardirq(struct kunit *test)
{
	struct irq_probe *irq = kunit_kzalloc(test, sizeof(*irq), GFP_KERNEL);

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, irq);
	init_hard_irq_work(&irq->work, probe_renewal_irq);
	irq->probe.generation = READ_ONCE(siprand_generation);
	prandom_reseed();
	irq_work_queue(&irq->work);
	KUNIT_ASSERT_TRUE(test, wait_for(&irq->done));
	irq_work_sync(&irq->work);
	KUNIT_EXPECT_TRUE(test, irq->probe.hardirq);
	expect_renewed(test, &irq->probe);
}

/* The key of a generation that is over is nowhere: 2^-127 by chance. */
static void test_reseed_erases_key(struct kunit *test)
{
	siphash_key_t before[2];
	unsigned int i, j;

	memcpy(before, siprand_keys, sizeof(before));
	prandom_reseed();
	for (i = 0; i < 2; i++)
		for (j = 0; j < 2; j++)
			KUNIT_EXPECT_NE(test, memcmp(&before[i], &siprand_keys[j],
						     sizeof(before[i])), 0);
}

/* Whatever is passed, a call renews once it returns. */
static void test_seed_renews(struct kunit *test)
{
	static const unsigned long entropies[] = { 0, 0, 1, ULONG_MAX };
	unsigned int i;

	kunit_info(test, "entropy pool %s", rng_is_initialized() ? "ready" : "not ready");
	for (i = 0; i < ARRAY_SIZE(entropies); i++) {
		unsigned long before = READ_ONCE(siprand_generation);

		prandom_seed(entropies[i]);
		KUNIT_EXPECT_GT(test, READ_ONCE(siprand_generation) - before, 0UL);
	}
}

static bool renewed_within_5s(unsigned long before)
{
	unsigned int i;

	for (i = 0; i < 250 && READ_ONCE(siprand_generation) == before; i++)
		msleep(20);
	return READ_ONCE(siprand_generation) != before;
}

static void test_seed_with_interrupts_off(struct kunit *test)
{
	unsigned long before = READ_ONCE(siprand_generation), flags;

	local_irq_save(flags);
	prandom_seed(1);
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, renewed_within_5s(before));
}

static void test_vmfork_renews(struct kunit *test)
{
	unsigned long before = READ_ONCE(siprand_generation);

	siprand_vmfork();
	KUNIT_EXPECT_NE(test, READ_ONCE(siprand_generation), before);
}

#ifdef CONFIG_PM_SLEEP
/* What a suspend and the resume after it tell; tasks are not frozen for that. */
static void test_resume_renews(struct kunit *test)
{
	unsigned long before, suspended;

	before = READ_ONCE(siprand_generation);
	pm_notifier_call_chain(PM_SUSPEND_PREPARE);
	suspended = READ_ONCE(siprand_generation);
	pm_notifier_call_chain(PM_POST_SUSPEND);
	KUNIT_EXPECT_EQ(test, suspended, before);
	KUNIT_EXPECT_NE(test, READ_ONCE(siprand_generation), suspended);
}
#endif

#ifdef CONFIG_HOTPLUG_CPU
/* A renewal while a CPU is off takes effect on its first draw when it is back. */
static void test_hotplug_renews(struct kunit *test)
{
	unsigned int cpu = cpumask_last(cpu_online_mask), i;
	struct copies before, after;
	unsigned long generation;

	if (!cpu) {
		kunit_info(test, "one CPU only, nothing to take off");
		return;
	}
	KUNIT_ASSERT_EQ(test, smp_call_function_single(cpu, copy_after_draw, &before, 1), 0);
	KUNIT_ASSERT_EQ(test, remove_cpu(cpu), 0);
	prandom_reseed();
	generation = READ_ONCE(siprand_generation);
	KUNIT_ASSERT_EQ(test, add_cpu(cpu), 0);
	KUNIT_ASSERT_EQ(test, smp_call_function_single(cpu, copy_after_draw, &after, 1), 0);
	for (i = 0; i < SIPRAND_INSTANCES; i++) {
		KUNIT_EXPECT_GE(test, after.states[i].generation, generation);
		KUNIT_EXPECT_NE(test, memcmp(before.states[i].v, after.states[i].v,
					     sizeof(before.states[i].v)), 0);
	}
}
#endif

#if defined(SIPRAND_OLD_API) && defined(CONFIG_INET)
static int set_address(u32 address)
{
	struct ifreq request = { .ifr_name = "lo:1" };
	struct sockaddr_in *in = (struct sockaddr_in *)&request.ifr_addr;

	in->sin_family = AF_INET;
	in->sin_addr.s_addr = htonl(address);
	return devinet_ioctl(&init_net, SIOCSIFADDR, &request);
}

/* A new address is hashed in, and renews. */
static void test_address_renews(struct kunit *test)
{
	unsigned long before = READ_ONCE(siprand_generation);

	KUNIT_EXPECT_EQ(test, set_address(0x0a000001), 0);
	KUNIT_EXPECT_NE(test, READ_ONCE(siprand_generation), before);
	KUNIT_EXPECT_EQ(test, set_address(INADDR_ANY), 0);
}
#endif

static void test_pool_ready_renews(struct kunit *test)
{
	unsigned long before, flags;

	local_irq_save(flags);
	before = READ_ONCE(siprand_generation);
	siprand_pool_ready();
	local_irq_restore(flags);
	KUNIT_EXPECT_TRUE(test, renewed_within_5s(before));
}

/*
 * A draw is interrupted between load and store by a renewal and a draw that
 * rekeys.  Its store brings back stale words: they must show as such, and must
 * be rekeyed to others than those of the first time (2^-128 by chance).
 */
static void test_overwritten_rekey_is_redone(struct kunit *test)
{
	struct siprand_state state, first, second;
	struct siprand_words words;
	unsigned long stale;

	plant(&state, siprand_vec_draw_v);
	load(&words, &state, SIPRAND_KERNEL);
	stale = words.generation;

	prandom_reseed();
	first = state;
	siprand_rekey(&first, SIPRAND_KERNEL);
	draw(&state, siprand_vec_draw_n[0]);
	KUNIT_EXPECT_NE(test, state.generation, stale);

	siprand_step(&words, siprand_vec_draw_n[1]);
	siprand_store(&state, &words);
	KUNIT_EXPECT_EQ(test, state.generation, stale);

	second = state;
	siprand_rekey(&second, SIPRAND_KERNEL);
	draw(&state, siprand_vec_draw_n[2]);
	KUNIT_EXPECT_NE(test, state.generation, stale);
	KUNIT_EXPECT_NE(test, memcmp(first.v, second.v, sizeof(first.v)), 0);
}

/*********************************************************************
 *
 * Nested draws.
 *
 * Two draws that start from the same words, one alive inside the other, must
 * not be correlated: every bit of (outer ^ inner) is set in half of the cases.
 * For a given pair of stacks the mixing leaves a bias of less than N / 32 of N,
 * which is allowed, and 4 sqrt(N) beyond: 8 standard deviations, exceeded with
 * p = 2^-49, by one of 32 bits with 2^-44.
 *
 *********************************************************************/

enum { NESTINGS = 100000, NESTINGS_LEAST = 256 };

struct nest {
	struct siprand_state state;
	struct irq_work work;
	bool done;
	bool context;
	u32 inner;
	unsigned int count;
	unsigned int flips[32];
};

static __always_inline unsigned long nest_n(const struct nest *nest)
{
	return nest->state.noise ^ (nest->context ? siprand_context() : 0);
}

static noinline void nest_inner(struct nest *nest)
{
	nest->inner = draw(&nest->state, nest_n(nest));
}

static void nest_inner_irq(struct irq_work *work)
{
	struct nest *nest = container_of(work, struct nest, work);

	nest_inner(nest);
	/* The result before the flag; pairs with wait_for(). */
	smp_store_release(&nest->done, true);
}

static bool nest_by_call(struct nest *nest)
{
	nest_inner(nest);
	return true;
}

static bool nest_by_interrupt(struct nest *nest)
{
	nest->done = false;
	irq_work_queue(&nest->work);
	return wait_for(&nest->done);
}

static noinline bool nest_outer(struct nest *nest, bool (*between)(struct nest *))
{
	struct siprand_words words;
	unsigned int bit;
	bool nested;
	u32 differ;

	preempt_disable();
	load(&words, &nest->state, SIPRAND_KERNEL);
	nested = between(nest);
	differ = siprand_step(&words, nest_n(nest)) ^ nest->inner;
	siprand_store(&nest->state, &words);
	preempt_enable();
	if (!nested)
		return false;
	nest->count++;
	for (bit = 0; bit < 32; bit++)
		nest->flips[bit] += differ >> bit & 1;
	return true;
}

/* Number of output bits that are outside of the bound. */
static unsigned int nest_bad_bits(const struct nest *nest)
{
	unsigned int bit, bad = 0;

	for (bit = 0; bit < 32; bit++) {
		s64 off = abs((s64)nest->flips[bit] * 2 - nest->count) / 2 - nest->count / 32;

		bad += off > 0 && off * off > 16 * (s64)nest->count;
	}
	return bad;
}

static struct nest *nest_run(struct kunit *test, bool context,
			     bool (*between)(struct nest *))
{
	struct nest *nest = kunit_kzalloc(test, sizeof(*nest), GFP_KERNEL);
	unsigned long end = jiffies + 5 * HZ;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, nest);
	nest->context = context;
	plant(&nest->state, siprand_vec_draw_v);
	init_hard_irq_work(&nest->work, nest_inner_irq);
	while (nest->count < NESTINGS &&
	       (nest->count < NESTINGS_LEAST || time_before(jiffies, end))) {
		if (!nest_outer(nest, between))
			break;
		cond_resched();
	}
	irq_work_sync(&nest->work);
	kunit_info(test, "%u nestings", nest->count);
	return nest;
}

static void test_nested_call(struct kunit *test)
{
	struct nest *nest = nest_run(test, true, nest_by_call);

	KUNIT_EXPECT_EQ(test, nest->count, (unsigned int)NESTINGS);
	KUNIT_EXPECT_EQ(test, nest_bad_bits(nest), 0U);
}

static void test_nested_interrupt(struct kunit *test)
{
	struct nest *nest = nest_run(test, true, nest_by_interrupt);

	KUNIT_EXPECT_GE(test, nest->count, (unsigned int)NESTINGS_LEAST);
	KUNIT_EXPECT_EQ(test, nest_bad_bits(nest), 0U);
}

/* The two cases above do see it when the context is left out. */
static void test_nested_without_context(struct kunit *test)
{
	struct nest *nest = nest_run(test, false, nest_by_call);

	KUNIT_EXPECT_EQ(test, nest->count, (unsigned int)NESTINGS);
	KUNIT_EXPECT_EQ(test, nest_bad_bits(nest), 32U);

	nest = nest_run(test, false, nest_by_interrupt);
	KUNIT_EXPECT_GE(test, nest->count, (unsigned int)NESTINGS_LEAST);
	KUNIT_EXPECT_EQ(test, nest_bad_bits(nest), 32U);
}

/*********************************************************************
 *
 * Tasks that preempt each other.
 *
 * Two tasks draw on one CPU from one state.  When one is preempted between load
 * and store, both continue from the same words, and without a context they get
 * the same numbers.  Two in a row, after each switch of tasks, are compared;
 * 2^19 pairs of those are equal by chance with p = 2^-45.
 *
 *********************************************************************/

#ifdef CONFIG_PREEMPTION
enum { SHARE_SWITCHES = 512 };

struct share {
	struct siprand_state state;
	u32 (*draw)(struct share *share);
	struct completion done[2];
	int last;
	unsigned int count;
	u64 pair[2 * SHARE_SWITCHES];
};

struct sharer {
	struct share *share;
	int self;
};

/* No context, and time to be preempted in: QEMU looks for that at branches only. */
static noinline u32 share_raw(struct share *share)
{
	struct siprand_words words;
	unsigned int i;
	u32 ret;

	load(&words, &share->state, SIPRAND_KERNEL);
	for (i = 0; i < 64; i++)
		cpu_relax();
	ret = siprand_step(&words, 0);
	siprand_store(&share->state, &words);
	return ret;
}

static u32 share_protected(struct share *share)
{
	u32 ret;

	preempt_disable_notrace();
	ret = share_raw(share);
	preempt_enable_notrace();
	return ret;
}

#ifdef CONFIG_BPF
static u32 share_program(struct share *share)
{
	return bpf_user_rnd_u32(0, 0, 0, 0, 0);
}
#endif

/* As a BPF program: bound to a CPU, and can be preempted there. */
static int share_thread(void *data)
{
	struct sharer *sharer = data;
	struct share *share = sharer->share;
	unsigned long end = jiffies + 2 * HZ;

	while (READ_ONCE(share->count) < SHARE_SWITCHES && time_before(jiffies, end)) {
		u64 pair = share->draw(share);

		if (READ_ONCE(share->last) == sharer->self)
			continue;
		WRITE_ONCE(share->last, sharer->self);
		pair = pair << 32 | share->draw(share);
		preempt_disable();
		share->pair[share->count++] = pair;
		preempt_enable();
	}
	complete(&share->done[sharer->self]);
	return 0;
}

static int share_compare(const void *a, const void *b)
{
	const u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* How often both tasks got the same pair. */
static unsigned int share_run(struct kunit *test, u32 (*draw_one)(struct share *share))
{
	struct share *share = kunit_kzalloc(test, sizeof(*share), GFP_KERNEL);
	struct sharer sharers[2];
	unsigned int repeats = 0, i;
	int started;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, share);
	plant(&share->state, siprand_vec_draw_v);
	share->draw = draw_one;
	share->last = -1;
	for (started = 0; started < 2; started++) {
		struct task_struct *task;

		init_completion(&share->done[started]);
		sharers[started] = (struct sharer){ share, started };
		task = kthread_create(share_thread, &sharers[started], "siprand-%d", started);
		if (IS_ERR(task))
			break;
		kthread_bind(task, 0);
		wake_up_process(task);
	}
	for (i = 0; i < started; i++)
		wait_for_completion(&share->done[i]);
	KUNIT_EXPECT_EQ(test, started, 2);
	KUNIT_EXPECT_GE(test, share->count, 16U);
	kunit_info(test, "%u switches", share->count);
	sort(share->pair, share->count, sizeof(u64), share_compare, NULL);
	for (i = 1; i < share->count; i++)
		repeats += share->pair[i - 1] == share->pair[i];
	return repeats;
}

static void test_tasks_never_repeat(struct kunit *test)
{
#ifdef CONFIG_BPF
	KUNIT_EXPECT_EQ(test, share_run(test, share_program), 0U);
#endif
	KUNIT_EXPECT_EQ(test, share_run(test, share_protected), 0U);
}

/* The case above does see it when preemption is not disabled. */
static void test_tasks_repeat_unprotected(struct kunit *test)
{
	KUNIT_EXPECT_GT(test, share_run(test, share_raw), 0U);
}
#endif

/*********************************************************************
 *
 * Predictability.
 *
 * Look for a linear recurrence over GF(2), the same for every bit of the
 * output, that gives each output from the SOLVE_TERMS before it, and continue
 * the sequence by it.  Any linear generator of up to SOLVE_TERMS bits falls:
 * LFSR113 has 113.
 *
 *********************************************************************/

enum { SOLVE_TERMS = 128, SOLVE_SEEN = 256, SOLVE_GUESSES = 64 };

struct solver {
	u32 out[SOLVE_SEEN + SOLVE_GUESSES];
	u32 guess[SOLVE_SEEN + SOLVE_GUESSES];
	DECLARE_BITMAP(pivot, SOLVE_TERMS);
	/* Row i has its lowest term at i; the extra bit is the right-hand side. */
	unsigned long row[SOLVE_TERMS][BITS_TO_LONGS(SOLVE_TERMS + 1)];
	DECLARE_BITMAP(coefficient, SOLVE_TERMS);
	unsigned int contradictions;
};

/* One equation: bit @bit of output @at, from the outputs before it. */
static void solve_add(struct solver *solver, unsigned int at, unsigned int bit)
{
	DECLARE_BITMAP(row, SOLVE_TERMS + 1);
	unsigned int i;

	bitmap_zero(row, SOLVE_TERMS + 1);
	for (i = 0; i <= SOLVE_TERMS; i++)
		if (solver->out[at - SOLVE_TERMS + i] >> bit & 1)
			__set_bit(i, row);
	while ((i = find_first_bit(row, SOLVE_TERMS)) < SOLVE_TERMS) {
		if (!test_bit(i, solver->pivot)) {
			__set_bit(i, solver->pivot);
			bitmap_copy(solver->row[i], row, SOLVE_TERMS + 1);
			return;
		}
		bitmap_xor(row, row, solver->row[i], SOLVE_TERMS + 1);
	}
	solver->contradictions += test_bit(SOLVE_TERMS, row);
}

/* Returns how many of the guesses after the outputs seen are right. */
static unsigned int solve(struct solver *solver)
{
	unsigned int at, bit, i, hits = 0;

	for (at = SOLVE_TERMS; at < SOLVE_SEEN; at++)
		for (bit = 0; bit < 32; bit++)
			solve_add(solver, at, bit);

	/* Terms without an equation of their own are left out. */
	for (i = SOLVE_TERMS; i-- > 0; ) {
		DECLARE_BITMAP(known, SOLVE_TERMS);

		if (!test_bit(i, solver->pivot))
			continue;
		bitmap_and(known, solver->row[i], solver->coefficient, SOLVE_TERMS);
		if ((bitmap_weight(known, SOLVE_TERMS) & 1) !=
		    test_bit(SOLVE_TERMS, solver->row[i]))
			__set_bit(i, solver->coefficient);
	}

	memcpy(solver->guess, solver->out, SOLVE_SEEN * sizeof(u32));
	for (at = SOLVE_SEEN; at < SOLVE_SEEN + SOLVE_GUESSES; at++) {
		u32 guess = 0;

		for_each_set_bit(i, solver->coefficient, SOLVE_TERMS)
			guess ^= solver->guess[at - SOLVE_TERMS + i];
		solver->guess[at] = guess;
		hits += guess == solver->out[at];
	}
	return hits;
}

static void test_solver_predicts_tausworthe(struct kunit *test)
{
	struct solver *solver = kunit_kzalloc(test, sizeof(*solver), GFP_KERNEL);
	struct rnd_state rnd;
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, solver);
	prandom_seed_state(&rnd, get_random_u64());
	for (i = 0; i < ARRAY_SIZE(solver->out); i++)
		solver->out[i] = prandom_u32_state(&rnd);
	KUNIT_EXPECT_EQ(test, solve(solver), (unsigned int)SOLVE_GUESSES);
	KUNIT_EXPECT_EQ(test, solver->contradictions, 0U);
}

/* A second hit of 64 at 2^-32 each has p = 2^-53. */
static void test_solver_fails_on_siprand(struct kunit *test)
{
	struct solver *solver = kunit_kzalloc(test, sizeof(*solver), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, solver);
	for (i = 0; i < ARRAY_SIZE(solver->out); i++)
		solver->out[i] = prandom_u32();
	KUNIT_EXPECT_LE(test, solve(solver), 1U);
	KUNIT_EXPECT_GT(test, solver->contradictions, 0U);
}

/*********************************************************************
 *
 * Cost.
 *
 * Cycles per call, which are instructions where the guest's time is QEMU's
 * -icount: the loop is subtracted, interrupts are off.
 *
 *********************************************************************/

#ifdef CONFIG_SIPRAND_BENCHMARK
enum { BENCH_CALLS = 4096 };

struct bench_old {
	struct rnd_state rnd;
};

static DEFINE_PER_CPU(struct bench_old, bench_old);
static DEFINE_PER_CPU(struct siprand_state, bench_2020) = { .v = { 1, 2, 3, 4 } };
static DEFINE_PER_CPU(unsigned long, bench_2020_noise);

/* The generator that this one replaces, as prandom_u32() was up to Linux 5.8. */
static noinline u32 bench_tausworthe(void)
{
	struct bench_old *old = &get_cpu_var(bench_old);
	u32 ret = prandom_u32_state(&old->rnd);

	put_cpu_var(bench_old);
	return ret;
}

/* The generator of Linux 5.9 to 6.0: neither a generation nor a context. */
static noinline u32 bench_upstream_2020(void)
{
	struct siprand_state *state = &get_cpu_var(bench_2020);
	struct siprand_words words;
	u32 ret;

	siprand_load(&words, state, 0);
	ret = siprand_step(&words, raw_cpu_read(bench_2020_noise));
	state->v[0] = words.v0;
	state->v[1] = words.v1;
	state->v[2] = words.v2;
	state->v[3] = words.v3;
	put_cpu_var(bench_2020);
	return ret;
}

static __always_inline u32 bench_inline(void)
{
	u32 ret;

	preempt_disable_notrace();
	ret = __prandom_u32();
	preempt_enable_notrace();
	return ret;
}

/* A result that somebody looks at. */
static __always_inline void bench_use(u32 value)
{
	asm volatile("" : : "r" (value));
}

#define bench(test, name, call) do {						\
	u64 start, end, loop = 0, calls = 0;					\
	unsigned long i, pass, flags;						\
										\
	for (pass = 0; pass < 2; pass++) {					\
		local_irq_save(flags);						\
		start = get_cycles();						\
		for (i = BENCH_CALLS; i; i--)					\
			barrier();						\
		end = get_cycles();						\
		loop = end - start;						\
		start = get_cycles();						\
		for (i = BENCH_CALLS; i; i--) {					\
			call;							\
			barrier();						\
		}								\
		end = get_cycles();						\
		calls = end - start;						\
		local_irq_restore(flags);					\
	}									\
	calls = div_u64((calls - loop) * 10 + BENCH_CALLS / 2, BENCH_CALLS);	\
	kunit_info(test, "siprand-bench: %s %llu.%llu\n", name,			\
		   div_u64(calls, 10), calls - div_u64(calls, 10) * 10);	\
} while (0)

static void test_benchmark(struct kunit *test)
{
	unsigned long a = 1, b = 2, c = 3, d = 4;
	u64 bytes;

	/* Arguments that are at hand, but not known. */
	OPTIMIZER_HIDE_VAR(a);
	OPTIMIZER_HIDE_VAR(b);
	OPTIMIZER_HIDE_VAR(c);
	OPTIMIZER_HIDE_VAR(d);
	prandom_seed_state(&raw_cpu_ptr(&bench_old)->rnd, 1);
	bench(test, "prandom_u32", bench_use(prandom_u32()));
	bench(test, "prandom_u32_inline", bench_use(bench_inline()));
	bench(test, "tausworthe", bench_use(bench_tausworthe()));
	bench(test, "upstream_2020", bench_use(bench_upstream_2020()));
#ifndef SIPRAND_OLD_API
	bench(test, "get_random_u8", bench_use(get_random_u8()));
	bench(test, "get_random_u16", bench_use(get_random_u16()));
	bench(test, "get_random_u32_below", bench_use(get_random_u32_below(a)));
#endif
	bench(test, "get_random_u32", bench_use(get_random_u32()));
	bench(test, "get_random_u64", bench_use(get_random_u64()));
	bench(test, "prandom_u32_below", bench_use(prandom_u32_below(a)));
	bench(test, "prandom_bytes_8", prandom_bytes(&bytes, sizeof(bytes)));
	bench(test, "get_random_bytes_8", get_random_bytes(&bytes, sizeof(bytes)));
	bench(test, "noise", prandom_u32_add_noise(a, b, c, d));
}
#endif

static struct kunit_case siprand_cases[] = {
	KUNIT_CASE(test_round_vectors),
	KUNIT_CASE(test_draw_vectors),
	KUNIT_CASE(test_noise_vectors),
	KUNIT_CASE(test_derive_vectors),
	KUNIT_CASE(test_next_key_vectors),
	KUNIT_CASE(test_zero_key_on_zero_state),
	KUNIT_CASE(test_bytes),
	KUNIT_CASE(test_below_bounds),
	KUNIT_CASE(test_below_chi_square),
	KUNIT_CASE(test_interval),
	KUNIT_CASE(test_atomic_contexts),
#ifdef CONFIG_TRACEPOINTS
	KUNIT_CASE(test_tracepoint),
#endif
	KUNIT_CASE(test_noise_bits),
	KUNIT_CASE(test_noise_changes_draw),
	KUNIT_CASE(test_tick_stirs),
#ifdef CONFIG_NET
	KUNIT_CASE(test_transmit_stirs),
#endif
	KUNIT_CASE(test_layout),
	KUNIT_CASE(test_states_differ),
	KUNIT_CASE(test_reseed_reaches_every_cpu),
	KUNIT_CASE(test_reseed_reaches_hardirq),
	KUNIT_CASE(test_reseed_erases_key),
	KUNIT_CASE(test_seed_renews),
	KUNIT_CASE(test_seed_with_interrupts_off),
	KUNIT_CASE(test_vmfork_renews),
#ifdef CONFIG_PM_SLEEP
	KUNIT_CASE(test_resume_renews),
#endif
#ifdef CONFIG_HOTPLUG_CPU
	KUNIT_CASE(test_hotplug_renews),
#endif
#if defined(SIPRAND_OLD_API) && defined(CONFIG_INET)
	KUNIT_CASE(test_address_renews),
#endif
	KUNIT_CASE(test_pool_ready_renews),
	KUNIT_CASE(test_overwritten_rekey_is_redone),
	KUNIT_CASE(test_nested_call),
	KUNIT_CASE(test_nested_interrupt),
	KUNIT_CASE(test_nested_without_context),
#ifdef CONFIG_PREEMPTION
	KUNIT_CASE(test_tasks_never_repeat),
	KUNIT_CASE(test_tasks_repeat_unprotected),
#endif
	KUNIT_CASE(test_solver_predicts_tausworthe),
	KUNIT_CASE(test_solver_fails_on_siprand),
#ifdef CONFIG_SIPRAND_BENCHMARK
	KUNIT_CASE(test_benchmark),
#endif
	{}
};

static struct kunit_suite siprand_suite = {
	.name = "siprand",
	.test_cases = siprand_cases,
};

kunit_test_suite(siprand_suite);

MODULE_DESCRIPTION("KUnit tests for the SipHash generator");
MODULE_LICENSE("GPL");
