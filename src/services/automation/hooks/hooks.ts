import { type Actor, requireAdmin } from '../../../domain/accounts/actor.ts'
import { fail } from '../../../domain/errors.ts'
import {
  type Hook,
  HOOK_OUTPUT,
  HOOK_TIMEOUT,
  type HookChange,
  type HookList,
  type HookTrial,
  isWaitedFor,
  MAX_HOOKS,
  type NewHook,
  parseHookLine,
  requireHookEvent,
} from '../../../domain/automation/hook.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { ROOT } from '../../../domain/files/virtual-path.ts'
import { type Storage, storagePathOf } from '../../../storage/storage.ts'
import type { StoreDocument } from '../../../store/document.ts'
import type { Store } from '../../../store/store.ts'
import { requireLocalRoot } from '../../access/local-root.ts'
import { freeId, hooksOf, hooksOfEvent, writeHooks } from './hook-records.ts'
import { runHook } from './hook-runner.ts'

export interface HooksDeps {
  readonly store: Store<StoreDocument>
  readonly storage: Storage
  readonly options: Pick<ServerOptions, 'enableExec'>
}

/**
 * Changes single hooks of the current list, so that concurrent changes do not overwrite each other. All functions throw
 * FORBIDDEN, and NOT_FOUND for an unknown id.
 */
export function createHooks({ store, storage, options }: HooksDeps) {
  function list(actor: Actor): HookList {
    requireAdmin(actor, 'settings.manage')
    return { running: options.enableExec, hooks: hooksOf(store.snapshot().settings) }
  }

  /** @throws INVALID_INPUT for a line that needs a shell, CONFLICT for too many hooks */
  async function add(
    actor: Actor,
    { event, line, timeout = HOOK_TIMEOUT.default, outputLimit = HOOK_OUTPUT.default, onFailure = 'refuse' }: NewHook,
  ): Promise<Hook> {
    requireAdmin(actor, 'settings.manage')
    requireHookEvent(event)
    parseHookLine(line)
    return await store.update(({ settings }, now) => {
      requireAdmin(actor, 'settings.manage', now)
      const hooks = hooksOfEvent(settings, event)
      if (hooks.length >= MAX_HOOKS) {
        fail('CONFLICT', `there are ${MAX_HOOKS} hooks of this event already; remove one first`, { reason: 'maximum' })
      }
      const id = freeId(event, line, new Set(hooks.map((hook) => hook.id)))
      const hook = { id, event, line, enabled: true, waits: isWaitedFor(line), timeout, outputLimit, onFailure }
      writeHooks(settings, event, [...hooks, hook])
      return hook
    })
  }

  async function remove(actor: Actor, id: string): Promise<void> {
    requireAdmin(actor, 'settings.manage')
    await store.update(({ settings }, now) => {
      requireAdmin(actor, 'settings.manage', now)
      const { event } = requireHook(settings, id)
      const others = hooksOfEvent(settings, event).filter((hook) => hook.id !== id)
      writeHooks(settings, event, others)
    })
  }

  /**
   * Changes the given values, but never the id. `place` is the position among all hooks of the event; a larger one means the end.
   *
   * @throws INVALID_INPUT for a line that needs a shell
   */
  async function change(actor: Actor, id: string, { place, ...changes }: HookChange): Promise<Hook> {
    requireAdmin(actor, 'settings.manage')
    return await store.update(({ settings }, now) => {
      requireAdmin(actor, 'settings.manage', now)
      const before = requireHook(settings, id)
      const { event } = before
      const changed = { ...before, ...changes }
      const hook = { ...changed, waits: isWaitedFor(changed.line) }
      if (hook.enabled && (!before.enabled || hook.line !== before.line)) {
        requireHookEvent(event)
        parseHookLine(hook.line)
      }
      const hooks = hooksOfEvent(settings, event)
      const index = hooks.findIndex((each) => each.id === id)
      writeHooks(settings, event, hooks.toSpliced(index, 1).toSpliced(place ?? index, 0, hook))
      return hook
    })
  }

  /**
   * Runs a hook once, with the values of an event for a file "sample.txt". The operator at the command line may run
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
    using scope = await storage.openScope(storagePathOf(ROOT), 'inside')
    const { path, held } = requireLocalRoot(scope)
    const FILE = `${path.replace(/\/$/, '')}/sample.txt`
    const USERNAME = actor.kind === 'user' ? actor.username : 'operator'
    const values = { FILE, SCOPE: '/', TRIGGER: hook.event, USERNAME, DESTINATION: path, VISITOR: '' }
    return await runHook({ hook, values, cwd: held, signal })
  }

  return { list, add, remove, change, test }
}

function requireHook(settings: Readonly<Settings>, id: string): Hook {
  const hook = hooksOf(settings).find((each) => each.id === id)
  return hook ?? fail('NOT_FOUND', `there is no hook ${id}; see "filemgr hooks ls"`)
}
