import { createHash } from 'node:crypto'
import type { Actor } from '../domain/actor.ts'
import { parseDuration } from '../domain/duration.ts'
import { fail } from '../domain/errors.ts'
import { requireRight } from '../domain/rights.ts'
import type { PatternCompiler } from '../domain/rule-check.ts'
import { isRecord } from '../domain/schema-tools.ts'
import type { ServerOptions } from '../domain/server-options.ts'
import { Settings, WireSettings } from '../domain/settings.ts'
import { createSchemaCheck } from '../platform/schema-check.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import { requireProgram, requireUsableSignIn } from './auth/sign-in-problem.ts'
import { requireMatch } from './if-match.ts'
import { merged, type DeepPartial } from './merge.ts'
import { filledSettings, wireOf } from './settings-fill.ts'
import { requireUsableRules } from './usable-rules.ts'

export type { DeepPartial }

const SHORTEST_SESSION = 60_000

/** Live settings. */
export interface SettingsService {
  /** @throws FORBIDDEN for whoever is no administrator */
  get(actor: Actor): Promise<WireSettings>
  /** All of them, those the wire does not show too. */
  current(): Readonly<Settings>
  /**
   * Replaces what the wire shows as a whole, but for the sign-in method. A key that is missing is refused: it would
   * silently reset what it stands for.
   *
   * @throws FORBIDDEN, INVALID_INPUT, PRECONDITION_FAILED when `ifMatch` names another state than the present one
   */
  replace(actor: Actor, wire: unknown, how?: { ifMatch?: string | undefined }): Promise<void>
  /** Changes single values. @throws FORBIDDEN, INVALID_INPUT */
  patch(actor: Actor, partial: DeepPartial<Settings>): Promise<Readonly<Settings>>
  /** Of what `get` answers, in quotes. */
  etag(): string
}

export interface SettingsDeps {
  readonly store: Store<StoreDocument>
  readonly compile: PatternCompiler
  readonly options: ServerOptions
}

const checkWire = createSchemaCheck(WireSettings)
const checkSettings = createSchemaCheck(Settings)

export function createSettings({ store, compile, options }: SettingsDeps): SettingsService {
  return {
    async get(actor) {
      requireAdministrator(actor)
      return wireOf(store.snapshot().settings)
    },

    current: () => store.snapshot().settings,

    etag: () => etagOf(store.snapshot().settings),

    async replace(actor, wire, { ifMatch } = {}) {
      requireAdministrator(actor)
      if (!isRecord(wire)) fail('INVALID_INPUT', 'json: the settings must be an object')
      await store.update((draft) => {
        requireMatch(ifMatch, etagOf(draft.settings))
        // The sign-in method is chosen at the command line: nobody locks everybody out from a browser.
        const filled = filledSettings({ ...wire, authMethod: draft.settings.authMethod })
        const checked = checkWire(filled)
        requireUsableRules(checked.rules, compile)
        draft.settings = { ...draft.settings, ...checked }
      })
    },

    async patch(actor, partial) {
      requireAdministrator(actor)
      const before = store.snapshot().settings
      const next = checkSettings(merged<Settings>(before, partial))
      if (signInOf(next) !== signInOf(before)) await requireProgram(next)
      return await store.update((draft) => {
        const checked = checkSettings(merged<Settings>(draft.settings, partial))
        requireUsableRules(checked.rules, compile)
        requireMeaningful(checked)
        if (signInOf(checked) !== signInOf(draft.settings)) {
          // From the page it takes the current password and a proof that the way in is one.
          if (actor.kind === 'user') fail('FORBIDDEN', 'how people sign in is changed by PUT /api/settings/auth')
          requireUsableSignIn({ settings: checked, options, users: draft.users })
        }
        draft.settings = checked
        return checked
      })
    },
  }
}

function requireAdministrator(actor: Actor): void {
  if (actor.kind === 'user') requireRight(actor.user.perm, 'settings.manage')
}

function etagOf(settings: Readonly<Settings>): string {
  return `"${createHash('sha256')
    .update(JSON.stringify(wireOf(settings)))
    .digest('base64url')
    .slice(0, 22)}"`
}

/** What the schema cannot say. @throws INVALID_INPUT */
function requireMeaningful({ sessionMaxAge }: Settings): void {
  const age = parseDuration(sessionMaxAge)
  if (age === undefined || age < SHORTEST_SESSION) {
    const message = `sessionMaxAge must be a duration of at least a minute, such as 12h or 30d, not "${sessionMaxAge}"`
    fail('INVALID_INPUT', message, { field: 'sessionMaxAge' })
  }
}

/** Equal texts for equal ways to sign in. */
function signInOf({ authMethod, auth, recaptcha }: Readonly<Settings>): string {
  return JSON.stringify([authMethod, auth, recaptcha])
}
