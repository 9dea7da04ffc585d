import type { VirtualPath } from '../../../../domain/files/virtual-path.ts'
import type { Lend } from '../../../../platform/workers/worker-host.ts'
import { borrow, type LentScopeRoot } from '../../scope/scope-root.ts'
import { createIsShown } from '../sync-look.ts'
import { ArchiveWalker, type ArchiveItem } from './archive-walker.ts'
import type { ArchiveWriter, Steps } from './members.ts'
import { PartBuffer } from './part-buffer.ts'
import { ZipWriter } from './zip-writer.ts'

export interface ArchiveInput {
  readonly scopeRoot: LentScopeRoot
  readonly hideDotfiles: boolean
  readonly container: 'zip' | 'tar'
  /** Bytes of each part but the last. */
  readonly partSize: number
  readonly rulePrefix: VirtualPath
  readonly items: readonly ArchiveItem[]
}

interface ArchiveMemory {
  readonly lend: Lend
  /** Told of bytes that came and went. */
  readonly minorGcAfter: (bytes: number) => void
}

/** Of what the parts hold together. */
export interface ArchiveSum {
  readonly crc: number
  readonly size: number
}

/** Writes a zip or a tar part by part. */
export async function makeArchive(
  input: ArchiveInput,
  { lend, minorGcAfter }: ArchiveMemory,
): Promise<Steps<ArchiveSum>> {
  const parts = new PartBuffer(input.partSize, lend)
  if (input.container === 'zip') return steps(input, parts, new ZipWriter(parts, minorGcAfter))
  // Loaded at its first use: the threads that compress have no need of it.
  const { TarWriter } = await import('./tar-writer.ts')
  return steps(input, parts, new TarWriter(parts))
}

function* steps(input: ArchiveInput, parts: PartBuffer, writer: ArchiveWriter): Steps<ArchiveSum> {
  const scopeRoot = borrow(input.scopeRoot)
  const isShown = createIsShown(scopeRoot, input.hideDotfiles)
  const walker = new ArchiveWalker({ scopeRoot, isShown, rulePrefix: input.rulePrefix, writer })
  for (const item of input.items) {
    for (const part of walker.item(item)) {
      if (part) yield part
      yield* parts.take()
      yield
    }
  }
  yield* walker.note()
  yield* writer.end()
  yield* parts.take(true)
  return { crc: parts.crc, size: parts.written }
}
