import { createPasswordHasher } from '../../src/platform/security/password-hasher.ts'
import { CHEAP } from './test-context.ts'

/** The password of the first account of a daemon, unless a test has one of its own. */
export const PASSWORD = 'password of the admin'

const hash = await createPasswordHasher({ cost: CHEAP }).hash(PASSWORD)

/** For the environment of a first start. A hash of full cost would take longer than the rest of it. */
export const CHEAP_ACCOUNT = { FILEMGR_PASSWORD: hash }

/** For lines that make an account, where nobody signs in to it. */
export const CHEAP_HASH = ['--password-hash', hash] as const
