import { fail } from '../domain/errors.ts'
import type { LegacyHash } from './password-hasher.ts'
import type { WorkerPool } from './worker-pool.ts'
import { workerUrl } from './worker-url.ts'

/** Up to a cost of 15, which takes seconds: one of 31 would take days of a processor. */
const SHAPE = /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/
/** Of the program that these hashes come from. */
const COST = 10
const LONGEST = 72

/** Hashes of an old installation, compared in a thread of their own. It ends by itself when it has nothing to do. */
export function createBcrypt(): LegacyHash {
  let pool: Promise<WorkerPool> | undefined
  return {
    recognises: (text) => SHAPE.test(text),

    async verify(password, hash) {
      const { value } = await (await (pool ??= openPool())).run('compare', { password, hash }).next()
      return value === true
    },

    decoy(hashes) {
      const costs = hashes.flatMap((hash) => SHAPE.exec(hash)?.[1] ?? [])
      const dearest = costs.toSorted().at(-1)
      return dearest === undefined ? undefined : `$2b$${dearest}$${'.'.repeat(53)}`
    },
  }
}

async function openPool(): Promise<WorkerPool> {
  const { WorkerPool } = await import('./worker-pool.ts')
  return new WorkerPool({ entry: workerUrl('./bcrypt-worker', import.meta.url), size: 1, heap: 64 })
}

/** For programs that know nothing newer. @throws INVALID_INPUT for more than the 72 bytes that count */
export async function hashByBcrypt(password: string): Promise<string> {
  if (Buffer.byteLength(password) > LONGEST) {
    fail('INVALID_INPUT', `bcrypt looks at the first ${LONGEST} bytes only; take a shorter password, or argon2id`)
  }
  const { hash } = await import('bcryptjs')
  return await hash(password, COST)
}
