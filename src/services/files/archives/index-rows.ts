import { partsOfTime } from '../../../domain/files/file-time.ts'
import { bytesOfText } from '../../../domain/files/name-text.ts'
import { ROOT, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import {
  type ArchiveNode,
  HAS_ENTRY,
  type IndexRows,
  IS_ENCRYPTED,
  IS_EXECUTABLE,
  IS_FOLDER,
  IS_IN_ZIP,
} from './archive-index.ts'

type Folders = ReadonlyMap<VirtualPath, ReadonlyMap<string, ArchiveNode>>

interface Placed {
  readonly name: Uint8Array
  readonly node: ArchiveNode
}

const TOP: Placed = {
  name: Buffer.alloc(0),
  node: { path: ROOT, isDir: true, size: 0, modified: 0n, entry: undefined },
}

/** Writes the nodes of an archive into rows, folder by folder. */
export function packRows(folders: Folders): IndexRows {
  const [placed, firsts, counts] = inRuns(folders)
  const rows = emptyRows(placed, firsts, counts)
  let nameStart = 0
  for (const [row, { name, node }] of placed.entries()) {
    rows.names.set(name, nameStart)
    rows.nameStarts[row] = nameStart
    nameStart += name.length
    const { seconds, nanos } = partsOfTime(node.modified)
    rows.times[row] = seconds
    rows.nanos[row] = nanos
    rows.flags[row] = flagsOf(node)
    const { entry } = node
    rows.sizes[row] = entry?.size ?? 0
    rows.offsets[row] = entry?.at ?? 0
    rows.packed[row] = entry?.zip?.packed ?? 0
    rows.crcs[row] = entry?.zip?.crc ?? 0
    rows.methods[row] = entry?.zip?.method ?? 0
  }
  rows.nameStarts[placed.length] = nameStart
  return rows
}

/** All nodes, each folder's in one run, with the first row and the length of the run of each. */
function inRuns(folders: Folders): [placed: Placed[], firsts: number[], counts: number[]] {
  const placed = [TOP]
  const [firsts, counts]: [number[], number[]] = [[], []]
  // The list grows while it is read: a folder's nodes come after all that is known when the folder is reached.
  for (const { node } of placed) {
    const children = [...(folders.get(node.path) ?? [])].map(([name, child]) => ({
      name: bytesOfText(name),
      node: child,
    }))
    children.sort((a, b) => Buffer.compare(a.name, b.name))
    firsts.push(placed.length)
    counts.push(children.length)
    for (const child of children) placed.push(child)
  }
  return [placed, firsts, counts]
}

function emptyRows(placed: readonly Placed[], firsts: readonly number[], counts: readonly number[]): IndexRows {
  const count = placed.length
  return {
    flags: new Uint8Array(count),
    methods: new Uint16Array(count),
    sizes: new Float64Array(count),
    times: new Float64Array(count),
    nanos: new Uint32Array(count),
    offsets: new Float64Array(count),
    packed: new Float64Array(count),
    crcs: new Uint32Array(count),
    firsts: Uint32Array.from(firsts),
    counts: Uint32Array.from(counts),
    nameStarts: new Uint32Array(count + 1),
    names: new Uint8Array(placed.reduce((sum, { name }) => sum + name.length, 0)),
  }
}

function flagsOf({ isDir, entry }: ArchiveNode): number {
  return (
    (isDir ? IS_FOLDER : 0) |
    (entry === undefined ? 0 : HAS_ENTRY) |
    (entry?.isExecutable === true ? IS_EXECUTABLE : 0) |
    (entry?.zip === undefined ? 0 : IS_IN_ZIP) |
    (entry?.zip?.isEncrypted === true ? IS_ENCRYPTED : 0)
  )
}
