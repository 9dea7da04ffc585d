import { fail } from '../../domain/errors.ts'
import { createLimiter } from '../limits/limiter.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { workerUrl } from '../workers/worker-messages.ts'

/** Slow, salted hashes of passwords, a few at a time. */
export interface PasswordHasher {
  /** @throws INVALID_INPUT for more than 1024 bytes; BUSY when too many wait */
  hash(password: string): Promise<string>
  /**
   * Takes as long for `undefined`, the hash of a user who is not there.
   *
   * @param others all hashes that the same question may meet: a wrong password is compared with each kind of them, so that
   *   the time does not tell whether it met one of the old kinds
   * @throws BUSY
   */
  verify(password: string, hash: string | undefined, others?: () => readonly string[]): Promise<boolean>
  /** True for a hash that a new one should replace while the password is known. */
  isOutdated(hash: string): boolean
  /** True for a text with the full shape of a hash that `verify` understands. */
  recognises(text: string): boolean
}

export interface HashCost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Another kind of hash that old records hold. It is replaced at the next sign-in. */
export interface LegacyHash {
  recognises(text: string): boolean
  verify(password: string, hash: string): Promise<boolean>
  /** A hash of no password that costs as much to compare with as the dearest of these of its kind, if there is one. */
  decoy(hashes: readonly string[]): string | undefined
}

export interface HasherOptions {
  readonly cost?: HashCost
  readonly legacy?: readonly LegacyHash[]
}

const COST: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const LONGEST_PASSWORD = 1024

const ARGON2ID =
  /^\$argon2id\$v=19\$([mtp]=\d{1,7},[mtp]=\d{1,7},[mtp]=\d{1,7})\$[A-Za-z0-9+/]{11,88}\$[A-Za-z0-9+/]{22,88}$/
/** Against hashes crafted to exhaust memory or processor time. */
const HIGHEST = { memoryCost: 1_048_576, timeCost: 16, parallelism: 16 }

/** argon2id, two at a time: each takes 64 MiB and a processor for a tenth of a second. */
export function createPasswordHasher({ cost = COST, legacy = [createBcrypt()] }: HasherOptions = {}): PasswordHasher {
  const limiter = createLimiter({ concurrent: 2, waiting: 64 })
  const dummy = dummyHash(cost)

  const matches = async (password: string, hash: string): Promise<boolean> => {
    const old = legacy.find((kind) => kind.recognises(hash))
    if (old !== undefined) return await old.verify(password, hash)
    return costOf(hash) !== undefined && (await (await loadArgon2()).verify(hash, password))
  }

  /** One of each kind that was not compared with yet. */
  const decoysBeside = (hash: string, others: readonly string[]): string[] => {
    const met = legacy.find((kind) => kind.recognises(hash))
    const missing = legacy.filter((kind) => kind !== met).flatMap((kind) => kind.decoy(others) ?? [])
    return costOf(hash) === undefined ? [dummy, ...missing] : missing
  }

  return {
    async hash(password) {
      requireLength(password)
      const argon2 = await loadArgon2()
      const hash = await limiter.run(async () => await argon2.hash(password, { ...cost, type: argon2.argon2id }))
      // The order of the PHC string format, which other programs insist on.
      return hash.replace(/\$(m=\d+),(p=\d+),(t=\d+)\$/, '$$$1,$3,$2$$')
    },

    async verify(password, hash, others = () => []) {
      const comparable = hash !== undefined && isShortEnough(password) ? hash : dummy
      const bounded = password.slice(0, LONGEST_PASSWORD)
      return await limiter.run(async () => {
        // An answer that comes at once would tell who has an account (CVE-2026-23849), so a hash is always worked out.
        if ((await matches(bounded, comparable)) && comparable !== dummy) return true
        for (const decoy of decoysBeside(comparable, others())) await matches(bounded, decoy)
        return false
      })
    },

    isOutdated(hash) {
      const made = costOf(hash)
      return made === undefined || made.memoryCost < cost.memoryCost || made.timeCost < cost.timeCost
    },

    recognises: (text) => costOf(text) !== undefined || legacy.some((kind) => kind.recognises(text)),
  }
}

/** Native code, which most commands do without. */
async function loadArgon2() {
  return (await import('argon2')).default
}

/** @throws INVALID_INPUT */
function requireLength(password: string): void {
  if (isShortEnough(password)) return
  fail('INVALID_INPUT', `password is too long, maximum length is ${LONGEST_PASSWORD} bytes`, { field: 'password' })
}

function isShortEnough(password: string): boolean {
  return Buffer.byteLength(password) <= LONGEST_PASSWORD
}

function costOf(hash: string): HashCost | undefined {
  const parameters = ARGON2ID.exec(hash)?.[1]
  if (parameters === undefined) return undefined
  const values = parameters.split(',').map((text) => [text.charAt(0), Number(text.slice(2))] as const)
  const { m: memoryCost = 0, t: timeCost = 0, p: parallelism = 0 }: Record<string, number> = Object.fromEntries(values)
  const tooHigh = memoryCost > HIGHEST.memoryCost || timeCost > HIGHEST.timeCost || parallelism > HIGHEST.parallelism
  const possible = timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
  return tooHigh || !possible ? undefined : { memoryCost, timeCost, parallelism }
}

/** Takes as long to compare as a real hash and matches no password: timing does not reveal which accounts exist. */
function dummyHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '')
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${zeros(SALT_BYTES)}$${zeros(HASH_BYTES)}`
}

/** Up to a cost of 15, which takes seconds: one of 31 would take days of a processor. */
const SHAPE = /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/
/** Of the program that these hashes come from. */
const BCRYPT_COST = 10
const LONGEST = 72

/** Hashes of an old installation, compared in a thread of their own. It ends by itself when it has nothing to do. */
function createBcrypt(): LegacyHash {
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
  const { WorkerPool } = await import('../workers/worker-pool.ts')
  return new WorkerPool({ entry: workerUrl('./bcrypt-worker', import.meta.url), size: 1, heap: 64 })
}

/** For programs that know nothing newer. @throws INVALID_INPUT for more than the 72 bytes that count */
export async function hashByBcrypt(password: string): Promise<string> {
  if (Buffer.byteLength(password) > LONGEST) {
    fail('INVALID_INPUT', `bcrypt looks at the first ${LONGEST} bytes only; take a shorter password, or argon2id`)
  }
  const { hash } = await import('bcryptjs')
  return await hash(password, BCRYPT_COST)
}
