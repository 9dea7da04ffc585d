import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWorld, type World } from './world.ts'

const CLIENTS = 16
/** Milliseconds between two disturbances. */
const QUIET = 20_000

export interface LoadReport {
  readonly minutes: number
  readonly clients: number
  readonly kills: number
  readonly fullDisk: number
  readonly frozenDisk: number
  readonly acknowledged: number
  readonly lost: readonly string[]
  readonly memory: Span
  readonly descriptors: Span
}

/** MiB, or a count: soon after the start, and at the end. */
interface Span {
  readonly first: number
  readonly last: number
}

/**
 * Clients that each record what was acknowledged to them, while the daemon is killed and its data disk is full, alternately.
 * At the end, every record is compared with the disk.
 */
export async function runLoad(milliseconds: number): Promise<LoadReport> {
  await using world = await openWorld()
  world.fill({})
  const end = Date.now() + milliseconds
  const records = Array.from({ length: CLIENTS }, () => new Map<string, Set<string>>())
  let acknowledged = 0
  const lost: string[] = []
  const clients = records.map(async (record, index) => {
    for (let turn = 0; Date.now() < end; turn++) acknowledged += await change(world, record, `c${index}`, turn)
  })
  const disturbed = { kills: 0, fullDisk: 0, frozenDisk: 0 }
  await sleep(Math.min(5000, milliseconds / 4))
  const first = usageOf(world.daemon.pid)
  for (let turn = 0; Date.now() + QUIET < end; turn++) {
    await sleep(QUIET)
    if (turn % 3 === 0) {
      disturbed.kills++
      await world.restart('SIGKILL')
    } else if (turn % 3 === 1) {
      disturbed.fullDisk++
      world.strike({ call: 'write', action: constants.errno.ENOSPC }, world.data)
      await sleep(3000)
      world.heal()
    } else {
      disturbed.frozenDisk++
      const before = acknowledged
      world.strike({ call: 'write', action: 'stall' }, join(world.root, 'usb'))
      const stalled = Array.from({ length: 8 }, async (_, index) => {
        await world.ask('POST', `/api/resources/usb/${index}?override=true`, { body: 'stalled' })
      })
      await sleep(5000)
      if (acknowledged === before) lost.push('nothing was acknowledged while the other disk was frozen')
      world.heal()
      await Promise.all(stalled)
    }
  }
  await Promise.all(clients)
  await sleep(5000)
  const last = usageOf(world.daemon.pid)
  const found = world.read()
  for (const record of records)
    for (const [name, allowed] of record)
      if (!allowed.has(found.get(name) ?? 'absent')) lost.push(`${name} is not what was acknowledged`)
  return {
    minutes: milliseconds / 60_000,
    clients: CLIENTS,
    ...disturbed,
    acknowledged,
    lost,
    memory: { first: first.memory, last: last.memory },
    descriptors: { first: first.descriptors, last: last.descriptors },
  }
}

/**
 * Changes one file of this client. The record holds the possible contents of the file: one after a reply, two if there was no
 * reply.
 *
 * @returns 1 if it was acknowledged
 */
async function change(world: World, record: Map<string, Set<string>>, client: string, turn: number): Promise<number> {
  const name = `${client}/file-${turn % 20}`
  const before = record.get(name) ?? new Set(['absent'])
  const content = `${client} ${turn}\n`.repeat(1 + ((turn * 7919) % 20_000))
  const isRemoval = turn % 7 === 6
  const answer = isRemoval
    ? await world.ask('DELETE', `/api/resources/${name}`)
    : await world.ask('POST', `/api/resources/${name}?override=true`, { body: content })
  const done = answer.status >= 200 && answer.status < 300
  const after = isRemoval ? 'absent' : content
  if (done) record.set(name, new Set([after]))
  else if (answer.status === 0 || answer.status >= 500) record.set(name, new Set([...before, after]))
  if (answer.status === 0) await sleep(200)
  return done ? 1 : 0
}

function usageOf(pid: number): { memory: number; descriptors: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  return { memory: Math.round(kibibytes / 1024), descriptors: readdirSync(`/proc/${pid}/fd`).length }
}
