import { type ActivityLog, auditText } from '../../../domain/server/audit.ts'
import { fail, isFilemgrError, cancelled } from '../../../domain/errors.ts'
import {
  type Hook,
  hookArguments,
  type Hooked,
  type HookTrial,
  type HookValues,
  parseHookLine,
} from '../../../domain/automation/hook.ts'
import type { ServerOptions } from '../../../domain/server/server-options.ts'
import type { Settings } from '../../../domain/settings/settings.ts'
import { ROOT, segmentsOf, type VirtualPath } from '../../../domain/files/virtual-path.ts'
import { createLimiter } from '../../../platform/limits/limiter.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { runProcess } from '../../../platform/processes/process-runner.ts'
import type { FileAccess } from '../../access/file-access.ts'
import { requireLocalRoot } from '../../access/local-root.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'
import { hooksOf } from './hook-records.ts'
import { programEnvironment } from '../../../platform/processes/processes.ts'
import type { RootIndex } from '../../stored-roots.ts'

/** The paths of an event. */
export interface HookFacts {
  readonly path: VirtualPath
  /** For copies and moves. */
  readonly destination?: VirtualPath
  /** The name given by the visitor who does it through a public link of the user; "" if the link did not ask. */
  readonly visitor?: string | undefined
}

/**
 * Runs the hooks after the event; never rejects. Takes files of the same user, because a job opens its own.
 *
 * @param into where the destination is, if that is another place
 */
export type AfterHooks = (files: HookedFiles, into?: HookedFiles) => Promise<void>

type HookedFiles = Pick<FileAccess, 'user' | 'by' | 'scope'>

interface HookChecks {
  readonly signal?: AbortSignal | undefined
  /** What the operation itself refuses later anyway: called before a program would be run in vain. */
  readonly check?: () => Promise<unknown>
  /** Judges again what the caller has found at the paths; called after programs, in whose minutes others may change it. */
  readonly judge?: () => Promise<unknown>
  /** Where the destination is, if that is another place. */
  readonly into?: HookedFiles | undefined
}

export interface HookRunnerDeps {
  readonly settings: () => Readonly<Settings>
  readonly options: Pick<ServerOptions, 'enableExec'>
  readonly webhooks: Pick<WebhookSender, 'send'>
  readonly roots: Pick<RootIndex, 'find'>
  readonly audit: ActivityLog
  readonly log: Logger
  readonly run?: typeof runProcess
}

/** Characters of a failed hook's output that are logged. */
const MAX_LOGGED = 2000

/** Runs programs before and after file operations, if the server was started with --enable-exec, and notifies webhooks. */
export function createHookRunner({ settings, options, webhooks, roots, audit, log, run: runProgram }: HookRunnerDeps) {
  // Many concurrent uploads must not start as many programs.
  const limiter = createLimiter({ concurrent: 8, waiting: 256 })
  const stop = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  const enabled = (trigger: string): Hook[] =>
    options.enableExec ? hooksOf(settings()).filter((hook) => hook.enabled && hook.event === trigger) : []

  /** Makes the shutdown wait for the work. */
  const tracked = async <T>(work: Promise<T>): Promise<T> => {
    const done = work.catch(() => undefined)
    underWay.add(done)
    void done.then(() => underWay.delete(done))
    return await work
  }

  /** @returns whether it succeeded. @throws BUSY, CANCELLED */
  const run = async (hook: Hook, files: HookedFiles, values: HookValues, signal?: AbortSignal): Promise<boolean> =>
    await tracked(runOne(hook, files, values, signal))

  const runOne = async (hook: Hook, files: HookedFiles, values: HookValues, signal?: AbortSignal): Promise<boolean> => {
    const { line } = hook
    const { id: userID, username } = files.by
    const facts = { hook: hook.id, event: hook.event, line, username }
    const { held } = requireLocalRoot(files.scope)
    const end = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])])
    const failed = await limiter.run(async () => {
      try {
        const trial = await runHook({ hook, values, cwd: held, signal: end, run: runProgram })
        if (!hasFailed(trial)) return false
        const { exitCode, ended, stdout, stderr } = trial
        const output = { stdout: stdout.slice(-MAX_LOGGED), stderr: stderr.slice(-MAX_LOGGED) }
        log.warn({ ...facts, exitCode, ended, ...output }, 'a hook failed')
      } catch (error) {
        log.warn({ ...facts, err: error }, 'a hook could not be run')
      }
      return true
    }, end)
    const outcome = failed ? 'failed' : 'done'
    const target = auditText(values.FILE)
    audit.record({ who: auditText(username), userID, action: hook.event, target, outcome })
    return !failed
  }

  /** Runs a hook in the background, at most until the daemon stops. Keeps its folder open meanwhile. */
  const runUnattended = (hook: Hook, files: HookedFiles, values: HookValues): void => {
    const work = (async () => {
      using scope = await files.scope.within(ROOT)
      return await run(hook, { user: files.user, by: files.by, scope }, values)
    })()
    void tracked(work).catch((error: unknown) => {
      log.warn({ hook: hook.id, event: hook.event, line: hook.line, err: error }, 'a hook could not be run')
    })
  }

  /** @returns whether it took the time of a program */
  const before = async (
    event: Hooked,
    files: HookedFiles,
    facts: HookFacts,
    { signal, into }: HookChecks,
  ): Promise<boolean> => {
    const trigger = `before_${event}`
    const hooks = enabled(trigger)
    for (const hook of hooks) {
      const values = valuesOf(trigger, files, facts, into)
      if (!hook.waits) runUnattended(hook, files, values)
      else if (!(await run(hook, files, values, signal)) && hook.onFailure === 'refuse') {
        if (signal?.aborted === true || stop.signal.aborted) throw cancelled()
        fail('FORBIDDEN', 'a program that checks this operation refused it; ask an administrator')
      }
    }
    return hooks.some(({ waits }) => waits)
  }

  const after = async (event: Hooked, files: HookedFiles, facts: HookFacts, into?: HookedFiles): Promise<void> => {
    const trigger = `after_${event}`
    for (const hook of enabled(trigger)) {
      const values = valuesOf(trigger, files, facts, into)
      if (!hook.waits) runUnattended(hook, files, values)
      else await runAnyway(hook, files, values)
    }
  }

  /** Ignores failures, because the event has already happened. */
  const runAnyway = async (hook: Hook, files: HookedFiles, values: HookValues): Promise<void> => {
    try {
      await run(hook, files, values)
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      log.warn({ hook: hook.id, event: hook.event, line: hook.line, err: error }, 'a hook could not be run')
    }
  }

  const folderOf = ({ user: { scope, root } }: HookedFiles) => ({
    scope,
    ...(root !== undefined && { root: roots.find(root)?.name }),
  })

  /** What `begin` returned, for work that an earlier process has begun: the hooks before the event have run. */
  const begun =
    (event: Hooked, facts: HookFacts): AfterHooks =>
    async (now, into = now) => {
      const user = { username: now.by.username, ...folderOf(now) }
      webhooks.send(event, { user, ...facts, ...(into !== now && { into: folderOf(into) }) })
      await after(event, now, facts, into)
    }

  return {
    /**
     * Runs the hooks before an event; call it after all other checks. Returns a function that runs the hooks after the event,
     * and notifies webhooks. The output of hooks only goes to the log.
     *
     * @throws FORBIDDEN if one of them fails; BUSY, CANCELLED; the errors of the checks
     */
    async begin(event: Hooked, files: HookedFiles, facts: HookFacts, checks: HookChecks = {}): Promise<AfterHooks> {
      if (enabled(`before_${event}`).length === 0) return begun(event, facts)
      await checks.check?.()
      if (await before(event, files, facts, checks)) await checks.judge?.()
      return begun(event, facts)
    },

    begun,

    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(underWay)
    },
  }
}

export type HookRunner = ReturnType<typeof createHookRunner>

/** A visitor who was not asked for a name. */
const UNNAMED = 'visitor'

function valuesOf(trigger: string, files: HookedFiles, facts: HookFacts, into = files): HookValues {
  const { user, by, scope } = files
  const { path, destination = ROOT, visitor } = facts
  const { path: root } = requireLocalRoot(scope)
  return {
    FILE: onDisk(root, path),
    SCOPE: user.scope,
    TRIGGER: trigger,
    USERNAME: by.username,
    DESTINATION: onDisk(requireLocalRoot(into.scope).path, destination),
    VISITOR: visitor === undefined ? '' : visitor || UNNAMED,
  }
}

function onDisk(root: string, path: VirtualPath): string {
  return ['/', root, ...segmentsOf(path)].join('/').replace(/\/{2,}/g, '/')
}

export interface HookRun {
  readonly hook: Pick<Hook, 'line' | 'timeout' | 'outputLimit'>
  readonly values: HookValues
  /** Its working folder. */
  readonly cwd: string
  readonly signal?: AbortSignal | undefined
  readonly run?: typeof runProcess | undefined
}

/**
 * Runs the program of a hook to its end. It gets the values in its environment, which contains none of our own variables.
 *
 * @throws INVALID_INPUT for an invalid line; NOT_FOUND, FORBIDDEN, CANCELLED as `runProcess`
 */
export async function runHook({ hook, values, cwd, signal, run = runProcess }: HookRun): Promise<HookTrial> {
  const { exitCode, interrupted, stdout, stderr } = await run({
    argv: hookArguments(parseHookLine(hook.line), values),
    env: programEnvironment(values),
    cwd,
    timeout: hook.timeout * 1000,
    outputLimit: hook.outputLimit,
    signal,
  })
  return { exitCode, ended: interrupted ?? 'by itself', stdout, stderr }
}

/** Whether the program failed or was terminated. */
function hasFailed({ exitCode, ended }: HookTrial): boolean {
  return exitCode !== 0 || ended !== 'by itself'
}
