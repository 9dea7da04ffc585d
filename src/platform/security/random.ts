import { randomBytes, randomInt } from 'node:crypto'

/** Unguessable values. Passed in, so that tests can foretell them. */
export interface Random {
  /**
   * That many random bytes, as base64url: 12 bytes are 16 characters. The first one is no "-": at the command line such an id
   * would be taken for a flag.
   */
  token(bytes: number): string
  /** A whole number from 0 up to, but without, `limit`. */
  below(limit: number): number
}

export const systemRandom: Random = {
  token: (bytes) => {
    for (;;) {
      const token = randomBytes(bytes).toString('base64url')
      if (!token.startsWith('-')) return token
    }
  },
  below: (limit) => randomInt(limit),
}
