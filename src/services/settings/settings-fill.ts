import { HOOK_EVENTS } from '../../domain/hook.ts'
import { defaultsOf, emptyFilled, isRecord } from '../../domain/schema-tools.ts'
import { WireSettings } from '../../domain/settings.ts'

const KEYS = Object.keys(WireSettings.properties) as (keyof WireSettings)[]
const DEFAULTS = defaultsOf(WireSettings)
const EMPTY_RULE = { regex: false, allow: false, path: '', regexp: null }

/** The part of the settings that the wire shows, in its order. */
export function wireOf(settings: Readonly<WireSettings>): WireSettings {
  return Object.fromEntries(KEYS.map((key) => [key, settings[key]])) as WireSettings
}

/**
 * The whole that clients of the wire mean: what they leave out or send as null is empty, and what cannot be empty has its
 * default then. Keys that are not ours are left out; what has the wrong type stays, to be refused.
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

/** The ten events are always there; others are kept. */
function filledCommands(commands: Record<string, unknown>) {
  const lists = Object.entries(commands).map(([event, lines]) => [event, lines ?? []] as const)
  return { ...Object.fromEntries(HOOK_EVENTS.map((event) => [event, []])), ...Object.fromEntries(lists) }
}
