import { HOOK_EVENTS } from '../../domain/hook.ts'
import { defaultsOf, isRecord } from '../../domain/schema-tools.ts'
import { WireSettings } from '../../domain/settings.ts'

const KEYS = Object.keys(WireSettings.properties) as (keyof WireSettings)[]
const DEFAULTS = defaultsOf(WireSettings)
const EMPTY_RULE = { regex: false, allow: false, path: '', regexp: null }

/** The part of the settings that the wire shows, in its order. */
export function wireOf(settings: Readonly<WireSettings>): WireSettings {
  return Object.fromEntries(KEYS.map((key) => [key, settings[key]])) as WireSettings
}

/**
 * What clients of the wire leave empty and expect to be filled in: lists that are null, the first of some choices, numbers
 * that are 0. Keys that are not ours are left out; nothing that is missing is added, nor is anything checked.
 */
export function filledSettings(value: unknown): unknown {
  if (!isRecord(value)) return value
  const { defaults, rules, shell, commands, tus, minimumPasswordLength, userHomeBasePath } = value
  const filled: Record<string, unknown> = {
    ...value,
    defaults: isRecord(defaults) ? filledDefaults(defaults) : defaults,
    rules: Array.isArray(rules) ? rules.map(filledRule) : listOf(rules),
    shell: listOf(shell),
    commands: commands === null || isRecord(commands) ? filledCommands(commands ?? {}) : commands,
    tus: isRecord(tus) && tus['chunkSize'] === 0 && tus['retryCount'] === 0 ? DEFAULTS.tus : tus,
    minimumPasswordLength: minimumPasswordLength === 0 ? DEFAULTS.minimumPasswordLength : minimumPasswordLength,
    userHomeBasePath: userHomeBasePath === '' ? DEFAULTS.userHomeBasePath : userHomeBasePath,
  }
  return Object.fromEntries(KEYS.filter((key) => filled[key] !== undefined).map((key) => [key, filled[key]]))
}

function filledRule(rule: unknown): unknown {
  return isRecord(rule) ? { ...EMPTY_RULE, ...rule } : rule
}

function filledDefaults(defaults: Record<string, unknown>) {
  const { locale, viewMode, commands } = defaults
  return {
    ...defaults,
    locale: locale === '' ? DEFAULTS.defaults.locale : locale,
    viewMode: viewMode === '' ? DEFAULTS.defaults.viewMode : viewMode,
    commands: listOf(commands),
  }
}

/** The ten events are always there; others are kept. */
function filledCommands(commands: Record<string, unknown>) {
  const lists = Object.entries(commands).map(([event, lines]) => [event, listOf(lines)] as const)
  return { ...Object.fromEntries(HOOK_EVENTS.map((event) => [event, []])), ...Object.fromEntries(lists) }
}

function listOf(value: unknown): unknown {
  return value === null ? [] : value
}
