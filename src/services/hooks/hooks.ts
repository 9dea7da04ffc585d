import { type Actor, requireAdmin } from '../../domain/accounts/actor.ts'
import { fail } from '../../domain/errors.ts'
import {
  DISABLED,
  type Hook,
  HOOK_EVENTS,
  HOOK_OUTPUT,
  HOOK_TIMEOUT,
  type HookChange,
  type HookLimits,
  type HookList,
  type HookTrial,
  MOST_HOOKS,
  type NewHook,
  parseHookLine,
} from '../../domain/hook.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { ROOT } from '../../domain/files/virtual-path.ts'
import { type Storage, storagePathOf } from '../../storage/storage.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import { type HookRecord, hooksOf } from './hook-records.ts'
import { runHook } from './hook-runner.ts'

export interface HooksDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Pick<Storage, 'openScope'>
  readonly options: Pick<ServerOptions, 'enableExec'>
}

/** The hooks one at a time, each change on what is there at that moment. All of it @throws FORBIDDEN, NOT_FOUND for an unknown id. */
export function createHooks({ store, storage, options }: HooksDeps) {
  function list(actor: Actor): HookList {
    requireAdmin(actor, 'settings.manage')
    return { running: options.enableExec, hooks: hooksOf(store.snapshot().settings).map(viewOf) }
  }

  /** @throws INVALID_INPUT for a line that needs a shell, CONFLICT when there is no room */
  async function add(
    actor: Actor,
    { event, line, timeout = HOOK_TIMEOUT.usual, outputLimit = HOOK_OUTPUT.usual, onFailure = 'refuse' }: NewHook,
  ): Promise<Hook> {
    requireAdmin(actor, 'settings.manage')
    requireEvent(event)
    parseHookLine(line)
    return await store.update((draft) => {
      const lines = roomIn(draft.settings, event)
      setLimits(draft.settings, { event, line, timeout, outputLimit, onFailure })
      draft.settings.commands[event] = [...lines, line]
      const added = hooksOf(draft.settings).find(({ key, place }) => key === event && place === lines.length)
      return viewOf(added ?? fail('INTERNAL', 'the hook was not added'))
    })
  }

  async function remove(actor: Actor, id: string): Promise<void> {
    requireAdmin(actor, 'settings.manage')
    await store.update((draft) => {
      const hook = requireHook(draft.settings, id)
      takeOut(draft.settings, hook)
      const isLast = !hooksOf(draft.settings).some(({ event, line }) => event === hook.event && line === hook.line)
      if (isLast) draft.settings.hookLimits = limitsOfOthers(draft.settings, hook)
    })
  }

  /**
   * What is absent stays as it is. One that is switched on or off goes behind the others unless it is given a place; a place behind
   * the last one is the last one. The limits are those of the event and the line: of the same line twice, both have them.
   *
   * @throws INVALID_INPUT for a line that needs a shell
   */
  async function change(actor: Actor, id: string, { enabled, place, ...limits }: HookChange): Promise<Hook> {
    requireAdmin(actor, 'settings.manage')
    return await store.update((draft) => {
      const { settings } = draft
      const hook = { ...requireHook(settings, id), ...limits }
      setLimits(settings, hook)
      const key = keyOf(hook, enabled ?? hook.enabled)
      if (key !== hook.key || place !== undefined) {
        const lines = key === hook.key ? without(settings, hook) : roomIn(settings, key)
        takeOut(settings, hook)
        settings.commands[key] = lines.toSpliced(place ?? lines.length, 0, hook.line)
      }
      return viewOf({ ...hook, enabled: enabled ?? hook.enabled })
    })
  }

  /**
   * Runs it once, with values as an event of a file "sample.txt" would give them. The operator at the command line may run
   * programs anyway.
   *
   * @throws FORBIDDEN where command execution is off; INVALID_INPUT, NOT_FOUND when there is no such program
   */
  async function test(actor: Actor, id: string, signal?: AbortSignal): Promise<HookTrial> {
    requireAdmin(actor, 'settings.manage')
    const hook = requireHook(store.snapshot().settings, id)
    if (actor.kind === 'user' && !options.enableExec) {
      fail('FORBIDDEN', 'command execution is off: start the server with --enable-exec')
    }
    await using scope = await storage.openScope(storagePathOf(ROOT), 'inside')
    const { path, held } = scope.localRoot()
    const FILE = `${path.replace(/\/$/, '')}/sample.txt`
    const USERNAME = actor.kind === 'user' ? actor.user.username : 'operator'
    const values = { FILE, SCOPE: '/', TRIGGER: hook.event, USERNAME, DESTINATION: path }
    return await runHook({ hook, values, cwd: held, signal })
  }

  return { list, add, remove, change, test }
}

export type Hooks = ReturnType<typeof createHooks>

function requireEvent(event: string): void {
  if (HOOK_EVENTS.includes(event)) return
  fail('INVALID_INPUT', `there is no event ${event}; take one of ${HOOK_EVENTS.join(', ')}`, { field: 'event' })
}

function requireHook(settings: Readonly<Settings>, id: string): HookRecord {
  const hook = hooksOf(settings).find((one) => one.id === id)
  return hook ?? fail('NOT_FOUND', `there is no hook ${id}; see "filemgr hooks ls"`)
}

/** Under which name of the settings its line stands. @throws INVALID_INPUT when one that needs a shell is switched on */
function keyOf({ event, line, enabled: isOn }: HookRecord, enabled: boolean): string {
  if (enabled && !isOn) {
    requireEvent(event)
    parseHookLine(line)
  }
  return enabled ? event : `${DISABLED}${event}`
}

/** Those of hooks that are like all others are not written down. */
function setLimits(settings: Settings, { event, line, timeout, outputLimit, onFailure }: Required<HookLimits>): void {
  const isUsual = timeout === HOOK_TIMEOUT.usual && outputLimit === HOOK_OUTPUT.usual && onFailure === 'refuse'
  const others = limitsOfOthers(settings, { event, line })
  settings.hookLimits = isUsual ? others : [...others, { event, line, timeout, outputLimit, onFailure }]
}

function limitsOfOthers({ hookLimits }: Settings, hook: Pick<HookLimits, 'event' | 'line'>): HookLimits[] {
  return hookLimits.filter(({ event, line }) => event !== hook.event || line !== hook.line)
}

function roomIn({ commands }: Settings, key: string): readonly string[] {
  const lines = commands[key] ?? []
  if (lines.length >= MOST_HOOKS)
    fail('CONFLICT', `there are ${MOST_HOOKS} hooks of this event already; remove one first`)
  return lines
}

function without({ commands }: Settings, { key, place }: HookRecord): string[] {
  return (commands[key] ?? []).filter((_, index) => index !== place)
}

function takeOut(settings: Settings, hook: HookRecord): void {
  const { commands } = settings
  const { key } = hook
  const left = without(settings, hook)
  // Ten names are always there; those of hooks that are switched off come and go.
  if (left.length > 0 || HOOK_EVENTS.includes(key)) commands[key] = left
  else Reflect.deleteProperty(commands, key)
}

function viewOf({ id, event, line, enabled, waits, timeout, outputLimit, onFailure }: HookRecord): Hook {
  return { id, event, line, enabled, waits, timeout, outputLimit, onFailure }
}
