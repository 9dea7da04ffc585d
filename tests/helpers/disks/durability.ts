import { type BigIntStats, fstatSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isStagedName } from '../../../src/storage/reserved-names.ts'

/** What a power cut would leave: each entry as it was when it was last synced, which this is told by `synced`. */
export class Durability {
  /** Identity of a file or folder → its content, or the names in it with their identities. */
  readonly #durable = new Map<string, string | ReadonlyMap<string, string>>()
  /** The names in each folder that was synced, in this order. */
  readonly folderSyncs: (readonly string[])[] = []
  #syncs = 0

  /** Everything that is in these folders by now is on the disk. */
  constructor(...roots: readonly string[]) {
    for (const root of roots)
      for (const path of [root, ...pathsIn(root)]) this.#durable.set(identityOf(lstatSync(path, BIG)), contentOf(path))
  }

  /** How often anything was synced. */
  get syncs(): number {
    return this.#syncs
  }

  /** Call right before a sync, which misses what is changed during it. @returns call when the sync has succeeded */
  begin(fd: number): () => void {
    const identity = identityOf(fstatSync(fd, BIG))
    const content = contentOf(`/proc/self/fd/${fd}/`, fd)
    return () => {
      this.#syncs += 1
      this.#durable.set(identity, content)
      if (typeof content !== 'string') this.folderSyncs.push([...content.keys()])
    }
  }

  /** What would be lost: the content of files, and new names; what was removed would come back, except hidden files. */
  lost(root: string): string[] {
    return ['', ...pathsIn(root).map((path) => path.slice(root.length))].flatMap((name) => {
      const durable = this.#durable.get(identityOf(lstatSync(root + name, BIG)))
      const now = contentOf(root + name)
      // The name of an entry that is still empty is all there is of it.
      if (typeof now === 'string') return (durable ?? '') === now ? [] : name
      const known: ReadonlyMap<string, string> = typeof durable === 'object' ? durable : new Map()
      const added = [...now].filter(([each, entry]) => known.get(each) !== entry).map(([each]) => each)
      const gone = [...known.keys()].filter((each) => !now.has(each) && !isStagedName(each))
      return [...added, ...gone].map((each) => `${name}/${each}`)
    })
  }
}

const BIG = { bigint: true } as const

function pathsIn(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
}

function contentOf(path: string, fd?: number): string | ReadonlyMap<string, string> {
  const isFolder = (fd === undefined ? lstatSync(path) : fstatSync(fd)).isDirectory()
  if (!isFolder) return readFileSync(fd === undefined ? path : `/proc/self/fd/${fd}`, 'base64')
  return new Map(readdirSync(path).map((name) => [name, identityOf(lstatSync(join(path, name), BIG))]))
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`
}
