/** After so long without a byte an upload no longer keeps others off the disk, in milliseconds. */
const CLAIM_LIFE = 60 * 60 * 1000

interface Claim {
  /** Number of the disk. */
  readonly dev: bigint
  /** Still to come. */
  readonly bytes: number
  readonly since: number
}

/**
 * What files that come in parts have still to bring, so that not two of them count on the same free space. Kept in memory:
 * after a restart an upload claims its rest again with its next part.
 */
export class SpaceClaims {
  readonly #claims = new Map<string, Claim>()
  readonly #now: () => number

  /** @param now in milliseconds, never going back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param name of the file that is written */
  set(name: string, dev: bigint, bytes: number): void {
    this.#claims.delete(name)
    if (bytes > 0) this.#claims.set(name, { dev, bytes, since: this.#now() })
  }

  drop(name: string): void {
    this.#claims.delete(name)
  }

  /** Bytes that are claimed on a disk. */
  on(dev: bigint): number {
    let bytes = 0
    for (const [name, claim] of this.#claims) {
      if (this.#now() - claim.since > CLAIM_LIFE) this.#claims.delete(name)
      else if (claim.dev === dev) bytes += claim.bytes
    }
    return bytes
  }
}
