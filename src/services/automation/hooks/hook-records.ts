import { createHash } from 'node:crypto'
import {
  DISABLED,
  type Hook,
  HOOK_OUTPUT,
  HOOK_TIMEOUT,
  type HookLimits,
  isWaitedFor,
  parseHookLine,
} from '../../../domain/automation/hook.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { fail, problemIn } from '../../../domain/errors.ts'

type HookSettings = Readonly<Pick<Settings, 'commands' | 'hookLimits'>>

/** All hooks, grouped by event and in order, including disabled ones. */
export function hooksOf(settings: HookSettings): Hook[] {
  const events = new Set(Object.keys(settings.commands).map((key) => key.replace(DISABLED_KEY, '')))
  return [...events].flatMap((event) => hooksOfEvent(settings, event))
}

const DISABLED_KEY = new RegExp(`^${DISABLED}`)

/** The hooks of one event. Settings list enabled and disabled lines separately; a record has the position of a disabled one. */
export function hooksOfEvent({ commands, hookLimits }: HookSettings, event: string): Hook[] {
  const records = hookLimits.filter((record) => record.event === event)
  const unused = [...records]
  const withRecord = (enabled: boolean) => (line: string) => {
    const index = unused.findIndex((record) => record.line === line && (record.place === undefined) === enabled)
    const own = index < 0 ? undefined : unused.splice(index, 1)[0]
    return { line, enabled, own, limits: own ?? records.find((record) => record.line === line) }
  }
  const linesOf = (key: string) => (commands[key] ?? []).filter((line) => line.trim() !== '')
  const ordered = linesOf(event).map(withRecord(true))
  const disabled = linesOf(`${DISABLED}${event}`).map(withRecord(false))
  const positionOf = ({ own }: (typeof disabled)[number]) => own?.place ?? Infinity
  for (const hook of disabled.toSorted((a, b) => positionOf(a) - positionOf(b)))
    ordered.splice(positionOf(hook), 0, hook)
  const taken = new Set(records.flatMap(({ id }) => id ?? []))
  return ordered.map(({ line, enabled, own, limits = {} }): Hook => {
    const {
      timeout = HOOK_TIMEOUT.default,
      outputLimit = HOOK_OUTPUT.default,
      onFailure = 'refuse',
    }: Partial<HookLimits> = limits
    const id = own?.id ?? freeId(event, line, taken)
    taken.add(id)
    return { id, event, line, enabled, waits: isWaitedFor(line), timeout, outputLimit, onFailure }
  })
}

/** An id that no other hook of the event has. */
export function freeId(event: string, line: string, taken: ReadonlySet<string>): string {
  let [count, id] = [0, idOf(event, line)]
  while (taken.has(id)) id = idOf(event, line, (count += 1))
  return id
}

function idOf(event: string, line: string, count = 0): string {
  return createHash('sha256').update(`${event}\n${line}\n${count}`).digest('hex').slice(0, 8)
}

/** Saves the hooks of an event in this order. Values that are defaults, or derived from event and line, are not saved. */
export function writeHooks(settings: Settings, event: string, hooks: readonly Hook[]): void {
  const linesOf = (enabled: boolean) => hooks.filter((hook) => hook.enabled === enabled).map(({ line }) => line)
  settings.commands[event] = linesOf(true)
  const [disabled, key] = [linesOf(false), `${DISABLED}${event}`]
  if (disabled.length > 0) settings.commands[key] = disabled
  else Reflect.deleteProperty(settings.commands, key)
  const records = hooks.flatMap(({ id, line, enabled, timeout, outputLimit, onFailure }, place): HookLimits[] => {
    const isDefault = timeout === HOOK_TIMEOUT.default && outputLimit === HOOK_OUTPUT.default && onFailure === 'refuse'
    const isDerived = id === idOf(event, line)
    if (isDefault && isDerived && enabled) return []
    const more = { ...(!isDerived && { id }), ...(!enabled && { place }) }
    return [{ event, line, timeout, outputLimit, onFailure, ...more }]
  })
  settings.hookLimits = [...settings.hookLimits.filter((record) => record.event !== event), ...records]
}

/**
 * Checks only newly enabled lines: older ones, such as those of an import, stay as they are.
 *
 * @throws INVALID_INPUT for a line that only a shell could run
 */
export function requireUsableHooks(next: HookSettings, before: HookSettings): void {
  const known = new Set(hooksOf(before).flatMap(({ event, line, enabled }) => (enabled ? [`${event}\n${line}`] : [])))
  for (const { event, line, enabled } of hooksOf(next)) {
    if (!enabled || known.has(`${event}\n${line}`)) continue
    const problem = problemIn(() => void parseHookLine(line), 'INVALID_INPUT')
    if (problem !== undefined) fail('INVALID_INPUT', problem.message, { field: `commands.${event}` })
  }
}
