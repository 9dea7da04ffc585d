import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from '../program/command.ts'

type Ends = Pick<Terminal, 'stdin' | 'stderr'>

/** Asks for one line, without escape sequences, for terminals that print them as text. @returns undefined if it was cancelled */
export async function askPlainly(
  question: string,
  { stdin, stderr }: Ends,
  hidden = false,
): Promise<string | undefined> {
  stderr.write(question)
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  // For a hidden line, readline switches the echo of the terminal off and gets an output that shows nothing.
  const output = new Writable({ write: (_part, _encoding, done) => done() })
  const reader = createInterface({ input: stdin, output, terminal: hidden })
  const cancel = () => resolve(undefined)
  process.once('SIGINT', cancel)
  reader.once('line', resolve).once('SIGINT', cancel).once('close', cancel)
  const line = await promise
  process.removeListener('SIGINT', cancel)
  reader.close()
  if (hidden || line === undefined) stderr.write('\n')
  return line
}
