import { auditText } from '../../domain/audit.ts'
import { fail, isFilemgrError, cancelled } from '../../domain/errors.ts'
import {
  type Hook,
  hookArguments,
  type Hooked,
  type HookTrial,
  type HookValues,
  parseHookLine,
} from '../../domain/hook.ts'
import type { ServerOptions } from '../../domain/settings/server-options.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { ROOT, segmentsOf, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { createLimiter } from '../../platform/limits/limiter.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { runProcess } from '../../platform/processes/process-runner.ts'
import type { FileAccess } from '../access/access.ts'
import type { Audit } from '../audit.ts'
import { hooksOf } from './hook-records.ts'
import { programEnvironment } from '../../platform/processes/processes.ts'

/** What an event is about. */
export interface HookFacts {
  readonly path: VirtualPath
  /** Of copies and moves. */
  readonly destination?: VirtualPath
}

/** Runs the hooks after the event; never fails. Takes the same user's files, which may have been reopened. */
export type AfterHooks = (files: HookedFiles) => Promise<void>

type HookedFiles = Pick<FileAccess, 'user' | 'scope'>

/** Programs that run before and after what users do with files, where the server was started with command execution. */
export interface HookRunner extends AsyncDisposable {
  /**
   * Runs what comes before an event, when all else about it has been checked, and gives back what comes after it. Only the
   * log hears what a program says.
   *
   * @throws FORBIDDEN when one of them fails; BUSY, CANCELLED
   */
  begin(event: Hooked, files: HookedFiles, facts: HookFacts, signal?: AbortSignal): Promise<AfterHooks>
}

export interface HookRunnerDeps {
  readonly settings: () => Readonly<Settings>
  readonly options: Pick<ServerOptions, 'enableExec'>
  readonly audit: Pick<Audit, 'record'>
  readonly log: Logger
  readonly run?: typeof runProcess
}

/** Of the output of one that failed, in characters of the log. */
const LOGGED = 2000
const NOTHING: AfterHooks = async () => undefined

export function createHookRunner({ settings, options, audit, log, run: runIt }: HookRunnerDeps): HookRunner {
  // Many uploads at once must not start as many programs.
  const limiter = createLimiter({ concurrent: 8, waiting: 256 })
  const stop = new AbortController()
  const underWay = new Set<Promise<unknown>>()

  const enabled = (trigger: string): Hook[] =>
    options.enableExec ? hooksOf(settings()).filter((hook) => hook.enabled && hook.event === trigger) : []

  /** The shutdown waits for it too. */
  const counted = async <T>(work: Promise<T>): Promise<T> => {
    const done = work.catch(() => undefined)
    underWay.add(done)
    void done.then(() => underWay.delete(done))
    return await work
  }

  /** @returns whether it succeeded. @throws BUSY, CANCELLED */
  const run = async (hook: Hook, files: HookedFiles, values: HookValues, signal?: AbortSignal): Promise<boolean> =>
    await counted(runOne(hook, files, values, signal))

  const runOne = async (hook: Hook, files: HookedFiles, values: HookValues, signal?: AbortSignal): Promise<boolean> => {
    const { line } = hook
    const { username } = files.user
    const facts = { hook: hook.id, event: hook.event, line, username }
    const { held } = files.scope.localRoot()
    const end = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])])
    const failed = await limiter.run(async () => {
      try {
        const trial = await runHook({ hook, values, cwd: held, signal: end, run: runIt })
        if (!hasFailed(trial)) return false
        const { exitCode, ended, stdout, stderr } = trial
        const said = { stdout: stdout.slice(-LOGGED), stderr: stderr.slice(-LOGGED) }
        log.warn({ ...facts, exitCode, ended, ...said }, 'a hook failed')
      } catch (error) {
        log.warn({ ...facts, err: error }, 'a hook could not be run')
      }
      return true
    }, end)
    const outcome = failed ? 'failed' : 'done'
    const target = auditText(values.FILE)
    audit.record({ who: auditText(username), userID: files.user.id, action: hook.event, target, outcome })
    return !failed
  }

  /** Runs in the background and ends with the daemon. Its folder stays open until then. */
  const runUnattended = (hook: Hook, files: HookedFiles, values: HookValues): void => {
    const work = (async () => {
      await using scope = await files.scope.within(ROOT)
      return await run(hook, { user: files.user, scope }, values)
    })()
    void counted(work).catch((error: unknown) => {
      log.warn({ hook: hook.id, event: hook.event, line: hook.line, err: error }, 'a hook could not be run')
    })
  }

  const before = async (event: Hooked, files: HookedFiles, facts: HookFacts, signal?: AbortSignal): Promise<void> => {
    const trigger = `before_${event}`
    for (const hook of enabled(trigger)) {
      const values = valuesOf(trigger, files, facts)
      if (!hook.waits) runUnattended(hook, files, values)
      else if (!(await run(hook, files, values, signal)) && hook.onFailure === 'refuse') {
        if (signal?.aborted === true || stop.signal.aborted) throw cancelled()
        fail('FORBIDDEN', 'a program that the administrator has put in front of this refused it')
      }
    }
  }

  const after = async (event: Hooked, files: HookedFiles, facts: HookFacts): Promise<void> => {
    const trigger = `after_${event}`
    for (const hook of enabled(trigger)) {
      const values = valuesOf(trigger, files, facts)
      if (!hook.waits) runUnattended(hook, files, values)
      else await runAnyway(hook, files, values)
    }
  }

  /** The event has happened: a failing program cannot undo it. */
  const runAnyway = async (hook: Hook, files: HookedFiles, values: HookValues): Promise<void> => {
    try {
      await run(hook, files, values)
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      log.warn({ hook: hook.id, event: hook.event, line: hook.line, err: error }, 'a hook could not be run')
    }
  }

  return {
    async begin(event, files, facts, signal) {
      if (!options.enableExec) return NOTHING
      await before(event, files, facts, signal)
      return async (now) => await after(event, now, facts)
    },

    async [Symbol.asyncDispose]() {
      stop.abort()
      await Promise.all(underWay)
    },
  }
}

function valuesOf(trigger: string, { user, scope }: HookedFiles, { path, destination = ROOT }: HookFacts): HookValues {
  const { path: root } = scope.localRoot()
  return {
    FILE: onDisk(root, path),
    SCOPE: user.scope,
    TRIGGER: trigger,
    USERNAME: user.username,
    DESTINATION: onDisk(root, destination),
  }
}

function onDisk(root: string, path: VirtualPath): string {
  return ['/', root, ...segmentsOf(path)].join('/').replace(/\/{2,}/g, '/')
}

export interface HookRun {
  readonly hook: Pick<Hook, 'line' | 'timeout' | 'outputLimit'>
  readonly values: HookValues
  /** The folder in which it runs. */
  readonly cwd: string
  readonly signal?: AbortSignal | undefined
  readonly run?: typeof runProcess | undefined
}

/**
 * Runs the program of a hook, and nothing of it is left when it has ended. It learns the values by its environment, in which
 * nothing else of ours stands.
 *
 * @throws INVALID_INPUT for a line that cannot be run, NOT_FOUND, FORBIDDEN, CANCELLED as `runProcess`
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

/** Whether a program gave an error or was ended by us. */
function hasFailed({ exitCode, ended }: HookTrial): boolean {
  return exitCode !== 0 || ended !== 'by itself'
}
