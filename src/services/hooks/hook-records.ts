import { createHash } from 'node:crypto'
import { DISABLED, HOOK_OUTPUT, HOOK_TIMEOUT, isWaitedFor, parseHookLine, type Hook } from '../../domain/hook.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { isFilemgrError, fail } from '../../domain/errors.ts'

type HookSettings = Readonly<Pick<Settings, 'commands' | 'hookLimits'>>

/** A hook with the place in the settings where its line stands. */
export interface HookRecord extends Hook {
  readonly key: string
  readonly place: number
}

/** All hooks, those that are switched off too. */
export function hooksOf({ commands, hookLimits }: HookSettings): HookRecord[] {
  const same = new Map<string, number>()
  return Object.entries(commands).flatMap(([key, lines]) =>
    lines.flatMap((line, place): HookRecord[] => {
      if (line.trim() === '') return []
      const enabled = !key.startsWith(DISABLED)
      const event = enabled ? key : key.slice(DISABLED.length)
      const name = `${event}\n${line}`
      const count = same.get(name) ?? 0
      same.set(name, count + 1)
      const limits = hookLimits.find((own) => own.event === event && own.line === line)
      const { timeout = HOOK_TIMEOUT.usual, outputLimit = HOOK_OUTPUT.usual, onFailure = 'refuse' } = limits ?? {}
      const waits = isWaitedFor(line)
      return [{ id: idOf(name, count), event, line, enabled, waits, timeout, outputLimit, onFailure, key, place }]
    }),
  )
}

function idOf(name: string, count: number): string {
  return createHash('sha256').update(`${name}\n${count}`).digest('hex').slice(0, 8)
}

/**
 * Looks at the lines that were not there before: what moved in from elsewhere is kept as it is.
 *
 * @throws INVALID_INPUT for a line that only a shell could run
 */
export function requireUsableHooks(next: HookSettings, before: HookSettings): void {
  const known = new Set(hooksOf(before).flatMap(({ event, line, enabled }) => (enabled ? [`${event}\n${line}`] : [])))
  for (const { event, line, enabled } of hooksOf(next)) {
    if (!enabled || known.has(`${event}\n${line}`)) continue
    try {
      parseHookLine(line)
    } catch (error) {
      if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
      fail('INVALID_INPUT', error.message, { field: `commands.${event}` })
    }
  }
}
