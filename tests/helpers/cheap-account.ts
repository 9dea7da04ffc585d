import { createPasswordHasher } from '../../src/platform/security/password-hasher.ts'
import { CHEAP } from './test-context.ts'

/** The password of the first account of a daemon, unless a test has one of its own. */
export const PASSWORD = 'password of the admin'

const hash = await createPasswordHasher({ cost: CHEAP }).hash(PASSWORD)

/** Environment for a first start. Hashing at full cost would take longer than the rest of the start. */
export const CHEAP_ACCOUNT = { FILEMGR_PASSWORD: hash }

/** Flags for commands that create an account to which nobody signs in. */
export const CHEAP_HASH = ['--password-hash', hash] as const
