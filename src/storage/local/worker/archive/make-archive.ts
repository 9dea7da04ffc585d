import type { LeftOutEntry } from '../../../../domain/files/left-out.ts'
import type { VirtualPath } from '../../../../domain/files/virtual-path.ts'
import type { Lend } from '../../../../platform/workers/worker-host.ts'
import type { Span } from '../../../../domain/files/archives/archive-format.ts'
import { borrow, type LentScopeRoot } from '../../scope/scope-root.ts'
import { createIsShown } from '../sync-calls.ts'
import { ArchiveWalker, type ArchiveItem } from './archive-walker.ts'
import { type ArchiveWriter, type Note, type Steps, textSource } from '../../../../platform/archives/write/members.ts'
import { PartBuffer, inTurn } from '../../../../platform/archives/write/part-buffer.ts'
import { TarWriter } from '../../../../platform/archives/write/tar-writer.ts'
import { type ZipPlan, ZipPlanner } from '../../../../platform/archives/write/zip-plan.ts'
import { ZipWriter } from '../../../../platform/archives/write/zip-writer.ts'
import type { ArchiveSum } from '../../../../platform/archives/write/compress.ts'
import type { TarParts } from '../../../../platform/archives/write/compress-tar.ts'

/** The items of an archive, and what its user may see. */
export interface ArchiveInput {
  readonly scopeRoot: LentScopeRoot
  readonly hideDotfiles: boolean
  readonly rulePrefix: VirtualPath
  readonly items: readonly ArchiveItem[]
}

export type TarInput = ArchiveInput & TarParts

export interface ZipInput extends ArchiveInput {
  readonly plan: ZipPlan
  readonly span: Span
}

/** Bytes: a file of READ_FIRST bytes fits with its header. */
const ZIP_PART = 256 * 1024

/** Visits all entries of a zip without reading their content. */
export function* planZip(input: ArchiveInput): Steps<ZipPlan> {
  const planner = new ZipPlanner()
  const { note, leftOut } = yield* walk(input, planner)
  if (note) yield* planner.file(note.member, textSource(note))
  return planner.plan(note, leftOut)
}

/** Writes a span of a planned zip. */
export function* makeZip({ plan, span, ...input }: ZipInput, lend: Lend): Steps {
  const parts = new PartBuffer(ZIP_PART, lend)
  const writer = new ZipWriter(parts, plan, span)
  yield* walk(input, writer, parts)
  if (plan.note && !writer.isDone) yield* writer.file(plan.note.member, textSource(plan.note))
  if (!writer.isDone) yield* writer.end()
  yield* parts.take(true)
}

export function* makeTar({ partSize, memory, isSummed, ...input }: TarInput, lend: Lend): Steps<ArchiveSum> {
  const parts = new PartBuffer(partSize, memory ? inTurn(memory) : lend, isSummed)
  const writer = new TarWriter(parts)
  const { note, leftOut } = yield* walk(input, writer, parts)
  if (note) yield* writer.file(note.member, textSource(note))
  yield* writer.end()
  yield* parts.take(true)
  return { crc: parts.crc, size: parts.written, leftOut }
}

interface Walked {
  /** What could not be read, for the person who unpacks the archive. */
  readonly note: Note | undefined
  readonly leftOut: readonly LeftOutEntry[]
}

function* walk(input: ArchiveInput, writer: ArchiveWriter, parts?: PartBuffer): Steps<Walked> {
  const scopeRoot = borrow(input.scopeRoot)
  const isShown = createIsShown(scopeRoot, input.hideDotfiles)
  const walker = new ArchiveWalker({ scopeRoot, isShown, rulePrefix: input.rulePrefix, writer })
  for (const item of input.items) {
    for (const part of walker.item(item)) {
      if (part) yield part
      if (parts) yield* parts.take()
      yield
      if (writer.isDone) return { note: undefined, leftOut: [] }
    }
  }
  return { note: walker.note(), leftOut: walker.leftOut }
}
