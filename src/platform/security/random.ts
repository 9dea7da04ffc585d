import { randomBytes, randomInt } from 'node:crypto'

/** Cryptographically secure random values. Passed in, so that tests control them. */
export interface Random {
  /**
   * Random bytes as base64url: 12 bytes give 16 characters. Never begins with "-", which would make it a flag on the command
   * line.
   */
  token(bytes: number): string
  /** A whole number from 0 to `limit` - 1. */
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
