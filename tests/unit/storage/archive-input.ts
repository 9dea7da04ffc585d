import { closeSync, constants, openSync } from 'node:fs'
import { ROOT } from '../../../src/domain/files/virtual-path.ts'
import { bareScopeRoot, lend } from '../../../src/storage/local/scope/scope-root.ts'
import { Handle } from '../../../src/storage/local/system/handle.ts'
import { type ArchiveInput, makeZip, planZip } from '../../../src/storage/local/worker/archive/make-archive.ts'
import type { ZipPlan } from '../../../src/platform/archives/write/zip-plan.ts'
import type { Span } from '../../../src/domain/files/archives/archive-format.ts'

export const lendNew = (bytes: number) => Buffer.allocUnsafeSlow(bytes)

/** The input of a worker that archives all that a folder holds. */
export function archiveInput(folder: string): ArchiveInput & Disposable {
  const root = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  return {
    scopeRoot: lend(bareScopeRoot(new Handle(root), 'inside'), []),
    hideDotfiles: false,
    rulePrefix: ROOT,
    items: [{ segments: [], omittedSegments: 0 }],
    [Symbol.dispose]: () => closeSync(root),
  }
}

export function plannedZip({ scopeRoot, hideDotfiles, rulePrefix, items }: ArchiveInput): ZipPlan {
  const steps = planZip({ scopeRoot, hideDotfiles, rulePrefix, items })
  for (let next = steps.next(); ; next = steps.next()) if (next.done === true) return next.value
}

export function* zipParts(input: ArchiveInput, plan: ZipPlan, span: Span): Generator<Uint8Array, void, void> {
  for (const part of makeZip({ ...input, plan, span }, lendNew)) if (part) yield part
}

export function* wholeZip(input: ArchiveInput): Generator<Uint8Array, void, void> {
  const plan = plannedZip(input)
  yield* zipParts(input, plan, { start: 0, end: plan.size })
}
