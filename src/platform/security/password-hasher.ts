import { composed, decomposed } from '../../domain/text/fold.ts'
import { fail } from '../../domain/errors.ts'
import { HeavyMemory } from '../limits/heavy-memory.ts'
import { createLimiter } from '../limits/limiter.ts'
import type { WorkerPool } from '../workers/worker-pool.ts'
import { workerUrl } from '../workers/worker-messages.ts'

export interface HashCost {
  /** KiB. */
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** Another kind of hash, which imported accounts have. It is replaced at the next sign-in. */
export interface LegacyHash {
  recognises(text: string): boolean
  verify(password: string, hash: string): Promise<boolean>
  /** A hash that matches no password and costs as much as the most expensive of this kind in `hashes`; undefined without one. */
  decoy(hashes: readonly string[]): string | undefined
}

export interface HasherOptions {
  readonly cost?: HashCost
  readonly legacy?: readonly LegacyHash[]
  /** Where each hash takes its memory. */
  readonly memory?: HeavyMemory
}

const COST: HashCost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }
const SALT_BYTES = 16
const HASH_BYTES = 32
const MAX_PASSWORD_BYTES = 1024

const ARGON2ID =
  /^\$argon2id\$v=19\$([mtp]=\d{1,7},[mtp]=\d{1,7},[mtp]=\d{1,7})\$[A-Za-z0-9+/]{11,88}\$[A-Za-z0-9+/]{22,88}$/
/** Hashes above this are refused: a crafted one could exhaust memory or CPU time. */
const MAX_COST = { memoryCost: 1_048_576, timeCost: 16, parallelism: 16 }

/**
 * Slow, salted hashes of passwords: argon2id, two at a time, because each takes 64 MiB of memory and a tenth of a second of CPU
 * time.
 */
export function createPasswordHasher({
  cost = COST,
  memory = new HeavyMemory(),
  legacy = [createBcrypt(memory)],
}: HasherOptions = {}) {
  const limiter = createLimiter({ concurrent: 2, waiting: 64 })
  const dummy = dummyHash(cost)

  const matches = async (password: string, hash: string): Promise<boolean> => {
    const legacyKind = legacy.find((kind) => kind.recognises(hash))
    if (legacyKind !== undefined) return await legacyKind.verify(password, hash)
    const actual = costOf(hash)
    if (actual === undefined) return false
    using _room = await memory.acquire(actual.memoryCost * 1024)
    return await (await loadArgon2()).verify(hash, password)
  }

  /** One decoy for each kind of hash other than that of `hash`. */
  const decoysBeside = (hash: string, allHashes: readonly string[]): string[] => {
    const own = legacy.find((kind) => kind.recognises(hash))
    const decoys = legacy.filter((kind) => kind !== own).flatMap((kind) => kind.decoy(allHashes) ?? [])
    return costOf(hash) === undefined ? [dummy, ...decoys] : decoys
  }

  return {
    /**
     * Of the composed form of the text (NFC), because keyboards differ in it.
     *
     * @throws INVALID_INPUT for more than 1024 bytes; BUSY if too many wait
     */
    async hash(typed: string): Promise<string> {
      const password = composed(typed)
      requireLength(password)
      const argon2 = await loadArgon2()
      const hash = await limiter.run(async () => {
        using _room = await memory.acquire(cost.memoryCost * 1024)
        return await argon2.hash(password, { ...cost, type: argon2.argon2id })
      })
      // The parameter order of the PHC string format, which other programs require.
      return hash.replace(/\$(m=\d+),(p=\d+),(t=\d+)\$/, '$$$1,$3,$2$$')
    },

    /**
     * Accepts each Unicode form of the password: hashes made elsewhere, or by older versions, may be of another one. For an unknown
     * user, pass `undefined`: this takes as long as for a real hash, so the time does not reveal which users exist.
     *
     * @param allHashes the hashes of all users. A wrong password is also compared with a decoy for each other kind among them, so
     *   that the time does not reveal which kind of hash the user has.
     * @throws BUSY
     */
    async verify(
      password: string,
      hash: string | undefined,
      allHashes: () => readonly string[] = () => [],
    ): Promise<boolean> {
      const comparable = hash !== undefined && isShortEnough(composed(password)) ? hash : dummy
      const forms = formsOf(password)
      return await limiter.run(async () => {
        // Always compute a hash: an immediate reply would reveal that the user does not exist (CVE-2026-23849).
        for (const form of forms) if ((await matches(form, comparable)) && comparable !== dummy) return true
        for (const decoy of decoysBeside(comparable, allHashes())) for (const form of forms) await matches(form, decoy)
        return false
      })
    },

    /** True for a hash that should be replaced at the next sign-in, when the password is known. */
    isOutdated(hash: string): boolean {
      const actual = costOf(hash)
      return actual === undefined || actual.memoryCost < cost.memoryCost || actual.timeCost < cost.timeCost
    },

    /** True for a complete hash that `verify` can check. */
    recognises: (text: string): boolean => costOf(text) !== undefined || legacy.some((kind) => kind.recognises(text)),
  }
}

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Loaded on demand, because most commands do not need this native code. */
async function loadArgon2() {
  return (await import('argon2')).default
}

/** @throws INVALID_INPUT */
function requireLength(password: string): void {
  if (isShortEnough(password)) return
  fail('INVALID_INPUT', `password is too long, maximum length is ${MAX_PASSWORD_BYTES} bytes`, { field: 'password' })
}

/** The forms in which a password may have been hashed, the usual one first. How many depends on what was typed alone. */
function formsOf(password: string): string[] {
  const forms = [composed(password), password, decomposed(password)]
  return [...new Set(forms.map((form) => form.slice(0, MAX_PASSWORD_BYTES)))]
}

function isShortEnough(password: string): boolean {
  return Buffer.byteLength(password) <= MAX_PASSWORD_BYTES
}

function costOf(hash: string): HashCost | undefined {
  const parameters = ARGON2ID.exec(hash)?.[1]
  if (parameters === undefined) return undefined
  const values = parameters.split(',').map((text) => [text.charAt(0), Number(text.slice(2))] as const)
  const { m: memoryCost = 0, t: timeCost = 0, p: parallelism = 0 }: Record<string, number> = Object.fromEntries(values)
  const tooHigh = memoryCost > MAX_COST.memoryCost || timeCost > MAX_COST.timeCost || parallelism > MAX_COST.parallelism
  const possible = timeCost >= 1 && parallelism >= 1 && memoryCost >= 8 * parallelism
  return tooHigh || !possible ? undefined : { memoryCost, timeCost, parallelism }
}

/** Takes as long to compare as a real hash, and matches no password. */
function dummyHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const zeros = (bytes: number) => Buffer.alloc(bytes).toString('base64').replace(/=+$/, '')
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`
  return `$argon2id$v=19$${parameters}$${zeros(SALT_BYTES)}$${zeros(HASH_BYTES)}`
}

/** Costs up to 15, which takes seconds: the maximum of 31 would take days of CPU time. */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-5])\$[./A-Za-z0-9]{53}$/
/** The cost that File Browser uses. */
const BCRYPT_COST = 10
const MAX_BCRYPT_BYTES = 72

/** Compares hashes of File Browser in a worker thread, which ends when it is idle. */
function createBcrypt(memory: HeavyMemory): LegacyHash {
  let pool: Promise<WorkerPool> | undefined
  return {
    recognises: (text) => BCRYPT.test(text),

    async verify(password, hash) {
      const { value } = await (await (pool ??= openPool(memory))).run('compare', { password, hash }).next()
      return value === true
    },

    decoy(hashes) {
      const costs = hashes.flatMap((hash) => BCRYPT.exec(hash)?.[1] ?? [])
      const highest = costs.toSorted().at(-1)
      return highest === undefined ? undefined : `$2b$${highest}$${'.'.repeat(53)}`
    },
  }
}

async function openPool(memory: HeavyMemory): Promise<WorkerPool> {
  const { WorkerPool } = await import('../workers/worker-pool.ts')
  return new WorkerPool({ entry: workerUrl('./bcrypt-worker', import.meta.url), size: 1, heap: 16, memory })
}

/** For programs that know only bcrypt. @throws INVALID_INPUT for more than 72 bytes: bcrypt ignores the rest */
export async function hashByBcrypt(typed: string): Promise<string> {
  const password = composed(typed)
  if (Buffer.byteLength(password) > MAX_BCRYPT_BYTES) {
    fail(
      'INVALID_INPUT',
      `bcrypt uses only the first ${MAX_BCRYPT_BYTES} bytes; choose a shorter password, or argon2id`,
    )
  }
  const { hash } = await import('bcryptjs')
  return await hash(password, BCRYPT_COST)
}
