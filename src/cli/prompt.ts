import { fail } from '../domain/errors.ts'
import type { Invocation, Terminal } from './command.ts'

/** True when a person sits in front of it and can be asked. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY && (stderr as { isTTY?: boolean }).isTTY === true
}

/** Asks twice for a password without showing it. @throws CANCELLED on Ctrl-C; INVALID_INPUT when the two differ */
export async function askNewPassword(username: string, terminal: Terminal): Promise<string> {
  const password = await askSecret(`Password for ${username}`, terminal)
  if ((await askSecret('The same again', terminal)) !== password) {
    fail('INVALID_INPUT', 'the passwords differ; nothing was changed', { field: 'password' })
  }
  return password
}

async function askSecret(message: string, { stdin, stderr }: Terminal): Promise<string> {
  const { password, isCancel } = await import('@clack/prompts')
  const answer = await password({ message, input: stdin, output: stderr })
  return isCancel(answer) ? fail('CANCELLED', 'cancelled; nothing was changed') : answer
}

/**
 * Lets a person confirm what cannot be undone; where nobody can be asked, only --yes will do.
 *
 * @throws INVALID_INPUT without a terminal and --yes; CANCELLED when the person declines
 */
export async function confirmOrFail({ terminal, values }: Invocation, question: string): Promise<void> {
  if (values['yes'] === true) return
  if (!isInteractive(terminal))
    fail('INVALID_INPUT', `${question} Add --yes to confirm it without a terminal`, { field: 'yes' })
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: terminal.stdin,
    output: terminal.stderr,
  })
  if (isCancel(answer) || !answer) fail('CANCELLED', 'cancelled; nothing was changed')
}
