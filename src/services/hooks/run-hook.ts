import { hookArguments, parseHookLine, type Hook, type HookTrial, type HookValues } from '../../domain/hook.ts'
import { programEnvironment } from '../../platform/process-environment.ts'
import { runProcess } from '../../platform/process-runner.ts'

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
export function hasFailed({ exitCode, ended }: HookTrial): boolean {
  return exitCode !== 0 || ended !== 'by itself'
}
