import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import { textOfFile } from '../../platform/text/read-text-file.ts'
import type { Invocation, Terminal } from './command.ts'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** True if it is possible to prompt the user. */
export function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin.isTTY && (stderr as { isTTY?: boolean }).isTTY === true
}

/** Prompts twice for a hidden password. @throws CANCELLED on Ctrl-C; INVALID_INPUT if they differ */
export async function askNewPassword(username: string, invocation: Asking): Promise<string> {
  const password = await askSecret(`Password for ${username}`, invocation)
  if ((await askSecret('Repeat the password', invocation)) !== password) {
    fail('INVALID_INPUT', 'the passwords do not match; nothing was changed', { field: 'password' })
  }
  return password
}

/** Prompts for something hidden. @throws CANCELLED on Ctrl-C */
export async function askSecret(message: string, { terminal, output }: Asking): Promise<string> {
  if (output.plain) return (await askPlainly(`${message}: `, terminal, true)) ?? cancelled()
  const { password, isCancel } = await import('@clack/prompts')
  const answer = await password({ message, input: terminal.stdin, output: terminal.stderr })
  return isCancel(answer) ? cancelled() : answer
}

type Asking = Pick<Invocation, 'terminal' | 'output'>

function cancelled(): never {
  return fail('CANCELLED', 'cancelled; nothing was changed')
}

/**
 * Asks the operator to confirm what cannot be undone, unless --yes is given. Without a terminal, a line that File Browser takes
 * too needs no --yes: scripts for File Browser do not know it.
 *
 * @param asked makes the question, if one is asked
 * @throws INVALID_INPUT without a terminal and --yes; CANCELLED if the operator declines
 */
export async function confirmOrFail(invocation: Invocation, asked: string | (() => Promise<string>)): Promise<void> {
  const { terminal, values, isOldLine } = invocation
  if (values['yes'] === true || (isOldLine && !isInteractive(terminal))) return
  const question = typeof asked === 'string' ? asked : await asked()
  if (!isInteractive(terminal))
    fail('INVALID_INPUT', `${question} Add --yes to confirm it without a terminal`, { field: 'yes' })
  if (!(await saysYes(question, invocation))) cancelled()
}

async function saysYes(question: string, { terminal, output }: Asking): Promise<boolean> {
  if (output.plain) return /^y(es)?$/i.test((await askPlainly(`${question} [y/N] `, terminal)) ?? '')
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({
    message: question,
    initialValue: false,
    input: terminal.stdin,
    output: terminal.stderr,
  })
  return !isCancel(answer) && answer
}

const MAX_LINE_LENGTH = 4096
const LINE_FEED = 0x0a

/** The ways to pass a password, for every command that sets one. @param short for commands that File Browser has too */
export function passwordOptions(short?: '-p'): Option[] {
  const flag = short === undefined ? '--password' : `${short}, --password`
  return [
    new Option(`${flag} <text>`, 'password; visible in the process list, prefer --password-stdin'),
    new Option('--password-stdin', 'read the password from standard input'),
    new Option('--password-file <file>', 'read the password from the first line of a file'),
    new Option('--password-hash <hash>', 'argon2id or bcrypt hash instead of a password'),
  ]
}

/** The flag by which a password was sent to a command, which expects it to be set. */
export function sentPassword({ passwordStdin, passwordFile }: Invocation['values']): string | undefined {
  if (passwordStdin === true) return '--password-stdin'
  return passwordFile === undefined ? undefined : '--password-file'
}

/** What to type instead. @param isNew whether there is no account of that name */
export function passwordAdvice(flag: string, username: unknown, isNew = false): string {
  const value = flag === '--password-file' ? ' FILE' : ''
  const [aim, word] = isNew ? ['add an account', 'add'] : ['change a password', 'passwd']
  return `the store has accounts already; to ${aim}, use "filemgr users ${word} ${String(username)} ${flag}${value}"`
}

export type PasswordInput = { readonly password: string } | { readonly passwordHash: string }

/** The password on the command line, if any. @throws INVALID_INPUT if there are two */
export async function passwordFrom({ values, terminal }: Invocation): Promise<PasswordInput | undefined> {
  requireOnePasswordSource(values)
  if (values['passwordStdin'] === true) return { password: await readLineOf(terminal.stdin) }
  const { passwordFile: file } = values
  if (file === '-') return { password: await readLineOf(terminal.stdin, 'password-file') }
  if (typeof file === 'string') return { password: await passwordFile(file) }
  if (typeof values['passwordHash'] === 'string') return hashInput(values['passwordHash'])
  return typeof values['password'] === 'string' ? { password: values['password'] } : undefined
}

/** @throws INVALID_INPUT if a password is passed in two ways */
export function requireOnePasswordSource(values: Invocation['values']): void {
  const ways = {
    password: '--password',
    passwordStdin: '--password-stdin',
    passwordFile: '--password-file',
    passwordHash: '--password-hash',
    generatePassword: '--generate-password',
  }
  const given = Object.entries(ways).flatMap(([name, flag]) => (values[name] === undefined ? [] : [flag]))
  if (given.length > 1) fail('INVALID_INPUT', `use only one of ${given.join(' and ')}`, { field: 'password' })
}

/** Like `passwordFrom`, but prompts if there is none. @throws INVALID_INPUT without a terminal */
export async function passwordOrPrompt(
  invocation: Invocation,
  username: string | (() => Promise<string>),
): Promise<PasswordInput> {
  const given = await passwordFrom(invocation)
  if (given !== undefined) return given
  const { terminal } = invocation
  if (!isInteractive(terminal)) {
    fail('INVALID_INPUT', 'no password: use --password-stdin, --password-file, --password or --password-hash', {
      field: 'password',
    })
  }
  const name = typeof username === 'string' ? username : await username()
  return { password: await askNewPassword(name, invocation) }
}

const BCRYPT = /^\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/
const ARGON2ID = /^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/

/** Scripts for File Browser pass its quick setup a hash as the password, so a complete hash counts as one. */
export function hashOrPassword(text: string): PasswordInput {
  return isHash(text) ? { passwordHash: text } : { password: text }
}

function hashInput(text: string): PasswordInput {
  if (!isHash(text))
    fail('INVALID_INPUT', '--password-hash is neither an argon2id nor a bcrypt hash', { field: 'password-hash' })
  return { passwordHash: text }
}

function isHash(text: string): boolean {
  return BCRYPT.test(text) || ARGON2ID.test(text)
}

/** The first line of standard input, without its line break. @throws INVALID_INPUT if it is empty */
export async function readLineOf(stdin: Terminal['stdin'], field = 'password-stdin'): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of stdin) {
    parts.push(Buffer.from(part as Buffer | string))
    const bytes = Buffer.concat(parts)
    // Only in UTF-16 has a line end a zero byte, which may be in the next part.
    const isLine = bytes.includes('\n') && !bytes.includes(0)
    if (isLine || bytes.length > MAX_LINE_LENGTH * 4) break
  }
  return await firstLine(Buffer.concat(parts), 'standard input', field)
}

/** The first line of a file, such as a mounted secret of a container. @throws INVALID_INPUT if it is empty or missing */
export async function passwordFile(path: string): Promise<string> {
  try {
    return await firstLine(await readFile(path), path, 'password-file')
  } catch (error) {
    if (isFilemgrError(error)) throw error
    const { code = 'error' } = error as NodeJS.ErrnoException
    return fail('INVALID_INPUT', `the password file ${path} cannot be read (${code})`, { field: 'password-file' })
  }
}

/** Programs of Windows add a byte order mark or write UTF-16. @throws INVALID_INPUT if it is empty, too long or in another encoding */
async function firstLine(bytes: Uint8Array, source: string, field: string): Promise<string> {
  // What follows is not the password, and may be cut within a character.
  const end = bytes.includes(0) ? -1 : bytes.indexOf(LINE_FEED)
  const text = await textOfFile(end === -1 ? bytes : bytes.subarray(0, end), source)
  const line = text.split(/\r\n|\n|\r/, 1)[0] ?? ''
  if (line === '') fail('INVALID_INPUT', `${source} contains no password`, { field })
  if (line.length > MAX_LINE_LENGTH) fail('INVALID_INPUT', `the password in ${source} is too long`, { field })
  return line
}

/** Asks for one line, without escape sequences, for terminals that print them as text. @returns undefined if it was cancelled */
async function askPlainly(question: string, { stdin, stderr }: Terminal, hidden = false): Promise<string | undefined> {
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
