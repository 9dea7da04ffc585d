import { setTimeout as sleep } from 'node:timers/promises'
import type { Lease, Leases } from '../../../store/store.ts'

/** Milliseconds between two attempts to get a lease that another daemon has. */
const RETRY = 2000

/**
 * Runs `work` while it has the lease, and keeps trying to get the lease otherwise, until the signal.
 *
 * @param work must end soon after its signal, which is also aborted when the lease is lost
 */
export async function underLease(
  leases: Pick<Leases, 'tryAcquire'>,
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal, lease: Lease) => Promise<void>,
): Promise<void> {
  while (!signal.aborted) {
    // The database may be away.
    const found = await leases.tryAcquire(name).catch(() => undefined)
    if (found === undefined) {
      await pause(RETRY, signal)
      continue
    }
    await using lease = found
    await work(AbortSignal.any([signal, lease.signal]), lease)
  }
}

/** Ends early with the signal. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined)
}
