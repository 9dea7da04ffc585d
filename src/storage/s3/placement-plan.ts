import { parseJson } from '../../domain/schema/parse-value.ts'
import { parseSteps, PLAN, type Step, KEPT } from '../placement.ts'
import { type BucketRoot, lookUp } from './bucket-root.ts'
import { wholeOf } from './client.ts'
import { isSameEntry } from '../../domain/files/entry-identity.ts'
import type { Work } from '../storage.ts'
import { inodeOf } from './bucket-file.ts'
import { FEW_BYTES } from './bucket.ts'
import { lockKeys, repeated } from './effects.ts'
import { mapParallel } from './in-parallel.ts'
import type { StoredObject } from './stored-object.ts'
import { isEmptyMarker } from './take-back.ts'

export interface Placing {
  readonly root: BucketRoot
  /** Prefix of the keys in the folder that everything is placed in. */
  readonly folder: string
  /** Prefix of the keys in the staged folder. */
  readonly staged: string
}

/** The steps of a placement, and those that were begun: all if that is not known. */
interface Plan {
  readonly steps: readonly Step[]
  readonly reached?: ReadonlySet<number>
}

export function keyAt(prefix: string, names: readonly string[]): string {
  return prefix + names.join('/')
}

/** The folder is stored too: a staged folder of a bucket does not lie in it. */
export async function writePlan({ root, folder, staged }: Placing, steps: readonly Step[]): Promise<void> {
  const plan = Buffer.from(`${JSON.stringify(folder)}\n${JSON.stringify(steps)}`)
  await root.bucket.put(staged + PLAN, plan, { headers: { ContentType: 'application/json' }, modified: undefined })
}

export async function forgetPlan({ root, staged }: Placing): Promise<void> {
  await root.bucket.remove([staged + PLAN])
}

/** What an earlier run was placing; undefined if nothing. */
async function readPlan(root: BucketRoot, staged: string): Promise<(Placing & Plan) | undefined> {
  const found = await root.bucket.get(staged + PLAN)
  if (found === undefined) return undefined
  const text = (await wholeOf(found.body)).toString()
  const end = text.indexOf('\n')
  const folder = parseJson(text.slice(0, end))
  const steps = parseSteps(text.slice(end + 1))
  // The attack: a plan of another program leads out of the storage.
  if (typeof folder !== 'string' || !folder.startsWith(root.home) || steps === undefined) return undefined
  return { root, folder, staged, steps }
}

/**
 * Takes back what was placed, and puts back what it has replaced. What others have changed meanwhile stays as it is now. Can be
 * repeated if it is interrupted. Removes the plan at the end.
 */
export async function undoPlacement(
  placing: Placing,
  { steps, reached }: Plan,
  leftOut?: Work['leftOut'],
): Promise<void> {
  const begun = [...steps.entries()].filter(([index]) => reached?.has(index) ?? true)
  const undo = async ([index, step]: readonly [number, Step]) => {
    const isUndone = await (step.isFolder ? undoFolder(placing, step) : undoFile(placing, index, step))
    if (!isUndone) leftOut?.(step.to.join('/'), 'changed')
  }
  await mapParallel(
    begun.filter(([, { isFolder }]) => !isFolder),
    undo,
  )
  for (const each of begun.filter(([, { isFolder }]) => isFolder).toReversed()) await undo(each)
  await forgetPlan(placing)
}

/** The same for a staged folder that an earlier run has left. @param staged prefix of its keys */
export async function undoLeftPlacement(root: BucketRoot, staged: string, leftOut?: Work['leftOut']): Promise<void> {
  const plan = await readPlan(root, staged)
  if (plan !== undefined) await undoPlacement(plan, plan, leftOut)
}

/** @returns false if what was placed stays, because others have changed it */
async function undoFile({ root, folder, staged }: Placing, index: number, step: Step): Promise<boolean> {
  const { bucket } = root
  const to = keyAt(folder, step.to)
  return await repeated(async () => {
    const kept = step.replaces ? await bucket.head(`${staged}${KEPT}/${index}`) : undefined
    // It is kept before it is replaced.
    if (step.replaces && kept === undefined) return true
    await using back = kept && (await bucket.beginCopy(kept, to, kept.modified))
    using held = await lockKeys(root, to)
    const found = await lookUp(root, to)
    if (found?.kind === 'folder') return false
    const present = found?.object
    if (back === undefined || kept === undefined) {
      if (present === undefined) return true
      if (!isPlaced(present, step)) return false
      await held.confirm()
      return (await bucket.removeUnchanged([present])).length === 0
    }
    if (present !== undefined && isSame(present, kept)) return true
    if (present !== undefined && !isPlaced(present, step)) return false
    await held.confirm()
    await back.place(present === undefined ? 'new' : { etag: present.etag })
    return true
  })
}

/** Objects have no identity, so this goes by content and time. A larger copy consists of parts, and so has another ETag. */
export function isPlaced(present: StoredObject, { entry, size, modified }: Step): boolean {
  const isSameContent =
    present.size > FEW_BYTES || isSameEntry(entry, { ...entry, inode: String(inodeOf(present.etag)) })
  return isSameContent && String(present.size) === size && String(present.modified) === modified
}

function isSame(one: StoredObject, other: StoredObject): boolean {
  const isSameContent = one.size > FEW_BYTES || one.etag === other.etag
  return isSameContent && one.size === other.size && one.modified === other.modified
}

/** A folder that was not there before goes if nothing is left in it. */
async function undoFolder({ root, folder }: Placing, { to, replaces }: Step): Promise<boolean> {
  if (replaces) return true
  const key = keyAt(folder, to)
  using held = await lockKeys(root, key)
  for await (const { objects } of root.bucket.pages(`${key}/`, { max: 2 })) {
    const [only, ...others] = objects
    if (only === undefined) return true
    if (others.length > 0 || only.key !== `${key}/` || !isEmptyMarker(only)) return false
    await held.confirm()
    return (await root.bucket.removeUnchanged([only])).length === 0
  }
  return true
}
