import type { BigIntStats } from 'node:fs'
import type { Name } from '../handle.ts'

/** What was copied, as it was when its copy began: only what is still the same may be removed where it came from. */
export class Copied {
  readonly #keys = new Set<string>()

  add(stats: BigIntStats, name: Name): void {
    this.#keys.add(keyOf(stats, name))
  }

  has(stats: BigIntStats, name: Name): boolean {
    return this.#keys.has(keyOf(stats, name))
  }
}

/**
 * Short, for a million of them. The time and size of a folder change with what is removed from it. The name counts for files: a
 * save that was copied while it waited under its hidden name is in its place by now, and was not copied under that.
 */
function keyOf(stats: BigIntStats, name: Name): string {
  const { dev, ino, size, mtimeNs } = stats
  const parts = stats.isDirectory() ? [dev, ino] : [dev, ino, size, mtimeNs]
  const key = parts.map((part) => part.toString(36)).join(' ')
  return stats.isDirectory() ? key : `${key} ${Buffer.from(name).toString('latin1')}`
}
