import type { BigIntStats } from 'node:fs'
import type { ResourceType } from '../../../domain/files/resource-type.ts'

/** A file as far as its type depends on it; its content changes none of this only if it changes nothing. */
type Facts = Pick<BigIntStats, 'ctimeNs' | 'dev' | 'ino' | 'mtimeNs' | 'size'>

interface Known {
  readonly promised: string | undefined
  readonly type: ResourceType
}

/** A power of two: neighbours on the disk, with inode numbers one after the other, get places of their own. */
const PLACES = 16_384
const FACTS = 5

/** Nanoseconds. Some disks keep times in steps of two seconds, and do not tell two changes within a step apart. */
const LONGEST_STEP = 2_000_000_000n

/**
 * The types of files whose content has been examined: a folder is listed again after each change of one of its files, and opening
 * all the others takes a fifth of the time. Its memory stays the same: a file replaces another one in its place.
 */
export class KnownTypes {
  readonly #facts = new BigInt64Array(PLACES * FACTS)
  readonly #known: (Known | undefined)[] = []

  /** @param promised the media type of the name, on which the type depends too */
  get(file: Facts, promised: string | undefined): ResourceType | undefined {
    const place = placeOf(file)
    const known = this.#known[place]
    if (known === undefined || known.promised !== promised) return undefined
    const isSame = factsOf(file).every((fact, index) => this.#facts[place * FACTS + index] === fact)
    return isSame ? known.type : undefined
  }

  /** Not for a file that has just changed: it may change again without a trace. */
  set(file: Facts, known: Known): void {
    const age = BigInt(Date.now()) * 1_000_000n - (file.ctimeNs > file.mtimeNs ? file.ctimeNs : file.mtimeNs)
    if (age < LONGEST_STEP) return
    const place = placeOf(file)
    this.#facts.set(factsOf(file), place * FACTS)
    this.#known[place] = known
  }
}

function placeOf({ ino }: Facts): number {
  return Number(ino & BigInt(PLACES - 1))
}

function factsOf({ dev, ino, ctimeNs, mtimeNs, size }: Facts): bigint[] {
  return [dev, ino, ctimeNs, mtimeNs, size]
}
