import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fail } from '../../domain/errors.ts'

/** @throws FORBIDDEN */
export function requireRoot(action: string, uid = process.getuid?.()): void {
  if (uid !== 0) fail('FORBIDDEN', `only root can ${action} the service: run the same command with sudo`)
}

/** @throws UNSUPPORTED */
export async function requireSystemd(): Promise<void> {
  if (await succeeds('systemctl', ['--version'])) return
  fail('UNSUPPORTED', 'this machine has no systemd; config/deploy/README.md has notes for OpenRC and containers')
}

/** Runs a program of the system. @returns what it printed. @throws INTERNAL with the last line of its errors */
export async function runSystem(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(program, args)).stdout.trim()
  } catch (cause) {
    const { code, stderr = '' } = cause as { code?: unknown; stderr?: string }
    const reason = code === 'ENOENT' ? 'it is not installed' : stderr.trim().split('\n').at(-1)
    return fail('INTERNAL', `${program} failed: ${reason ?? ''}`, {}, { cause })
  }
}

export async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(program, args)
    return true
  } catch {
    return false
  }
}
