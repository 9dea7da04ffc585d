import { userInfo } from 'node:os'
import type { CommandCaller } from '../../operations/perform.ts'
import type { Terminal } from '../program/command.ts'

/** Who runs a command. */
export function callerOf({ env }: Pick<Terminal, 'env'>): CommandCaller {
  const sudoUser = env['SUDO_USER'] ?? ''
  return { account: accountName(), ...(sudoUser !== '' && { sudoUser }) }
}

/** An account that is only a number, as in containers, has no name. */
function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? '')
  }
}
