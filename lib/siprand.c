// SPDX-License-Identifier: GPL-2.0
/*
 * Fast unpredictable random numbers: one SipHash generator per CPU
 *
 * A draw is inlined from <linux/siprand.h> and touches nothing but one cache
 * line of its own CPU.  This file has the rest, a section each:
 *
 *   - State.
 *   - Keying.
 *   - Renewal of the global key.
 *   - Drawing.
 *   - When to renew.
 *
 * One global key is renewed from the entropy pool.  A renewal writes that key
 * and a generation number, and no CPU's state: every draw compares its state's
 * generation with the global one and, when behind, replaces the state's words
 * by a PRF, under the global key, of themselves.  So a renewal costs the same
 * on any number of CPUs, wakes none, and takes effect on the next draw.
 */

#include <linux/siprand.h>

#include <linux/atomic.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/random.h>
#include <linux/rcupdate.h>
#include <linux/siphash.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/suspend.h>
#include <linux/timex.h>
#include <linux/workqueue.h>

#define CREATE_TRACE_POINTS
#include <trace/events/prandom.h>

/*********************************************************************
 *
 * State.
 *
 *	siprand_states[]	per CPU, written by that CPU alone
 *	siprand_generation	written by a renewal, under siprand_lock
 *	siprand_keys[]		likewise; the current key is the one that
 *				the lowest bit of the generation selects
 *
 *********************************************************************/

/*
 * No state starts at the current generation, so that the very first draw of a
 * CPU rekeys: the same words on all CPUs are never stepped.
 */
DEFINE_PER_CPU(struct siprand_state, siprand_states[SIPRAND_INSTANCES]) = {
	[SIPRAND_KERNEL] = { .v = { 1, 2, 3, 4 } },
	[SIPRAND_PROGRAM] = { .v = { 5, 6, 7, 8 } },
};

unsigned long siprand_generation __read_mostly = 1;

/* Until siprand_init() the first digits of pi's fraction, in hexadecimal. */
siphash_key_t siprand_keys[2] __read_mostly = {
	{ { 0x243f6a8885a308d3ULL, 0x13198a2e03707344ULL } },
	{ { 0xa4093822299f31d0ULL, 0x082efa98ec4e6c89ULL } },
};

static DEFINE_SPINLOCK(siprand_lock);

/*********************************************************************
 *
 * Keying.
 *
 *	siprand_derive()	new words from old ones, as a function
 *	siprand_rekey()		the same for a state that is behind
 *
 *********************************************************************/

/**
 * siprand_derive - replace a state's words by a PRF of themselves
 * @v: the words, replaced
 * @key: key of the PRF
 * @instance: instance that the words belong to
 * @cpu: CPU that they belong to
 * @generation: generation of @key
 *
 * Word i becomes SipHash-2-4 under @key of (@generation, @instance and @cpu,
 * i, the four old words), each a little-endian 64-bit word; 32-bit kernels
 * keep the lower half.  SipHash is by Aumasson and Bernstein (2012).
 *
 * Context: any.
 */
void siprand_derive(unsigned long v[4], const siphash_key_t *key,
		    enum siprand_instance instance, unsigned int cpu,
		    unsigned long generation)
{
	__le64 in[7] __aligned(SIPHASH_ALIGNMENT) = {
		cpu_to_le64(generation),
		cpu_to_le64((u64)instance << 32 | cpu),
		0,
		cpu_to_le64(v[0]),
		cpu_to_le64(v[1]),
		cpu_to_le64(v[2]),
		cpu_to_le64(v[3]),
	};
	unsigned int i;

	for (i = 0; i < 4; i++) {
		in[2] = cpu_to_le64(i);
		v[i] = siphash(in, sizeof(in), key);
	}
	memzero_explicit(in, sizeof(in));
}

/**
 * siprand_rekey - bring a state up to the current generation
 * @state: the state, of this CPU or of nobody's
 * @instance: instance that @state belongs to
 *
 * The key is read without a lock: the slot of the generation found is written
 * next when that generation is already over.  Whoever reads it just then gets
 * a mix of secrets nobody knows, labelled with a generation that the next draw
 * finds to be behind.
 *
 * Context: any, with preemption disabled.
 * Return: the generation that @state is keyed from.
 */
unsigned long siprand_rekey(struct siprand_state *state,
			    enum siprand_instance instance)
{
	/* Pairs with the release in siprand_renew(). */
	unsigned long generation = smp_load_acquire(&siprand_generation);
	const siphash_key_t *slot = &siprand_keys[generation & 1];
	siphash_key_t key = {
		{ READ_ONCE(slot->key[0]), READ_ONCE(slot->key[1]) }
	};
	unsigned long v[4] = {
		READ_ONCE(state->v[0]), READ_ONCE(state->v[1]),
		READ_ONCE(state->v[2]), READ_ONCE(state->v[3])
	};
	unsigned int i;

	siprand_derive(v, &key, instance, raw_smp_processor_id(), generation);
	for (i = 0; i < 4; i++)
		WRITE_ONCE(state->v[i], v[i]);
	WRITE_ONCE(state->generation, generation);
	memzero_explicit(&key, sizeof(key));
	memzero_explicit(v, sizeof(v));
	return generation;
}

/*********************************************************************
 *
 * Renewal of the global key.
 *
 *	siprand_next_keys()	new key from the old one, as a function
 *	siprand_renew()		the same, published
 *
 *********************************************************************/

/**
 * siprand_next_keys - compute what a renewal puts into the two slots
 * @keys: result: the next key, and what overwrites the present one
 * @key: the present key
 * @fresh: bytes from the entropy pool
 * @generation: generation of the next key
 * @entropy: anything; cannot make the result weaker
 *
 * Fresh bytes are xored in, so that a pool which is not ready takes nothing
 * away.  What goes into the slots is a PRF of that, so that neither the present
 * key nor a key before it can be computed from them, even where the fresh bytes
 * are known.
 *
 * Context: any.
 */
void siprand_next_keys(siphash_key_t keys[2], const siphash_key_t *key,
		       const siphash_key_t *fresh, unsigned long generation,
		       unsigned long entropy)
{
	siphash_key_t mix = {
		{ key->key[0] ^ fresh->key[0], key->key[1] ^ fresh->key[1] }
	};
	unsigned int i;

	for (i = 0; i < 4; i++)
		keys[i / 2].key[i % 2] = siphash_3u64(generation, entropy, i, &mix);
	memzero_explicit(&mix, sizeof(mix));
}

static void siprand_set_key(siphash_key_t *slot, const siphash_key_t *key)
{
	WRITE_ONCE(slot->key[0], key->key[0]);
	WRITE_ONCE(slot->key[1], key->key[1]);
}

static void siprand_renew_from(const siphash_key_t *fresh, unsigned long entropy)
{
	siphash_key_t keys[2];
	unsigned long generation, flags;

	spin_lock_irqsave(&siprand_lock, flags);
	generation = siprand_generation + 1;
	siprand_next_keys(keys, &siprand_keys[(generation - 1) & 1], fresh,
			  generation, entropy);
	siprand_set_key(&siprand_keys[generation & 1], &keys[0]);
	/* Pairs with the acquire in siprand_rekey(). */
	smp_store_release(&siprand_generation, generation);
	siprand_set_key(&siprand_keys[(generation - 1) & 1], &keys[1]);
	spin_unlock_irqrestore(&siprand_lock, flags);
	memzero_explicit(keys, sizeof(keys));
}

static void siprand_renew(unsigned long entropy)
{
	siphash_key_t fresh;

	get_random_bytes(&fresh, sizeof(fresh));
	siprand_renew_from(&fresh, entropy);
	memzero_explicit(&fresh, sizeof(fresh));
}

/*********************************************************************
 *
 * Drawing.
 *
 *	u32 prandom_u32(void)
 *	void prandom_bytes(void *buf, size_t len)
 *
 *********************************************************************/

/**
 * siprand_draw_behind - the draw of a state that has to be rekeyed first
 * @instance: as for siprand_draw()
 *
 * The whole draw, so that the inlined one keeps nothing across a call.
 *
 * Context: any, with preemption disabled.
 * Return: 32 random bits.
 */
u32 siprand_draw_behind(enum siprand_instance instance)
{
	struct siprand_state *state = raw_cpu_ptr(&siprand_states[instance]);
	struct siprand_words words;
	u32 ret;

	siprand_load(&words, state, siprand_rekey(state, instance));
	ret = siprand_step(&words, READ_ONCE(state->noise) ^ siprand_context());
	siprand_store(state, &words);
	return ret;
}

/* Out of line, so that a draw costs one patched no-op while nobody traces. */
static noinline u32 siprand_trace(u32 ret)
{
	/* Idle and entry code draw too, where tracing would use RCU unwatched. */
	if (rcu_is_watching())
		trace_prandom_u32(ret);
	return ret;
}

/**
 * prandom_u32 - draw a number
 *
 * Unpredictable from all earlier and later draws, fast, and never waiting, but
 * no source of keys: those come from get_random_bytes().
 *
 * Context: any, NMI included, with any lock held; never waits for the entropy
 *	pool.
 * Return: 32 random bits.
 */
u32 prandom_u32(void)
{
	u32 ret;

	preempt_disable_notrace();
	ret = __prandom_u32();
	preempt_enable_notrace();
	if (trace_prandom_u32_enabled())
		return siprand_trace(ret);
	return ret;
}
EXPORT_SYMBOL(prandom_u32);

/**
 * prandom_bytes - draw a buffer full
 * @buf: where to
 * @len: number of bytes
 *
 * Two rounds for every four bytes, as in prandom_u32().
 *
 * Context: any, as for prandom_u32(); can be preempted between two draws.
 */
void prandom_bytes(void *buf, size_t len)
{
	u8 *to = buf;

	while (len) {
		size_t n = min_t(size_t, len, sizeof(u32));
		__le32 word;

		preempt_disable_notrace();
		word = cpu_to_le32(__prandom_u32());
		preempt_enable_notrace();
		memcpy(to, &word, n);
		to += n;
		len -= n;
	}
}
EXPORT_SYMBOL(prandom_bytes);

/*********************************************************************
 *
 * When to renew.
 *
 *	void prandom_seed(unsigned long entropy)
 *	void prandom_reseed(void)
 *
 * and, without being asked: at boot, when the entropy pool becomes ready,
 * every 40 to 80 seconds, after a resume, and in a cloned virtual machine.
 *
 *********************************************************************/

/* What callers that could not renew themselves had to add. */
static atomic_long_t siprand_pending;

/* Unbound, so that no idle CPU is woken; NULL until it can be used. */
static struct workqueue_struct *siprand_wq;

static void siprand_work_fn(struct work_struct *work);
static DECLARE_DELAYED_WORK(siprand_work, siprand_work_fn);

/**
 * siprand_interval - how long until the next periodic renewal
 *
 * Context: any.
 * Return: 40 to 80 seconds in jiffies, so that nobody knows when.
 */
unsigned long siprand_interval(void)
{
	return 40 * HZ + prandom_u32_below(40 * HZ);
}

static void siprand_work_fn(struct work_struct *work)
{
	siprand_renew(atomic_long_xchg(&siprand_pending, 0));
	queue_delayed_work(siprand_wq, &siprand_work, siprand_interval());
}

/* What comes too early for that, siprand_start() makes up for. */
static void siprand_queue(void)
{
	if (siprand_wq)
		mod_delayed_work(siprand_wq, &siprand_work, 0);
}

#ifdef CONFIG_IRQ_WORK
static void siprand_irq_work_fn(struct irq_work *work)
{
	siprand_queue();
}

static DEFINE_IRQ_WORK(siprand_irq_work, siprand_irq_work_fn);

/* A caller that holds a raw lock may hold one that waking a worker takes. */
static void siprand_queue_from_atomic(void)
{
	irq_work_queue(&siprand_irq_work);
}
#else
static void siprand_queue_from_atomic(void)
{
	/* The periodic renewal takes siprand_pending along. */
}
#endif

/**
 * prandom_seed - renew the key of all generators
 * @entropy: something to hash in, on top of what the entropy pool gives; may be
 *	anything, since it is never trusted alone
 *
 * The cost does not depend on the number of CPUs.  When this returns, the next
 * draw of every CPU, of all instances, uses words that the previous key and
 * the previous words of that CPU do not tell.
 *
 * Context: where get_random_bytes() may be called.  On PREEMPT_RT with
 *	interrupts or preemption disabled, and in NMI, the renewal is queued and
 *	happens soon after.
 */
void prandom_seed(unsigned long entropy)
{
	if (in_nmi() || (IS_ENABLED(CONFIG_PREEMPT_RT) && !preemptible())) {
		atomic_long_xor(entropy, &siprand_pending);
		siprand_queue_from_atomic();
		return;
	}
	add_device_randomness(&entropy, sizeof(entropy));
	siprand_renew(entropy);
}
EXPORT_SYMBOL(prandom_seed);

/**
 * siprand_pool_ready - the entropy pool has just become ready
 *
 * Context: any but NMI; queues work, nothing more.
 */
void siprand_pool_ready(void)
{
	siprand_queue();
}

/**
 * siprand_vmfork - this virtual machine is a clone, and the pool knows
 *
 * Context: process.
 */
void siprand_vmfork(void)
{
	prandom_reseed();
}

static int siprand_pm_notify(struct notifier_block *nb, unsigned long action,
			     void *data)
{
	switch (action) {
	case PM_POST_HIBERNATION:
	case PM_POST_SUSPEND:
	case PM_POST_RESTORE:
		prandom_reseed();
	}
	return NOTIFY_DONE;
}

static struct notifier_block siprand_pm_notifier = {
	.notifier_call = siprand_pm_notify,
};

/**
 * siprand_init - renew the key for the first time
 * @fresh: bytes from the entropy pool, which has just collected what the
 *	architecture and the boot loader give; get_random_bytes() may complain
 *	about so early a caller
 *
 * Context: early boot, one CPU, interrupts disabled.
 */
void __init siprand_init(const siphash_key_t *fresh)
{
	siprand_renew_from(fresh, random_get_entropy());
}

static int __init siprand_start(void)
{
	siprand_wq = alloc_workqueue("siprand", WQ_UNBOUND, 0);
	siprand_queue();
	return register_pm_notifier(&siprand_pm_notifier);
}
core_initcall(siprand_start);
