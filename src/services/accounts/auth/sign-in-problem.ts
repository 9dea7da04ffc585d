import type { ServerOptions } from '../../../domain/settings/server-options.ts'
import { fail } from '../../../domain/errors.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { isAdministrator, type User } from '../../../domain/accounts/user.ts'
import { findProgram } from '../../../platform/processes/processes.ts'
import { isLoopback } from '../../../platform/network/address-list.ts'

type Options = Pick<
  ServerOptions,
  'address' | 'socket' | 'noAuth' | 'noAuthRemote' | 'trustedProxies' | 'recaptchaHosts'
>

export interface SignInGround {
  readonly settings: Readonly<Settings>
  readonly options: Options
  readonly users: readonly Readonly<User>[]
}

/** Headers that clients or other programs set: with one of these, any client could pose as any user. */
const NEVER_A_NAME =
  /^(x-auth|cookie|authorization|host|origin|referer|user-agent|accept.*|content-.*|x-forwarded-for)$/i

/** Without sign-in, every client is the first user: allowed on this machine only, unless asked for by name. */
export function mayGoWithoutSignIn({
  address,
  socket,
  noAuthRemote,
}: Pick<Options, 'address' | 'socket' | 'noAuthRemote'>): boolean {
  return noAuthRemote || socket !== '' || isLoopback(address)
}

/**
 * Settings a daemon must not start with: any client could pose as any user.
 *
 * @throws INVALID_INPUT naming the way back
 */
export function requireSafeSignIn({ settings, options }: Omit<SignInGround, 'users'>): void {
  if (options.noAuth) return
  if (settings.authMethod === 'proxy' && options.trustedProxies.length === 0) {
    const advice = 'name their addresses with "filemgr server set trustedProxies=10.0.0.1"'
    fail('INVALID_INPUT', `sign-in by a proxy needs the list of trusted proxies: ${advice}`, {
      field: 'trustedProxies',
    })
  }
  if (settings.authMethod === 'noauth' && !mayGoWithoutSignIn(options)) {
    const advice = 'add --no-auth-remote if that is meant, or "filemgr settings set auth.method=json"'
    fail('INVALID_INPUT', `without sign-in, anyone who can reach ${options.address} could do everything; ${advice}`, {
      field: 'authMethod',
    })
  }
}

/**
 * Settings that would lock everyone out, or cannot work. `requireProgram` looks at the disk and is asked apart.
 *
 * @throws INVALID_INPUT naming the field and what to do first
 */
export function requireUsableSignIn({ settings, options, users }: SignInGround): void {
  requireSafeSignIn({ settings, options })
  const { authMethod, auth, recaptcha } = settings
  if (authMethod === 'proxy' && (auth.header === '' || NEVER_A_NAME.test(auth.header))) {
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
    const advice = `take one of ${options.recaptchaHosts.join(', ')}, or start the daemon with --recaptcha-hosts`
    fail('INVALID_INPUT', `recaptcha.host is not an allowed captcha service; ${advice}`, {
      field: 'recaptcha.host',
    })
  }
  requireAdministrator(settings, users)
}

/** @throws INVALID_INPUT when the first word of the command is no program that may be run */
export async function requireProgram({ authMethod, auth }: Readonly<Settings>): Promise<void> {
  const [program] = auth.command
  if (authMethod !== 'hook' || program === undefined || (await findProgram(program)) !== undefined) return
  fail('INVALID_INPUT', `auth.command: ${program} is no program that may be run; give its whole path`, {
    field: 'auth.command',
  })
}

/** The last administrator must be able to come back. */
function requireAdministrator({ authMethod }: Readonly<Settings>, users: readonly Readonly<User>[]): void {
  const administrators = users.filter(isAdministrator)
  const [first] = administrators
  if (first === undefined) {
    fail('INVALID_INPUT', 'no administrator could sign in; make one with "filemgr users set NAME --perm.admin"')
  }
  if (authMethod === 'json' && administrators.every(({ passwordHash }) => passwordHash === '')) {
    const advice = `set one first with "filemgr users passwd ${first.username}"; "filemgr doctor" tells more`
    fail('INVALID_INPUT', `no administrator has a password; ${advice}`, { field: 'authMethod' })
  }
}
