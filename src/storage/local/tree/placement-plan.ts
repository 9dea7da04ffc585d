import { constants, type BigIntStats } from 'node:fs'
import { parseSteps, PLAN, type Step, KEPT, NEW } from '../../placement.ts'
import { statsOf, syncFolder, isSameFile, statsOrNothing } from '../system/disk.ts'
import { close, fdatasync, open, read, unlink, write, rename } from '../system/gated-calls.ts'
import { at, type Handle, identityOf, bytesOf, type Location } from '../system/handle.ts'
import { createPrivateFile } from '../system/new-entry.ts'
import { fail } from '../../../domain/errors.ts'
import { isSameEntry } from '../../../domain/files/entry-identity.ts'
import type { Work } from '../../storage.ts'
import { HeldLocation } from '../scope/destination.ts'
import type { Effects } from '../scope/effects.ts'
import { holdChild, walk } from './walk.ts'
import { unlessErrno } from '../../../platform/files/error-code.ts'

interface PlacementPlan {
  readonly staged: Handle
  readonly steps: readonly Step[]
  /** When the plan was written, by the clock of the disk, in nanoseconds since 1970: what changed later was changed by others. */
  readonly planned: bigint
}

const { O_NOFOLLOW, O_RDONLY } = constants

/** Durable when it resolves. @returns `planned` */
export async function writePlan(staged: Handle, steps: readonly Step[]): Promise<bigint> {
  const bytes = Buffer.from(JSON.stringify(steps))
  const fd = await createPrivateFile({ folder: staged, name: PLAN })
  try {
    for (let done = 0; done < bytes.length;)
      done += (await write(fd, bytes, done, bytes.length - done, done)).bytesWritten
    await fdatasync(fd)
    const { ctimeNs } = await statsOf({ fd })
    await syncFolder(staged)
    return ctimeNs
  } catch (error) {
    await unlink(at(staged, PLAN))
    throw error
  } finally {
    await close(fd)
  }
}

/** Undefined if there is none, or only a part of one: nothing has been placed then. */
async function readPlan(staged: Handle): Promise<PlacementPlan | undefined> {
  const fd = await unlessErrno(open(at(staged, PLAN), O_RDONLY | O_NOFOLLOW), 'ENOENT')
  if (fd === undefined) return undefined
  try {
    const { size, ctimeNs } = await statsOf({ fd })
    const bytes = Buffer.alloc(Number(size))
    for (let done = 0; done < bytes.length;) {
      const { bytesRead } = await read(fd, bytes, done, bytes.length - done, done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    const steps = parseSteps(bytes.toString('utf8'))
    return steps && { staged, steps, planned: ctimeNs }
  } finally {
    await close(fd)
  }
}

/**
 * Takes back what was placed, from the last step to the first, and puts back what it has replaced. What others have changed,
 * moved or replaced meanwhile stays as it is now. Can be repeated if it is interrupted. Removes the plan at the end.
 */
export async function undoPlacement(
  effects: Effects,
  folder: Handle,
  plan: PlacementPlan,
  leftOut?: Work['leftOut'],
): Promise<void> {
  await eachTarget(folder, [...plan.steps.entries()].toReversed(), async (step, index, to) => {
    const isUndone = to === undefined || (await undoStep(effects, plan, step, index, to))
    if (!isUndone) leftOut?.(step.to.join('/'), 'changed')
  })
  await unlink(at(plan.staged, PLAN))
  await syncFolder(plan.staged)
}

/**
 * The same for a staged folder that an earlier run has left. Does nothing if nothing was being placed.
 *
 * @param isOurs the name comes from our own records
 */
export async function undoLeftPlacement(
  effects: Effects,
  { folder, name }: Location,
  isOurs: boolean,
  leftOut?: Work['leftOut'],
): Promise<void> {
  using staged = await holdChild(folder, bytesOf(name))
  if (staged === undefined) return
  // The attack: another user of the disk plants a plan, so that the daemon removes what that user may not.
  if (!isOurs && Number((await statsOf(staged)).uid) !== process.geteuid?.()) return
  const plan = await readPlan(staged)
  if (plan !== undefined) await undoPlacement(effects, folder, plan, leftOut)
}

/** @returns false if what was placed stays, because others have changed it */
async function undoStep(
  effects: Effects,
  { staged, planned }: PlacementPlan,
  step: Step,
  index: number,
  to: Location,
): Promise<boolean> {
  using from = await locate(staged, [NEW, ...step.from])
  using kept = step.replaces ? await locate(staged, [KEPT, String(index)]) : undefined
  const target = at(to.folder, to.name)
  return await effects.change([to], {
    look: async () => [await statsOrNothing(target), kept && (await statsOrNothing(at(kept.folder, kept.name)))],
    async make([present, old]) {
      const isPlaced = present !== undefined && isSameEntry(identityOf(present), step.entry)
      if (kept !== undefined && old !== undefined) {
        if (present !== undefined && isSameFile(present, old)) return true
        if (present !== undefined && !(isPlaced && isUnchanged(present, step))) return false
        await rename(at(kept.folder, kept.name), target)
        return true
      }
      if (!isPlaced) return true
      if (!step.isFolder) {
        if (!isUnchanged(present, step)) return false
        await unlink(target)
        return true
      }
      using content = await holdChild(to.folder, bytesOf(to.name))
      if (content === undefined || from === undefined || (await hasChanged(content, planned))) return false
      const back = at(from.folder, from.name)
      await rename(target, back)
      if (!(await hasChanged(content, planned))) return true
      await rename(back, target)
      return false
    },
  })
}

function isUnchanged({ size, mtimeNs }: BigIntStats, step: Step): boolean {
  return String(size) === step.size && String(mtimeNs) === step.modified
}

/** Whether others have changed or added anything in a folder since it was planned to place it. */
async function hasChanged(content: Handle, planned: bigint): Promise<boolean> {
  let isChanged = false
  const look = async ({ stats }: { readonly stats: BigIntStats }) => {
    isChanged ||= stats.ctimeNs > planned
    return !isChanged
  }
  await walk(
    content,
    {
      file: async (entry) => {
        await look(entry)
      },
      enter: look,
    },
    { work: {} },
  )
  return isChanged
}

/** A name below an open folder. Follows no links. Undefined if its parent does not exist. */
export async function locate(top: Handle, names: readonly string[]): Promise<HeldLocation | undefined> {
  const name = names.at(-1) ?? fail('INTERNAL', 'a path without names')
  let here = top.retain()
  for (const each of names.slice(0, -1)) {
    using parent = here
    const child = await holdChild(parent, bytesOf(each))
    if (child === undefined) return undefined
    here = child
  }
  return new HeldLocation(here, name)
}

/** Calls `work` with the target of each step, one at a time. Syncs each folder once if its steps follow each other. */
export async function eachTarget(
  top: Handle,
  steps: readonly (readonly [index: number, step: Step])[],
  work: (step: Step, index: number, to: Location | undefined) => Promise<void>,
): Promise<void> {
  for (const [position, [index, step]] of steps.entries()) {
    using to = await locate(top, step.to)
    await work(step, index, to)
    const next = steps[position + 1]?.[1]
    if (to !== undefined && (next === undefined || parentOf(next) !== parentOf(step))) await syncFolder(to.folder)
  }
}

function parentOf({ to }: Step): string {
  return to.slice(0, -1).join('/')
}
