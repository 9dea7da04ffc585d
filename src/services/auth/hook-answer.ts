import { fail } from '../../domain/errors.ts'
import { PERMISSIONS, type Permissions } from '../../domain/permissions.ts'
import type { UserFields } from '../users/account-fields.ts'

/** What a sign-in program decided: let in, do not, or look at the stored password. */
export type HookAnswer =
  { readonly action: 'auth'; readonly fields: UserFields } | { readonly action: 'block' } | { readonly action: 'pass' }

const TEXTS = ['scope', 'locale', 'viewMode'] as const
const SWITCHES = ['singleClick', 'redirectAfterCopyMove', 'hideDotfiles'] as const

/**
 * Lines such as "hook.action=auth" and "user.perm.create=true"; unknown keys say nothing.
 *
 * @throws INTERNAL when it decides nothing
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

/** Only what was printed: the rest of an account stays as it is. */
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

/** An administrator has all permissions, whatever is printed about the others. */
function permissionsOf(flag: (name: string) => boolean | undefined): Partial<Permissions> | undefined {
  const all = flag('perm.admin') === true
  const given = PERMISSIONS.flatMap((name) => {
    const value = all ? true : flag(`perm.${name}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  return given.length === 0 ? undefined : Object.fromEntries(given)
}
