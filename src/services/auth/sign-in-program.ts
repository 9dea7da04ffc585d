import { fail } from '../../domain/errors.ts'
import type { SignInSettings } from '../../domain/auth-method.ts'
import { hasControls } from '../../domain/printable.ts'
import { createLimiter } from '../../platform/limiter.ts'
import type { Logger } from '../../platform/logger.ts'
import { programEnvironment } from '../../platform/process-environment.ts'
import { runProcess } from '../../platform/process-runner.ts'
import { readHookAnswer, type HookAnswer } from './hook-answer.ts'

const TIME_LIMIT = 10_000
const LARGEST_ANSWER = 64 * 1024

/**
 * Asks the program of the operator whether these credentials let somebody in. They go to it as JSON on standard input:
 * never into its words, which a shell in it would read (CVE-2026-54088) and which everybody on the machine can list.
 *
 * An exit code other than 0 is a no.
 *
 * @throws INTERNAL when it cannot be run, takes too long or decides nothing; BUSY when too many are asked at once
 */
export type AskProgram = (settings: Readonly<SignInSettings>, username: string, password: string) => Promise<HookAnswer>

export function createAskProgram({ log }: { readonly log: Logger }): AskProgram {
  const limiter = createLimiter({ concurrent: 4, waiting: 32 })
  return async ({ command, commandEnvironment }, username, password) => {
    const [program, ...words] = command
    if (program === undefined)
      fail('INTERNAL', 'no sign-in program is set; see "filemgr settings set auth.command=..."')
    // No account has such a name, and a program that writes it to a log or a query would be misled.
    if (hasControls(username) || password.includes('\0')) return { action: 'block' }
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
    // Many programs say no so. As an error of ours it would be a try that costs nothing.
    if (exitCode !== 0) {
      log.warn({ exitCode }, 'the sign-in program refused by its exit code')
      return { action: 'block' }
    }
    return readHookAnswer(stdout)
  }
}
