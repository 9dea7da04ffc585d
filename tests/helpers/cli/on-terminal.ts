import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { programLine } from './program.ts'
import { bareEnvironment } from './run-cli.ts'

export interface TerminalTalk {
  /** Text that must appear before the keys are typed. */
  readonly when: RegExp
  readonly keys: string
  /** Done before they are. */
  readonly before?: () => void
}

/** Runs `filemgr` in a pseudo-terminal. @returns its exit code and everything on the screen */
export async function runOnTerminal(
  args: readonly string[],
  { when, keys, before }: TerminalTalk,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const line = ['stty cols 100;', 'exec', ...[...programLine(), ...args].map(quoted)].join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], { env: { ...bareEnvironment(), TERM: 'xterm', ...env } })
  const seen = { screen: '', typed: false }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.screen += text
    if (seen.typed || !when.test(seen.screen)) return
    seen.typed = true
    before?.()
    child.stdin.write(keys)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, screen: seen.screen }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
