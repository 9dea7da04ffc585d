import { createHash } from 'node:crypto'
import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail, type FilemgrError, problemIn } from '../../domain/errors.ts'
import { foldName, nearestName } from '../../domain/text/option-names.ts'
import { defaultsOf, isRecord, leaves } from '../../domain/schema/schema-tools.ts'
import { type OptionSource, type OptionView, ServerOptions } from '../../domain/server/server-options.ts'
import { createSchemaCheck } from '../../platform/validation/schema-check.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { ConfirmPassword } from '../accounts/auth/passwords.ts'
import { requireMatch } from '../settings/settings.ts'
import { requireReachable, requireUsableOptions } from './usable-options.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { requireSafeSignIn } from '../accounts/auth/sign-in-problem.ts'

type Name = keyof ServerOptions
type Saved = Partial<ServerOptions>

export interface ServerOptionsDeps {
  readonly store: Store<StoreDocument>
  /** The values of this process, each with its source. */
  readonly options: ServerOptions
  readonly sources: Readonly<Record<string, OptionSource>>
  readonly confirm: ConfirmPassword
}

export interface ReplaceOptions {
  readonly ifMatch?: string | undefined
  /** The password of the caller, because these options decide what is served, and to whom. */
  readonly currentPassword?: string | undefined
}

const LEAVES = leaves(ServerOptions)
const NAMES = LEAVES.map(({ key }) => key as Name)
const DEFAULTS = defaultsOf(ServerOptions)
const FIXED: readonly OptionSource[] = ['flag', 'environment', 'config file']
const checkSchema = createSchemaCheck(ServerOptions)

/** Start-up values: what is in force, and what is saved for the next start. */
export function createServerOptions({ store, options, sources, confirm }: ServerOptionsDeps) {
  const saved = (): Readonly<Saved> => store.snapshot().server

  /** @throws FORBIDDEN */
  function get(actor: Actor): Record<Name, OptionView> {
    requireAdmin(actor, 'settings.manage')
    return Object.fromEntries(NAMES.map((name) => [name, viewOf(name)])) as Record<Name, OptionView>
  }

  function viewOf(name: Name): OptionView {
    const [value, source, kept] = [options[name], sources[name] ?? 'default', saved()[name]]
    const fixed = FIXED.includes(source)
    return {
      value,
      source,
      saved: kept ?? null,
      default: DEFAULTS[name],
      locked: fixed || isStartOnly(name),
      // A default may have been completed: the root "." is in force as an absolute path.
      waiting: !fixed && !(source === 'default' && kept === undefined) && !isSame(kept ?? DEFAULTS[name], value),
    }
  }

  /** Saves values, and keeps the other saved ones. @throws FORBIDDEN, INVALID_INPUT; nothing is saved then */
  async function save(actor: Actor, values: Saved): Promise<void> {
    requireAdmin(actor, 'settings.manage')
    await change(actor, values, (present) => ({ ...present, ...values }))
  }

  /** Removes saved values, so that defaults apply. @throws FORBIDDEN; INVALID_INPUT if the next start would refuse the rest */
  async function forget(actor: Actor, names: readonly Name[]): Promise<void> {
    requireAdmin(actor, 'settings.manage')
    const without = (present: Saved): Saved =>
      Object.fromEntries(Object.entries(present).filter(([name]) => !names.includes(name as Name)))
    // The default root is relative to the folder of the next start.
    await requireReachable(
      completed(without(saved())),
      names.filter((name) => name !== 'root'),
    )
    await keep(actor, without)
  }

  /**
   * Replaces all saved values. The body has a value for each option, or null for the default. A missing option is refused, since
   * it would silently be reset.
   *
   * @throws FORBIDDEN; INVALID_INPUT; PRECONDITION_FAILED; CONFLICT for an option that a flag, the environment or the config file
   *         sets
   */
  async function replace(
    actor: Actor,
    body: unknown,
    { ifMatch, currentPassword }: ReplaceOptions = {},
  ): Promise<void> {
    requireAdmin(actor, 'settings.manage')
    const values = readWhole(body)
    await confirm(actor, currentPassword)
    for (const name of changedNames(values)) requireChangeable(name, values)
    await change(actor, values, (present) => {
      requireMatch(ifMatch, etagOf(present))
      const untouched = NAMES.filter((name) => isStartOnly(name) && present[name] !== undefined)
      return { ...Object.fromEntries(untouched.map((name) => [name, present[name]])), ...values }
    })
  }

  function changedNames(values: Saved): Name[] {
    return NAMES.filter((name) => !isStartOnly(name) && !isSame(values[name], saved()[name]))
  }

  function requireChangeable(name: Name, values: Saved): void {
    const source = sources[name] ?? 'default'
    if (FIXED.includes(source)) {
      fail('CONFLICT', `${name} is set elsewhere (${source}): change it there`, { field: name, reason: 'setElsewhere' })
    }
    // An arbitrary path would let an administrator of the page write to any file of the server.
    if ((name === 'log' || name === 'accessLog') && !/^(|stdout|stderr|.*\.log)$/.test(values[name] ?? '')) {
      fail('INVALID_INPUT', `${name}: from here it may be stdout, stderr, or a file that ends in .log`, { field: name })
    }
  }

  async function change(actor: Actor, values: Saved, alter: (present: Saved) => Saved): Promise<void> {
    requireSavable(values)
    const names = NAMES.filter((name) => values[name] !== undefined && !isSame(values[name], saved()[name]))
    const next = checkSchema({ ...DEFAULTS, ...alter({ ...saved() }) })
    requireUsableOptions(next)
    await requireReachable(next, names)
    await keep(actor, alter)
  }

  /** Refuses values that the next start would refuse, unless it would refuse the old ones too: its flags may make up for that. */
  async function keep(actor: Actor, alter: (present: Saved) => Saved): Promise<void> {
    await store.update((draft, now) => {
      requireAdmin(actor, 'settings.manage', now)
      const next = alter({ ...draft.server })
      const problem = startProblem(draft.settings, completed(next))
      const wasSound = startProblem(draft.settings, completed(draft.server)) === undefined
      if (problem !== undefined && wasSound) throw problem
      draft.server = next
    })
  }

  /** The values in force if a daemon started with the flags and environment of this process. */
  function completed(values: Saved): ServerOptions {
    const fixed = NAMES.filter((name) => FIXED.includes(sources[name] ?? 'default'))
    return { ...DEFAULTS, ...values, ...Object.fromEntries(fixed.map((name) => [name, options[name]])) }
  }

  return { get, save, forget, replace, etag: () => etagOf(saved()) }
}

function readWhole(body: unknown): Saved {
  if (!isRecord(body)) fail('INVALID_INPUT', 'json: the values must be an object', { field: 'values' })
  const unknown = Object.keys(body).find((name) => !NAMES.includes(name as Name))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, NAMES)
    const hint = nearest === undefined || foldName(nearest) === unknown ? '' : `; did you mean ${nearest}?`
    fail('INVALID_INPUT', `there is no start-up value "${unknown}"${hint}`, { field: unknown })
  }
  const missing = NAMES.find((name) => !isStartOnly(name) && body[name] === undefined)
  if (missing !== undefined) {
    fail('INVALID_INPUT', `${missing} is missing: send every value, null for the default`, { field: missing })
  }
  const given = Object.entries(body).filter(([, value]) => value !== null)
  return Object.fromEntries(given)
}

/** Options that amount to a shell on this machine are granted at startup, not by write access to the store. */
export function requireSavable(values: Saved): void {
  const refused = NAMES.find((name) => isStartOnly(name) && values[name] !== undefined)
  if (refused !== undefined) {
    const message = `${refused} is not saved: give it to "filemgr serve", or put it into the config file`
    fail('INVALID_INPUT', message, { field: refused })
  }
}

function isStartOnly(name: Name): boolean {
  return LEAVES.find(({ key }) => key === name)?.annotation.web === false
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function etagOf(values: Readonly<Saved>): string {
  const known = NAMES.map((name) => values[name] ?? null)
  return `"${createHash('sha256').update(JSON.stringify(known)).digest('base64url').slice(0, 22)}"`
}

/** Why a start with these values would fail, as far as that is known without reading the disk; undefined if it would not. */
function startProblem(settings: Readonly<Settings>, options: ServerOptions): FilemgrError | undefined {
  return problemIn(() => {
    requireUsableOptions(options)
    requireSafeSignIn({ settings, options })
  }, 'INVALID_INPUT')
}
