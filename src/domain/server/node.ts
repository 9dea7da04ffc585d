import { Type, type Static } from 'typebox'

/** One of the daemons that share a store, as it describes itself. */
export const NodeRecord = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  host: Type.String(),
  pid: Type.Integer(),
  /** Names its data folder, and the time for which its machine has been running: only one daemon at a time is there. */
  place: Type.Optional(Type.String()),
  /** Where it listens. */
  url: Type.String(),
  version: Type.String(),
  /** What it serves: a folder or a bucket. */
  root: Type.String(),
  /** RFC 3339. */
  started: Type.String(),
  /** Milliseconds that its clock is ahead of that of the database. */
  skew: Type.Integer(),
})
export type NodeRecord = Static<typeof NodeRecord>

export const NodeState = Type.Object({
  ...NodeRecord.properties,
  isAlive: Type.Boolean(),
  /** When it was last heard of, if it has died. RFC 3339. */
  lost: Type.Optional(Type.String()),
})
export type NodeState = Static<typeof NodeState>

/** Milliseconds of skew that do not matter, because everything that needs exact times uses the clock of the database. */
export const MAX_SKEW = 30_000

/** For people: "12 s ahead of"; undefined within a second. */
export function describeSkew(skew: number): string | undefined {
  const seconds = Math.round(Math.abs(skew) / 1000)
  if (seconds === 0) return undefined
  return `${seconds} s ${skew > 0 ? 'ahead of' : 'behind'}`
}

/** For people, in one line. */
export function describeNode({ host, url, version, started, root, skew, isAlive, lost }: NodeState): string {
  const location = `${host} at ${url}`
  if (!isAlive) return `daemon on ${location}: not heard of since ${lost}`
  const clock = describeSkew(skew)
  const drift = clock === undefined ? '' : `, clock ${clock} that of the database`
  return `daemon on ${location}: filemgr ${version} since ${started}, serves ${root}${drift}`
}
