import { formatMode, parseDuration } from '../../domain/text/units.ts'
import { fail } from '../../domain/errors.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { type Settings, WireSettings } from '../../domain/settings/settings.ts'
import { cleanVirtualPath } from '../../domain/files/virtual-path.ts'
import { requireUsableRules } from '../access/usable-rules.ts'
import { HOOK_EVENTS } from '../../domain/automation/hook.ts'
import { defaultsOf, emptyFilled, isRecord, knownParts } from '../../domain/schema/schema-tools.ts'

const MIN_SESSION_AGE = 60_000

/** Checks what the schema cannot express. @returns the unchanged settings. @throws INVALID_INPUT naming the field */
export function requireMeaningful(settings: Settings, compile: PatternCompiler): Settings {
  const { rules, permissionRules, sessionMaxAge, logoutPage, defaults, userHomeBasePath } = settings
  requireUsableRules(rules, compile)
  requireUsableRules(permissionRules, compile, 'permissionRules')
  requireSessionLife(sessionMaxAge)
  // The page navigates to it: "javascript:" would run in the page, and "//host" would lead to another site unnoticed.
  if (!/^(\/(?![/\\])|https?:\/\/)[^\s\\]*$/.test(logoutPage)) {
    const message = `logoutPage must be a path such as /login or an address such as https://…, not "${logoutPage}"`
    fail('INVALID_INPUT', message, { field: 'logoutPage' })
  }
  if (defaults.perm.share && !defaults.perm.download) {
    fail('INVALID_INPUT', 'permission to share requires permission to download', { field: 'defaults.perm.share' })
  }
  requirePath('defaults.scope', defaults.scope)
  requirePath('userHomeBasePath', userHomeBasePath)
  return settings
}

/**
 * @param before what was in use so far
 * @throws INVALID_INPUT if the owner of a new folder could not use it: above all for 750 without quotes, which is 01356 in octal
 */
export function requireUsableMode({ dirMode }: Settings, before: Readonly<Settings>): void {
  if (dirMode === before.dirMode || (dirMode & 0o700) === 0o700) return
  const message = `dirMode must let the owner use new folders, as 0750 does, not ${formatMode(dirMode)}`
  fail('INVALID_INPUT', message, { field: 'dirMode' })
}

function requireSessionLife(text: string): void {
  const age = parseDuration(text)
  if (age !== undefined && age >= MIN_SESSION_AGE) return
  const message = `sessionMaxAge must be a duration of at least a minute, such as 12h or 30d, not "${text}"`
  fail('INVALID_INPUT', message, { field: 'sessionMaxAge' })
}

function requirePath(field: string, text: string): void {
  try {
    cleanVirtualPath(text)
  } catch (error) {
    fail('INVALID_INPUT', `${field} is not a path: ${error instanceof Error ? error.message : ''}`, { field })
  }
}

const DEFAULTS = defaultsOf(WireSettings)
const EMPTY_RULE = { regex: false, allow: false, path: '', regexp: null }

/** The part of the settings that the wire shows, in its order. */
export function wireOf(settings: Readonly<WireSettings>): WireSettings {
  return knownParts(WireSettings, settings) as WireSettings
}

/**
 * Completes settings in the format of File Browser: missing values and null are empty, or the default if they cannot be empty.
 * Drops unknown keys. Values of the wrong type stay, so that the schema check refuses them.
 */
export function filledSettings(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const filled = emptyFilled(WireSettings, value) as Record<string, unknown>
  const { defaults, rules, commands, tus, minimumPasswordLength, userHomeBasePath } = filled
  return {
    ...filled,
    defaults: isRecord(defaults) ? filledDefaults(defaults) : defaults,
    rules: Array.isArray(rules) ? rules.map(filledRule) : rules,
    commands: isRecord(commands) ? filledCommands(commands) : commands,
    tus: isRecord(tus) && tus['chunkSize'] === 0 && tus['retryCount'] === 0 ? DEFAULTS.tus : tus,
    minimumPasswordLength: minimumPasswordLength === 0 ? DEFAULTS.minimumPasswordLength : minimumPasswordLength,
    userHomeBasePath: userHomeBasePath === '' ? DEFAULTS.userHomeBasePath : userHomeBasePath,
  }
}

function filledRule(rule: unknown): unknown {
  return isRecord(rule) ? { ...EMPTY_RULE, ...rule } : rule
}

function filledDefaults(defaults: Record<string, unknown>) {
  const { locale, viewMode } = defaults
  return {
    ...defaults,
    locale: locale === '' ? DEFAULTS.defaults.locale : locale,
    viewMode: viewMode === '' ? DEFAULTS.defaults.viewMode : viewMode,
  }
}

/** Always includes the ten events, and keeps other keys. */
function filledCommands(commands: Record<string, unknown>) {
  const lists = Object.entries(commands).map(([event, lines]) => [event, lines ?? []] as const)
  return { ...Object.fromEntries(HOOK_EVENTS.map((event) => [event, []])), ...Object.fromEntries(lists) }
}
