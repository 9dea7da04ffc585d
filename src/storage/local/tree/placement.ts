import { type BigIntStats, constants } from 'node:fs'
import { fail, throwIfCancelled } from '../../../domain/errors.ts'
import type { EntryIdentity } from '../../../domain/files/entry-identity.ts'
import { KEPT, NEW, placeOrUndo, PLAN, type Step } from '../../placement.ts'
import type { PlacedItem, PlacingWork, TransferMode } from '../../storage.ts'
import { checkedLocation, requireNoWayOut } from '../scope/resolve.ts'
import { requireNothingProtectedIn, type ScopeRoot } from '../scope/scope-root.ts'
import { inherit, rulesFor } from '../system/inherit.ts'
import { replaceFile } from '../system/carried-over.ts'
import { statsOf, statsOrNothing, syncFolder } from '../system/disk.ts'
import { close, open, unlink } from '../system/gated-calls.ts'
import { identityOf, at, type Handle, hold, HOLD_ENTRY, HOLD_FOLDER, type Location, textOf } from '../system/handle.ts'
import { createPrivateFolder } from '../system/new-entry.ts'
import { placeFile, placeFolder, placeOverKept } from '../write/place-entry.ts'
import { requireSameKind, walkBoth } from './copy-tree.ts'
import { writePlan, eachTarget, locate, undoPlacement } from './placement-plan.ts'
import { type Entry, walk } from './walk.ts'

const { O_NOFOLLOW, O_WRONLY } = constants

export interface Placing {
  readonly scopeRoot: ScopeRoot
  /** The folder that everything is placed in. */
  readonly folder: Handle
  /** The staged folder. */
  readonly staged: Handle
  readonly work: PlacingWork
}

/**
 * Puts entries of a staged folder in place: all of them, or none. All are judged before the first change, and the plan and what
 * is replaced stay in the staged folder until the last one is in place.
 */
export async function placeAll(
  placing: Placing,
  items: readonly PlacedItem[],
  { replace }: Pick<TransferMode, 'replace'>,
): Promise<void> {
  const { scopeRoot, folder, staged, work } = placing
  const judged: Judged[] = []
  for (const item of items) judged.push(await judge(placing, item, replace))
  const steps = judged.flatMap((each) => each.steps)
  await work.placing?.(judged.map(({ entry }) => entry))
  await createPrivateFolder({ folder: staged, name: KEPT })
  const plan = { staged, steps, planned: await writePlan(staged, steps) }
  await placeOrUndo({
    async carryOut() {
      await carryOut(placing, steps)
      await unlink(at(staged, PLAN))
    },
    undo: async () => await undoPlacement(scopeRoot.effects, folder, plan, work.leftOut),
    signal: work.signal,
    isResumable: scopeRoot.staged.stager !== undefined,
  })
  await syncFolder(staged)
}

interface Judged {
  readonly entry: EntryIdentity
  readonly steps: readonly Step[]
}

/** @throws CONFLICT if something is in the way */
async function judge(placing: Placing, { from, to }: PlacedItem, replace: boolean): Promise<Judged> {
  const { scopeRoot, folder, staged, work } = placing
  using source = (await locate(staged, [NEW, from])) ?? failGone()
  const stats = (await statsOrNothing(at(source.folder, source.name))) ?? failGone()
  const entry = identityOf(stats)
  using target = await checkedLocation(scopeRoot, folder, to)
  const old = await statsOrNothing(at(target.folder, target.name))
  if (old === undefined) return { entry, steps: [stepOf([from], [to], stats, false)] }
  if (!replace) fail('CONFLICT', `"${to}" is already there`)
  requireSameKind(stats, old)
  await requireNothingProtectedIn(scopeRoot, old)
  if (old.isSymbolicLink()) await requireNoWayOut(scopeRoot, folder, to)
  if (stats.isDirectory()) return { entry, steps: await judgeMerge(placing, source, target) }
  await fit(source, target, old, work.signal)
  return { entry, steps: [stepOf([from], [to], stats, true)] }
}

async function judgeMerge({ scopeRoot, folder, work }: Placing, source: Location, target: Location): Promise<Step[]> {
  const { dev } = await statsOf(folder)
  const [from, to] = [textOf(source.name), textOf(target.name)]
  using unpacked = await hold(at(source.folder, source.name), HOLD_FOLDER | O_NOFOLLOW)
  using existing = await hold(at(target.folder, target.name), HOLD_FOLDER | O_NOFOLLOW)
  const steps: Step[] = []
  const rules = await rulesFor(folder)
  let last: { readonly folder: Handle; readonly differs: boolean } | undefined
  const differs = async (there: Handle) => {
    if (last?.folder !== there) last = { folder: there, differs: (await rulesFor(there)) !== rules }
    return last.differs
  }
  const isProtected = (entry: Entry) => scopeRoot.protectedPaths.hasName(entry.folder, entry.name, entry.stats)
  const transfer = async (entry: Entry, place: Location, present: BigIntStats | undefined) => {
    if (isProtected(entry)) return
    // Without one rename, neither placing nor undoing could be complete at every moment.
    if ((await statsOf(place.folder)).dev !== dev)
      fail('CONFLICT', `"${to}" contains a folder of another disk: extract into that folder instead`)
    if (present !== undefined || (await differs(place.folder))) await fit(entry, place, present, work.signal)
    const names = entry.path.split('/')
    steps.push(stepOf([from, ...names], [to, ...names], entry.stats, present !== undefined))
  }
  await walkBoth(unpacked, existing, { transfer, isProtected }, { work: { signal: work.signal } })
  return steps
}

/**
 * Gives what was unpacked the owner, group, mode and access list of its place: those of the file that it replaces, or those of new
 * entries there. Before the plan is written, after which a change counts as one by others.
 */
async function fit(
  source: Location,
  target: Location,
  old: BigIntStats | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (old === undefined) {
    await inherit(target.folder, source)
    using made = await hold(at(source.folder, source.name), HOLD_ENTRY)
    if (!(await statsOf(made)).isDirectory()) return
    const each = async (entry: Entry) => await inherit(entry.folder, entry)
    const enter = async (entry: Entry) => {
      await each(entry)
      return true
    }
    await walk(made, { file: each, enter }, { work: { signal } })
  } else if (old.isFile()) {
    const fd = await open(at(source.folder, source.name), O_WRONLY | O_NOFOLLOW)
    try {
      await replaceFile(fd, source, target, old)
    } finally {
      await close(fd)
    }
  }
}

function stepOf(from: string[], to: string[], stats: BigIntStats, replaces: boolean): Step {
  const isFolder = stats.isDirectory()
  const { size, mtimeNs } = stats
  return { from, to, entry: identityOf(stats), isFolder, replaces, size: String(size), modified: String(mtimeNs) }
}

async function carryOut({ scopeRoot: { effects }, folder, staged, work }: Placing, steps: readonly Step[]) {
  await eachTarget(folder, [...steps.entries()], async (step, index, to) => {
    throwIfCancelled(work.signal)
    if (to === undefined) fail('CONFLICT', 'a folder of the target was removed meanwhile', { reason: 'changed' })
    using from = (await locate(staged, [NEW, ...step.from])) ?? failGone()
    if (step.isFolder) await placeFolder(effects, from, to, work.accept)
    else if (!step.replaces) await placeFile(effects, from, to, work.accept)
    else {
      using kept = (await locate(staged, [KEPT, String(index)])) ?? failGone()
      await placeOverKept(effects, from, to, kept, work.accept)
    }
  })
}

function failGone(): never {
  return fail('CONFLICT', 'what was unpacked was removed meanwhile', { reason: 'changed' })
}
