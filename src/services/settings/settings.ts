import { createHash } from 'node:crypto'
import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { refuseResettingNull } from '../../domain/schema/resetting-null.ts'
import { type DeepPartial, isRecord, knownParts, merged } from '../../domain/schema/schema-tools.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { OpenSettings, Settings, WireSettings } from '../../domain/settings/settings.ts'
import { createSchemaCheck } from '../../platform/validation/schema-check.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { requireProgram, requireUsableSignIn } from '../accounts/auth/sign-in-problem.ts'
import { requireUsableHooks } from '../automation/hooks/hook-records.ts'
import { requireKnownRoot } from '../stored-roots.ts'
import { filledSettings, requireMeaningful, requireUsableMode, wireOf } from './settings-values.ts'

export interface SettingsDeps {
  readonly store: Store<StoreDocument>
  readonly compile: PatternCompiler
  readonly options: ServerOptions
}

const checkWire = createSchemaCheck(WireSettings)
const checkSettings = createSchemaCheck(Settings)
const checkOpen = createSchemaCheck(OpenSettings)

/** Settings, which take effect immediately. */
export function createSettings({ store, compile, options }: SettingsDeps) {
  const requireUsable = (next: Settings, before: Readonly<Settings>): Settings => {
    requireUsableHooks(next, before)
    requireUsableMode(next, before)
    return requireMeaningful(next, compile)
  }

  return {
    /** @throws FORBIDDEN unless the caller is an administrator */
    async get(actor: Actor): Promise<WireSettings> {
      requireAdmin(actor, 'settings.manage')
      return wireOf(store.snapshot().settings)
    },

    /** All settings, including those that the wire does not show. */
    current: (): Readonly<Settings> => store.snapshot().settings,

    /** All settings except the details of the sign-in methods. @throws FORBIDDEN */
    getAll(actor: Actor): OpenSettings {
      requireAdmin(actor, 'settings.manage')
      return knownParts(OpenSettings, store.snapshot().settings) as OpenSettings
    },

    /** The ETag of the result of `get`, in quotes; with "all", of the result of `getAll`. */
    etag: (extent?: 'all'): string => etagOf(store.snapshot().settings, extent),

    /**
     * Replaces the settings that `get` returns, except the sign-in method. Missing keys stay as they are; null is refused where it would empty one.
     *
     * @throws FORBIDDEN; INVALID_INPUT also for a body that names no setting; PRECONDITION_FAILED if `ifMatch` names a state other
     *         than the current one
     */
    async replace(actor: Actor, wire: unknown, { ifMatch }: { ifMatch?: string | undefined } = {}): Promise<void> {
      requireAdmin(actor, 'settings.manage')
      if (!isRecord(wire)) fail('INVALID_INPUT', 'json: the settings must be an object')
      const given = knownParts(WireSettings, wire) as DeepPartial<WireSettings>
      if (Object.keys(given).length === 0) fail('INVALID_INPUT', 'json: the body names no setting')
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        requireMatch(ifMatch, etagOf(draft.settings))
        refuseResettingNull(WireSettings, given, draft.settings)
        const whole = merged<WireSettings>(wireOf(draft.settings), given)
        // The sign-in method is changed by an operation of its own, which tries it first.
        const filled = filledSettings({ ...whole, authMethod: draft.settings.authMethod })
        const checked = asBody(() => checkWire(filled))
        const defaults = { ...draft.settings.defaults, ...checked.defaults }
        draft.settings = requireUsable({ ...draft.settings, ...checked, defaults }, draft.settings)
      })
    },

    /** Replaces the settings of `getAll`. A missing key is refused. @throws FORBIDDEN, INVALID_INPUT, PRECONDITION_FAILED */
    async replaceAll(actor: Actor, body: unknown, { ifMatch }: { ifMatch?: string | undefined } = {}): Promise<void> {
      requireAdmin(actor, 'settings.manage')
      if (!isRecord(body)) fail('INVALID_INPUT', 'json: the settings must be an object')
      await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        requireMatch(ifMatch, etagOf(draft.settings, 'all'))
        const checked = asBody(() =>
          checkOpen(knownParts(OpenSettings, { ...body, authMethod: draft.settings.authMethod })),
        )
        requireKnownRoot(now, checked.defaults.root)
        draft.settings = requireUsable({ ...draft.settings, ...checked }, draft.settings)
      })
    },

    /** The result of `patch`, without saving it. @throws FORBIDDEN, INVALID_INPUT */
    check(actor: Actor, partial: DeepPartial<Settings>): Readonly<Settings> {
      requireAdmin(actor, 'settings.manage')
      const before = store.snapshot().settings
      return requireUsable(checkSettings(merged<Settings>(before, partial)), before)
    },

    /** Changes single values. @throws FORBIDDEN, INVALID_INPUT */
    async patch(actor: Actor, partial: DeepPartial<Settings>): Promise<Readonly<Settings>> {
      requireAdmin(actor, 'settings.manage')
      const before = store.snapshot().settings
      const next = checkSettings(merged<Settings>(before, partial))
      if (signInOf(next) !== signInOf(before)) await requireProgram(next)
      return await store.update((draft, now) => {
        requireAdmin(actor, 'settings.manage', now)
        const checked = checkSettings(merged<Settings>(draft.settings, partial))
        if (signInOf(checked) !== signInOf(draft.settings)) {
          // On the page this needs the current password and a successful trial of the new method.
          if (actor.kind === 'user') fail('FORBIDDEN', 'the sign-in method is changed by PUT /api/settings/auth')
          requireUsableSignIn({ settings: checked, options, users: draft.users })
        }
        requireKnownRoot(now, checked.defaults.root)
        draft.settings = requireUsable(checked, draft.settings)
        return checked
      })
    },
  }
}

function etagOf(settings: Readonly<Settings>, extent?: 'all'): string {
  const shown = extent === 'all' ? knownParts(OpenSettings, settings) : wireOf(settings)
  return `"${createHash('sha256').update(JSON.stringify(shown)).digest('base64url').slice(0, 22)}"`
}

/** Equal texts for equal sign-in settings. */
function signInOf({ authMethod, auth, recaptcha }: Readonly<Settings>): string {
  return JSON.stringify([authMethod, auth, recaptcha])
}

/** Prefixes errors with "json: ", which old clients expect. */
function asBody<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
    return fail('INVALID_INPUT', `json: ${error.message}`, error.details)
  }
}

/** If-Match of RFC 9110: a list of tags, or "*" for any state. @throws PRECONDITION_FAILED */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined) return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (tags.includes('*') || tags.includes(etag)) return
  fail('PRECONDITION_FAILED', 'this was changed meanwhile; load it again')
}
