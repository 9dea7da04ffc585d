import { fail } from '../../domain/errors.ts'
import type { SignInSettings } from '../../domain/auth-method.ts'
import { createLimiter } from '../../platform/limiter.ts'
import { programEnvironment } from '../../platform/process-environment.ts'
import { runProcess } from '../../platform/process-runner.ts'
import { readHookAnswer, type HookAnswer } from './hook-answer.ts'

const TIME_LIMIT = 10_000
const LARGEST_ANSWER = 64 * 1024

/**
 * Asks the program of the operator whether these credentials let somebody in. They go to it as JSON on standard input:
 * never into its words, which a shell in it would read (CVE-2026-54088) and which everybody on the machine can list.
 *
 * @throws INTERNAL when it cannot be run, fails, takes too long or decides nothing; BUSY when too many are asked at once
 */
export type AskProgram = (settings: Readonly<SignInSettings>, username: string, password: string) => Promise<HookAnswer>

export function createAskProgram(): AskProgram {
  const limiter = createLimiter({ concurrent: 4, waiting: 32 })
  return async ({ command, commandEnvironment }, username, password) => {
    const [program, ...words] = command
    if (program === undefined)
      fail('INTERNAL', 'no sign-in program is set; see "filemgr settings set auth.command=..."')
    if (username.includes('\0') || password.includes('\0')) return { action: 'block' }
    const env = programEnvironment(commandEnvironment ? { USERNAME: username, PASSWORD: password } : {})
    const { exitCode, interrupted, stdout } = await limiter.run(
      async () =>
        await runProcess({
          argv: [program, ...words],
          env,
          stdin: `${JSON.stringify({ username, password })}\n`,
          timeout: TIME_LIMIT,
          outputLimit: LARGEST_ANSWER,
        }),
    )
    if (interrupted !== undefined) fail('INTERNAL', `the sign-in program was ended: ${interrupted}`)
    if (exitCode !== 0) fail('INTERNAL', `the sign-in program ended with the code ${exitCode ?? 'of a signal'}`)
    return readHookAnswer(stdout)
  }
}
