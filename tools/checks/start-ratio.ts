/** Prints how long commands take, as a multiple of an empty script in the same Node. Build first. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repository } from '../run-tool.ts'

const RUNS = 21
const COMMANDS = ['version', 'users ls', 'rules ls', 'shares ls', 'settings get', 'server get', 'sessions ls', 'status']

const folder = mkdtempSync(join(tmpdir(), 'filemgr-start-'))
try {
  measure(join(folder, 'data'), join(folder, 'empty.js'))
} finally {
  rmSync(folder, { recursive: true })
}

function measure(data: string, empty: string): void {
  mkdirSync(join(folder, 'files'))
  writeFileSync(empty, '')
  const program = [join(repository, 'dist/bundle/main.cjs'), '--data', data]
  const account = ['--username', 'admin', '--password', 'only for measuring']
  milliseconds([...program, 'init', '--root', join(folder, 'files'), ...account])
  for (const command of COMMANDS) {
    const line = [...program, ...command.split(' ')]
    // The first run fills the compile cache.
    milliseconds(line)
    // Alternately, so that other load on the machine affects both.
    const ratios = Array.from({ length: RUNS }, () => milliseconds(line) / milliseconds([empty]))
    console.log(`${command.padEnd(14)}${median(ratios).toFixed(2)}`)
  }
}

function milliseconds(line: readonly string[]): number {
  const start = performance.now()
  try {
    execFileSync(process.execPath, line, { stdio: 'pipe' })
  } catch (error) {
    // A non-zero exit is fine: `status` fails when no daemon runs.
    if ((error as { status?: unknown }).status === null) throw error
  }
  return performance.now() - start
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}
