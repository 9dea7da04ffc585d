import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { fail } from '../../domain/errors.ts'
import { packageFile } from '../../platform/version.ts'

/** @throws FORBIDDEN */
export function requireRoot(action: string, uid = process.getuid?.()): void {
  if (uid !== 0) fail('FORBIDDEN', `only root can ${action} the service: run the same command with sudo`)
}

/** @throws UNSUPPORTED if systemd is missing, or installed without running, as in many containers */
export async function requireSystemd(): Promise<void> {
  const state = await systemState()
  if (state !== undefined && state !== 'offline') return
  const problem = state === undefined ? 'this machine has no systemd' : 'systemd is not running on this machine'
  fail('UNSUPPORTED', `${problem}; ${packageFile('docs/deploy/README.md')} has notes for OpenRC and containers`)
}

/** In one word, such as "running" or "degraded"; undefined without systemd. */
async function systemState(): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('systemctl', ['is-system-running'])).stdout.trim()
  } catch (error) {
    // It also exits with 1 if a single unit has failed.
    const { code, stdout = '' } = error as { code?: unknown; stdout?: string }
    return code === 'ENOENT' ? undefined : stdout.trim()
  }
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
