import { methodInForce } from '../../../domain/accounts/auth-method.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import { parseDuration } from '../../../domain/text/units.ts'
import { fail } from '../../../domain/errors.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { isAdministrator, passwordlessUser, type User } from '../../../domain/accounts/user.ts'
import { findProgram } from '../../../platform/processes/processes.ts'
import { isLoopback } from '../../../platform/network/address-list.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'

interface Situation {
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
  readonly options: ServerOptions
}

type Options = Pick<
  ServerOptions,
  'address' | 'socket' | 'noAuth' | 'noAuthRemote' | 'trustedProxies' | 'recaptchaHosts'
>

export interface SignInFacts {
  readonly settings: Readonly<Settings>
  readonly options: Options
  readonly users: readonly Readonly<User>[]
}

/** Headers that clients set themselves: if one of these named the user, any client could pose as any user. */
const CLIENT_HEADERS =
  /^(x-auth|cookie|authorization|host|origin|referer|user-agent|accept.*|content-.*|x-forwarded-for)$/i

/** Without sign-in, every client is the first user, so that needs a flag unless only this machine can connect. */
export function mayGoWithoutSignIn({
  address,
  socket,
  noAuthRemote,
}: Pick<Options, 'address' | 'socket' | 'noAuthRemote'>): boolean {
  return noAuthRemote || socket !== '' || isLoopback(address)
}

/**
 * Refuses settings with which any client could pose as any user. The daemon does not start with them.
 *
 * @throws INVALID_INPUT saying how to correct them
 */
export function requireSafeSignIn({ settings, options }: Omit<SignInFacts, 'users'>): void {
  if (options.noAuth) return
  if (settings.authMethod === 'proxy' && options.trustedProxies.length === 0) {
    const advice =
      'name their addresses with --trusted-proxies, or "filemgr server set trustedProxies=10.0.0.1" and a restart'
    fail('INVALID_INPUT', `sign-in by a proxy needs the list of trusted proxies: ${advice}`, {
      field: 'trustedProxies',
    })
  }
  if (settings.authMethod === 'noauth' && !mayGoWithoutSignIn(options)) {
    const advice = 'to allow that, add --no-auth-remote; otherwise, "filemgr settings set auth.method=json"'
    fail('INVALID_INPUT', `without sign-in, anyone who can reach ${options.address} could do everything; ${advice}`, {
      field: 'authMethod',
    })
  }
}

/**
 * Refuses settings that do not work or lock all administrators out. `requireProgram` does the part that needs the disk. Without
 * administrators there is nobody to lock out: scripts choose the method before they add the first account.
 *
 * @throws INVALID_INPUT naming the field and what to do first
 */
export function requireUsableSignIn({ settings, options, users }: SignInFacts): void {
  requireSafeSignIn({ settings, options })
  const { authMethod, auth, recaptcha, secondFactor } = settings
  if (parseDuration(secondFactor.grace) === undefined) {
    const message = `secondFactor.grace must be a duration such as 7d, not "${secondFactor.grace}"`
    fail('INVALID_INPUT', message, { field: 'secondFactor.grace' })
  }
  if (authMethod === 'proxy' && (auth.header === '' || CLIENT_HEADERS.test(auth.header))) {
    const message = 'sign-in by a proxy needs the header that names the user, such as auth.header=X-Forwarded-User'
    fail('INVALID_INPUT', message, { field: 'auth.header' })
  }
  if (authMethod === 'hook' && auth.command.length === 0) {
    const message = 'sign-in by a program needs the program: auth.command=/path/to/program'
    fail('INVALID_INPUT', message, { field: 'auth.command' })
  }
  if ((recaptcha.key === '') !== (recaptcha.secret === '')) {
    fail(
      'INVALID_INPUT',
      'a captcha needs both recaptcha.key and recaptcha.secret; without both no one could sign in',
      {
        field: recaptcha.key === '' ? 'recaptcha.key' : 'recaptcha.secret',
      },
    )
  }
  if (recaptcha.secret !== '' && !options.recaptchaHosts.includes(recaptcha.host)) {
    const advice = `use one of ${options.recaptchaHosts.join(', ')}, or start the daemon with --recaptcha-hosts`
    fail('INVALID_INPUT', `recaptcha.host is not an allowed captcha service; ${advice}`, {
      field: 'recaptcha.host',
    })
  }
  requirePassword(settings, users)
}

/** Who replaces all accounts must leave an administrator. @throws INVALID_INPUT */
export function requireAdministrator(users: readonly Readonly<User>[]): void {
  if (users.some(isAdministrator)) return
  fail('INVALID_INPUT', 'no administrator could sign in; create one with "filemgr users set NAME --perm.admin"')
}

/**
 * Without sign-in everyone acts as one account, so there must be one. The daemon does not start otherwise.
 *
 * @throws INVALID_INPUT
 */
export function requirePasswordlessUser({ settings, options, users }: SignInFacts): void {
  if (methodInForce(options, settings) !== 'noauth' || passwordlessUser(users) !== undefined) return
  const problem = 'without sign-in everyone acts as the first enabled account, and there is none'
  fail('INVALID_INPUT', `${problem}; add one with "filemgr users add NAME --perm.admin"`, { field: 'authMethod' })
}

/** @throws INVALID_INPUT if the first word of the command is not an executable program */
export async function requireProgram({ authMethod, auth }: Readonly<Settings>): Promise<void> {
  const [program] = auth.command
  if (authMethod !== 'hook' || program === undefined || (await findProgram(program)) !== undefined) return
  fail('INVALID_INPUT', `auth.command: ${program} is not an executable program; give its full path`, {
    field: 'auth.command',
  })
}

function requirePassword({ authMethod }: Readonly<Settings>, users: readonly Readonly<User>[]): void {
  const [first, ...others] = users.filter(isAdministrator)
  if (authMethod !== 'json' || first === undefined) return
  if ([first, ...others].some(({ passwordHash }) => passwordHash !== '')) return
  const advice = `set one first with "filemgr users passwd ${first.username}"; for details, see "filemgr doctor"`
  fail('INVALID_INPUT', `no administrator has a password; ${advice}`, { field: 'authMethod' })
}

/** As whom everyone acts; undefined if people have to sign in. */
export function warningWithoutSignIn({ store, options }: Situation): string | undefined {
  const { settings, users } = store.snapshot()
  if (methodInForce(options, settings) !== 'noauth') return undefined
  const first = passwordlessUser(users)
  if (first === undefined) return 'no sign-in: add the account as which everyone acts, before the server is started'
  const limits = isAdministrator(first) ? '' : ', who is no administrator: settings can be changed by commands only'
  return `no sign-in: anyone who can reach this address acts as ${first.username}${limits}`
}
