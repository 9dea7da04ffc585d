import { hostname } from 'node:os'
import { describeSkew, MAX_SKEW, type NodeRecord, type NodeState } from '../../domain/server/node.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { systemRandom } from '../../platform/security/random.ts'
import { pause, underLease } from './chores/under-lease.ts'
import type { Lease, Shared, SharedFacts } from '../../store/store.ts'

const LEASE = 'node/'
/** Milliseconds between two comparisons of the clock with that of the database. */
const COMPARE = 60_000
/** Milliseconds for which a killed daemon is still listed. */
const REMEMBERED = 24 * 60 * 60 * 1000

type SharedNodes = Pick<Shared, 'facts' | 'leases' | 'nodeRecords'>
type Announced = Pick<NodeRecord, 'place' | 'url' | 'version' | 'root'>

export interface AnnouncedNode extends AsyncDisposable {
  readonly host: string
  readonly url: string
}

/** Shows this daemon to `listNodes` until it is disposed of, and warns of a wrong clock. */
export function announceNode(
  announced: Announced,
  { shared, clock, log }: { readonly shared: SharedNodes; readonly clock: Clock; readonly log: Pick<Logger, 'warn'> },
): AnnouncedNode {
  const stop = new AbortController()
  const own = { ...announced, host: hostname(), pid: process.pid, started: new Date(clock.now()).toISOString() }
  const id = systemRandom.token(12)
  let isWarned = false

  const show = async (lease: Lease): Promise<void> => {
    const skew = await skewOf(shared.facts, clock)
    const isWrong = Math.abs(skew) > MAX_SKEW
    if (isWrong && !isWarned)
      log.warn(`the clock of this machine is ${describeSkew(skew)} that of the database: correct it`)
    isWarned = isWrong
    await shared.nodeRecords.put({ ...own, id, skew }, lease)
  }

  const shown = underLease(shared.leases, LEASE + id, stop.signal, async (signal, lease) => {
    while (!signal.aborted) {
      // The database may be unreachable.
      await show(lease).catch(() => undefined)
      await forgetPredecessors(shared, own).catch(() => undefined)
      await pause(COMPARE, signal)
    }
  })
  return {
    host: own.host,
    url: own.url,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await shown
      await shared.nodeRecords.remove(id).catch(() => undefined)
    },
  }
}

/**
 * The daemons of a store, the dead ones last. Without those that were restarted: for a while, the lease of a killed daemon is valid
 * beside that of its successor.
 *
 * @throws STORE_BUSY
 */
export async function listNodes(shared: Omit<SharedNodes, 'facts'>): Promise<NodeState[]> {
  const all = await statesOf(shared)
  const isReplaced = ({ place, started }: NodeState): boolean =>
    place !== undefined && all.some((other) => other.place === place && other.started > started)
  return all.filter((node) => !isReplaced(node)).toSorted((one, other) => Number(other.isAlive) - Number(one.isAlive))
}

async function statesOf({ leases, nodeRecords }: Omit<SharedNodes, 'facts'>): Promise<NodeState[]> {
  const [records, found] = await Promise.all([nodeRecords.list(), leases.list(LEASE)])
  const leaseOf = new Map(found.map((lease) => [lease.name, lease]))
  return records.map((record): NodeState => {
    const lease = leaseOf.get(LEASE + record.id)
    if (lease?.isHeld === true) return { ...record, isAlive: true }
    return { ...record, isAlive: false, lost: new Date(lease?.until ?? 0).toISOString() }
  })
}

/** How far the clock is ahead of the database's clock, in milliseconds. @throws STORE_BUSY */
export async function skewOf(facts: SharedFacts, clock: Clock): Promise<number> {
  const before = clock.now()
  const databaseTime = await facts.change([], ({ now }) => now)
  return Math.round((before + clock.now()) / 2 - databaseTime)
}

/** Removes the records of killed daemons: those that this one replaces, and those older than a day. */
async function forgetPredecessors(shared: SharedNodes, own: Pick<NodeRecord, 'place' | 'host' | 'url'>): Promise<void> {
  for (const { id, place, host, url, isAlive, lost = '' } of await statesOf(shared)) {
    if (isAlive) continue
    const isReplaced = (place !== undefined && place === own.place) || (host === own.host && url === own.url)
    if (!isReplaced && Date.parse(lost) > Date.now() - REMEMBERED) continue
    await shared.nodeRecords.remove(id)
    await (await shared.leases.tryAcquire(LEASE + id))?.[Symbol.asyncDispose]()
  }
}
