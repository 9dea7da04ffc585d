import { fail } from '../../../domain/errors.ts'
import type { SignInSettings } from '../../../domain/accounts/auth-method.ts'
import { hasControls, printable } from '../../../domain/text/printable.ts'
import { createLimiter } from '../../../platform/limits/limiter.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { programEnvironment } from '../../../platform/processes/processes.ts'
import { runProcess } from '../../../platform/processes/process-runner.ts'
import { PERMISSIONS, type Permissions } from '../../../domain/access/permissions.ts'
import type { UserFields } from '../users/account-fields.ts'

const TIMEOUT = 10_000
const MAX_OUTPUT = 64 * 1024
const MAX_SAID = 200

/**
 * Asks the operator's program whether credentials are valid. It gets them as JSON on standard input, never as arguments, which a
 * shell script could evaluate (CVE-2026-54088) and other accounts can list. Any exit code but 0 refuses them.
 *
 * @throws NOT_FOUND, FORBIDDEN or INTERNAL if it cannot be started; INTERNAL if it takes too long or prints no decision; BUSY if
 *         too many are running
 */
export type AskProgram = (settings: Readonly<SignInSettings>, username: string, password: string) => Promise<HookAnswer>

export function createAskProgram({ log }: { readonly log: Logger }): AskProgram {
  const limiter = createLimiter({ concurrent: 4, waiting: 32 })
  return async ({ command, commandEnvironment }, username, password) => {
    const [program, ...words] = command
    if (program === undefined)
      fail('INTERNAL', 'no sign-in program is set; see "filemgr settings set auth.command=..."')
    // No account has such a name, and it could forge lines in the program's log.
    if (hasControls(username) || password.includes('\0')) return { action: 'block' }
    const env = programEnvironment(commandEnvironment ? { USERNAME: username, PASSWORD: password } : {})
    const { exitCode, interrupted, stdout, stderr } = await limiter.run(
      async () =>
        await runProcess({
          argv: [program, ...words],
          env,
          stdin: `${JSON.stringify({ username, password })}\n`,
          timeout: TIMEOUT,
          outputLimit: MAX_OUTPUT,
        }),
    )
    if (interrupted !== undefined) fail('INTERNAL', `the sign-in program was terminated: ${interrupted}`)
    // Many programs refuse this way. An internal error would not count as a failed attempt.
    if (exitCode !== 0) {
      const said = printable(stderr.trim().split('\n', 1)[0] ?? '').slice(0, MAX_SAID)
      log.warn({ exitCode, ...(said !== '' && { said }) }, 'the sign-in program refused by its exit code')
      return { action: 'block' }
    }
    return readHookAnswer(stdout)
  }
}

/** The decision of a sign-in program: "auth" accepts, "block" refuses, "pass" checks the stored password. */
export type HookAnswer =
  { readonly action: 'auth'; readonly fields: UserFields } | { readonly action: 'block' } | { readonly action: 'pass' }

const TEXTS = ['scope', 'locale', 'viewMode'] as const
const SWITCHES = ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles'] as const

/**
 * Parses lines such as "hook.action=auth" and "user.perm.create=true". Unknown keys are ignored.
 *
 * @throws INTERNAL without a decision
 */
export function readHookAnswer(output: string): HookAnswer {
  const values = valuesOf(output)
  const action = values.get('hook.action')
  if (action === 'block' || action === 'pass') return { action }
  if (action === 'auth') return { action, fields: fieldsOf(values) }
  return fail('INTERNAL', 'the sign-in program printed no "hook.action=auth", "block" or "pass"')
}

function valuesOf(output: string): Map<string, string> {
  const pairs = output.split('\n').flatMap((line) => {
    const equals = line.indexOf('=')
    return equals < 0 ? [] : [[line.slice(0, equals).trim(), line.slice(equals + 1).trim()] as const]
  })
  return new Map(pairs)
}

/** Only printed fields, so that all others keep their values. */
function fieldsOf(values: ReadonlyMap<string, string>): UserFields {
  const text = (name: string) => values.get(`user.${name}`)
  const flag = (name: string) => (text(name) === undefined ? undefined : text(name) === 'true')
  const words = text('commands')
  const [by, asc] = [text('sorting.by'), flag('sorting.asc')]
  const given = {
    ...Object.fromEntries(TEXTS.map((name) => [name, text(name)])),
    ...Object.fromEntries(SWITCHES.map((name) => [name, flag(name)])),
    commands: words?.split(' ').filter((word) => word !== ''),
    sorting: by === undefined && asc === undefined ? undefined : { by, asc },
    perm: permissionsOf(flag),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** An administrator gets all permissions, whatever else is printed. */
function permissionsOf(flag: (name: string) => boolean | undefined): Partial<Permissions> | undefined {
  const all = flag('perm.admin') === true
  const given = PERMISSIONS.flatMap((name) => {
    const value = all ? true : flag(`perm.${name}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
