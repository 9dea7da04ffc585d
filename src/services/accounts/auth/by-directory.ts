import type { LdapProvider } from '../../../domain/accounts/provider.ts'
import { fail, FilemgrError, isFilemgrError } from '../../../domain/errors.ts'
import { foldName } from '../../../domain/text/fold.ts'
import { createLimiter } from '../../../platform/limits/limiter.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { askDirectory, Steps } from '../directories/directory-person.ts'
import { secretOf } from '../providers/provider-secret.ts'
import type { Person, ProviderSignIn } from '../providers/provider-sign-in.ts'
import type { Captcha } from './captcha.ts'
import type { ClientInfo, Credentials, Proven } from './sign-in-request.ts'
import type { Throttle } from './throttle.ts'

/** Connections to directories at a time. Sign-ins beyond them wait, so that a slow directory does not use up the daemon. */
const CONNECTIONS = 8
const WAITING = 64
/** Seconds. */
const TRY_AGAIN = 10

/** Without a name, it is only tried whether the directory can be searched; without a password, nobody is signed in. */
interface Sought {
  readonly username: string | undefined
  readonly password: string | undefined
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

export interface ByDirectoryDeps {
  readonly store: Store<StoreDocument>
  readonly providerSignIn: ProviderSignIn
  readonly captcha: Captcha
  readonly throttle: Throttle
  readonly log: Logger
}

/** Checks user name and password at LDAP directories. */
export function createByDirectory({ store, providerSignIn, captcha, throttle, log }: ByDirectoryDeps) {
  const limiter = createLimiter({ concurrent: CONNECTIONS, waiting: WAITING })

  const directories = (): LdapProvider[] =>
    store.snapshot().providers.flatMap((provider) => (provider.type === 'ldap' && provider.enabled ? provider : []))

  /** The person of that name, if the password is right. @throws UNAVAILABLE saying what is wrong with the directory */
  const find = async (
    provider: LdapProvider,
    { username, password }: Sought,
    steps: Steps,
  ): Promise<Person | undefined> => {
    const name = username?.trim()
    // A directory takes an empty password for a sign-in without a name, and ignores invisible letters in names.
    if (name === '' || password === '' || (name !== undefined && INVISIBLE.test(name))) return undefined
    const readerPassword = await secretOf(provider)
    // Beside the limit for the name that was typed: a directory finds the same person by several spellings.
    const limited = async (person: string, check: () => Promise<true | undefined>) =>
      await throttle.attempt({ person: `${provider.id}/${foldName(person)}` }, check)
    return await limiter.run(
      async () => await askDirectory({ provider, readerPassword, username: name, password, limited, steps }),
    )
  }

  const personAt = async (provider: LdapProvider, credentials: Credentials): Promise<Person | undefined> =>
    await find(provider, credentials, new Steps()).catch((error: unknown) => {
      if (!isFilemgrError(error, 'UNAVAILABLE')) throw error
      // What exactly is wrong is nothing for strangers.
      log.warn({ provider: provider.id, problem: error.message }, 'a directory could not be asked')
      const message = `${provider.name} does not answer; try again later`
      const details = { reason: 'providerAway', retryAfter: TRY_AGAIN, explained: true }
      throw new FilemgrError('UNAVAILABLE', message, details, { cause: error })
    })

  const prove = async (provider: LdapProvider, credentials: Credentials): Promise<Proven | undefined> => {
    const person = await personAt(provider, credentials)
    if (person === undefined) return undefined
    return { user: await providerSignIn.userOf(person), way: { method: 'ldap', provider: provider.id } }
  }

  const attempt = async <T>(
    id: string,
    credentials: Credentials,
    client: ClientInfo,
    check: (provider: LdapProvider, credentials: Credentials) => Promise<T | undefined>,
  ): Promise<T> => {
    const provider = directories().find((each) => each.id === id)
    if (provider === undefined) return fail('NOT_FOUND', 'there is no such sign-in method')
    const account = foldName(credentials.username.trim())
    const found = await throttle.attempt({ account, address: client.address }, async () =>
      (await captcha.accepts(credentials.recaptcha)) ? await check(provider, credentials) : undefined,
    )
    return found ?? fail('WRONG_CREDENTIALS', 'the user name or the password is wrong')
  }

  return {
    find,

    /**
     * Signs in at one directory.
     *
     * @throws NOT_FOUND if there is no such directory; WRONG_CREDENTIALS; UNAVAILABLE; RATE_LIMITED; and as `userOf` of the
     *         sign-in by a provider
     */
    prove: async (id: string, credentials: Credentials, client: ClientInfo): Promise<Proven> =>
      await attempt(id, credentials, client, prove),

    /** The same, to link the person to an account. @throws NOT_FOUND, WRONG_CREDENTIALS, UNAVAILABLE, RATE_LIMITED */
    person: async (id: string, credentials: Credentials, client: ClientInfo): Promise<Person> =>
      await attempt(id, credentials, client, personAt),

    /**
     * Asks one directory after the other. The caller limits the attempts: those that a directory has refused must count, even if
     * another one is away.
     *
     * @returns the person; or what to throw if nobody is found, because a directory is away
     * @throws UNAVAILABLE if all of them are away
     */
    async proveAnywhere(credentials: Credentials): Promise<{ readonly proven?: Proven; readonly away?: FilemgrError }> {
      const away: FilemgrError[] = []
      const asked = directories()
      for (const provider of asked) {
        try {
          const proven = await prove(provider, credentials)
          if (proven !== undefined) return { proven }
        } catch (error) {
          if (!isFilemgrError(error, 'UNAVAILABLE')) throw error
          away.push(error)
        }
      }
      const [first] = away
      if (first === undefined) return {}
      if (away.length === asked.length) throw first
      return { away: first }
    },
  }
}

export type ByDirectory = ReturnType<typeof createByDirectory>
