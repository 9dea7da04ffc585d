import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import { type Actor, userOf } from '../domain/accounts/actor.ts'
import { auditText } from '../domain/audit.ts'
import { splitCommand } from '../domain/text/command-words.ts'
import { fail, isFilemgrError } from '../domain/errors.ts'
import type { UserId } from '../domain/ids.ts'
import { mayDo } from '../domain/access/permissions.ts'
import type { ServerOptions } from '../domain/settings/server-options.ts'
import type { User } from '../domain/accounts/user.ts'
import { parseVirtualPath } from '../domain/files/virtual-path.ts'
import { programEnvironment } from '../platform/processes/processes.ts'
import { runProcess } from '../platform/processes/process-runner.ts'
import type { StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'
import type { AccessService, FileAccess } from './access/access.ts'
import type { Audit } from './audit.ts'
import { Slots } from '../platform/limits/limiter.ts'

export interface TerminalDeps {
  readonly access: Pick<AccessService, 'ofUser'>
  readonly store: Pick<Store<StoreDocument>, 'snapshot' | 'onChange'>
  readonly options: Pick<ServerOptions, 'enableExec'>
  readonly audit: Pick<Audit, 'record'>
  /** Others than `TERMINAL_LIMITS`. */
  readonly limits?: Partial<TerminalLimits>
  readonly run?: typeof runProcess
}

export interface TerminalLimits {
  /** Of one command, in milliseconds. */
  readonly time: number
  /** Of one command, in bytes. */
  readonly output: number
  /** Commands of one user at once. */
  readonly commands: number
  /** Connections of one user at once, those that wait for their command included. */
  readonly connections: number
}

export const TERMINAL_LIMITS: TerminalLimits = {
  time: 10 * 60_000,
  output: 10 * 1024 * 1024,
  commands: 3,
  connections: 16,
}

export interface TerminalCommand {
  /** The folder, as the text of a request names it. */
  readonly folder: string
  readonly line: string
  readonly address: string
  /** Takes one line of output; the program waits while it is busy. */
  send(line: string): Promise<void>
  /** Ends the program with all that it started. */
  readonly signal: AbortSignal
  /** Asks the program to stop, as Ctrl-C does. */
  readonly interrupt?: AbortSignal
}

const NOT_ALLOWED = 'Command not allowed.'

/** Commands that users run on the server, if it was started with --enable-exec. Amounts to a shell on the host. */
export function createTerminal({ access, store, options, audit, run: runIt = runProcess, ...deps }: TerminalDeps) {
  const limits = { ...TERMINAL_LIMITS, ...deps.limits }
  const commands = new Slots<UserId>(limits.commands)
  const connections = new Slots<UserId>(limits.connections)

  /**
   * A place for one more connection, until it is disposed of: those that were forgotten must not add up.
   *
   * @throws BUSY when the user has too many
   */
  function connect(actor: Actor): Disposable {
    const place = connections.take(userOf(actor).id)
    return place ?? fail('BUSY', `you have ${limits.connections} terminals open already: close one of them first`)
  }

  /**
   * Runs one command to its end. What the account may do is looked up now: the connection may be older than its rights.
   *
   * @returns how it ended, in a few words: "exit 0", "refused", "timeout"
   */
  async function run(actor: Actor, command: TerminalCommand): Promise<string> {
    const { id } = userOf(actor)
    await using files = await access.ofUser(id)
    if (!options.enableExec || !mayDo(files.permissions, 'terminal.run')) return await refuse(files, command)
    const argv = await wordsOf(command)
    if (argv === undefined) return 'refused'
    // Exactly, and the first word alone: neither a prefix, nor another path to it, nor a second command (CVE-2025-52995).
    if (!isGranted(files.user, argv[0]) || isRelative(argv[0])) return await refuse(files, command)
    using place = commands.take(id)
    if (place === undefined) {
      await command.send(`You run ${limits.commands} commands already: end one of them first.`)
      return 'refused'
    }
    using grant = watchGrant(id, argv[0])
    const signal = AbortSignal.any([command.signal, grant.taken])
    const how = await start(files, { ...command, signal }, argv)
    if (grant.taken.aborted && !command.signal.aborted) return await refuse(files, command)
    record(files, command, argv[0], how)
    return how
  }

  /** Stops a running command when the user loses the right to run it. */
  function watchGrant(id: UserId, program: string): Disposable & { readonly taken: AbortSignal } {
    const taking = new AbortController()
    const judge = ({ users }: Readonly<StoreDocument>): void => {
      const user = users.find((candidate) => candidate.id === id)
      if (user === undefined || !isGranted(user, program)) taking.abort()
    }
    const hearNoMore = store.onChange(judge)
    judge(store.snapshot())
    return { taken: taking.signal, [Symbol.dispose]: hearNoMore }
  }

  async function start(files: FileAccess, command: TerminalCommand, argv: [string, ...string[]]): Promise<string> {
    const { folder, signal, interrupt, send } = command
    const output = new OutputLines({ send })
    try {
      const path = parseVirtualPath(folder)
      files.requireAllowed(path)
      const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
      if (!isDir) fail('NOT_FOUND', 'there is no such folder')
      // Held by a descriptor: swapping the name for a link meanwhile changes nothing.
      await using place = await files.scope.within(path)
      const ended = await runIt({
        ...{ argv, env: programEnvironment(), cwd: place.localRoot().held, merged: true },
        ...{ timeout: limits.time, outputLimit: limits.output, signal, interrupt },
        onOutput: async (part) => await output.take(part),
      })
      await output.end()
      return ended.interrupted ?? (ended.exitCode === null ? (ended.signal ?? 'ended') : `exit ${ended.exitCode}`)
    } catch (error) {
      if (!isFilemgrError(error)) throw error
      return error.code === 'CANCELLED' ? 'abort' : error.message
    }
  }

  async function refuse(files: FileAccess, command: TerminalCommand): Promise<string> {
    record(files, command, command.line.trim().split(/\s/, 1)[0] ?? '', 'refused')
    await command.send(NOT_ALLOWED)
    return 'refused'
  }

  /** Logs the program without its arguments, which may contain secrets. */
  function record({ user }: FileAccess, { address, folder }: TerminalCommand, program: string, how: string): void {
    const outcome = how === 'refused' ? 'refused' : how === 'exit 0' ? 'done' : 'failed'
    const target = auditText(`${folder}: ${program}`)
    audit.record({ who: auditText(user.username), userID: user.id, address, action: 'terminal.run', target, outcome })
  }

  return { connect, run }
}

export type Terminal = ReturnType<typeof createTerminal>

function isGranted({ perm, commands }: User, program: string): boolean {
  return mayDo(perm, 'terminal.run') && commands.includes(program)
}

/** Error messages are those that old clients know. */
async function wordsOf({ line, send }: TerminalCommand): Promise<[string, ...string[]] | undefined> {
  try {
    const [program, ...words] = splitCommand(line).map(({ text }) => text)
    if (program !== undefined) return [program, ...words]
    await send(`no command contained in '${line}'`)
  } catch (error) {
    if (!isFilemgrError(error, 'INVALID_INPUT')) throw error
    await send(`error parsing command: ${error.message}`)
  }
  return undefined
}

/** It would be looked up in a folder of the user, who may put any file there. */
function isRelative(program: string): boolean {
  return program.includes('/') && !program.startsWith('/')
}

/** Bytes a second. */
const RATE = 1024 * 1024
/** A line of more characters goes in several pieces. */
const LONGEST = 64 * 1024

export interface OutputLinesDeps {
  send(line: string): Promise<void>
  /** Milliseconds from any moment on. */
  readonly now?: () => number
  readonly pause?: (milliseconds: number) => Promise<void>
}

/** Cuts output into lines as it comes, and lets no more than 1 MiB a second through, after a first one at once. */
export class OutputLines {
  readonly #send: (line: string) => Promise<void>
  readonly #now: () => number
  readonly #pause: (milliseconds: number) => Promise<void>
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #budget = RATE
  #since: number

  constructor({ send, now = () => performance.now(), pause = async (time) => await wait(time) }: OutputLinesDeps) {
    this.#send = send
    this.#now = now
    this.#pause = pause
    this.#since = now()
  }

  /** Parts come one after the other: the next one when this has resolved. */
  async take(part: Uint8Array): Promise<void> {
    const text = this.#decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length))
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    while (this.#rest.length > LONGEST) {
      const cut = this.#rest.slice(0, LONGEST).isWellFormed() ? LONGEST : LONGEST - 1
      lines.push(this.#rest.slice(0, cut))
      this.#rest = this.#rest.slice(cut)
    }
    await this.#slowDown(part.length)
    for (const line of lines) await this.#send(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  /** What stands behind the last newline. */
  async end(): Promise<void> {
    const last = this.#rest + this.#decoder.end()
    if (last !== '') await this.#send(last)
  }

  async #slowDown(bytes: number): Promise<void> {
    const now = this.#now()
    this.#budget = Math.min(RATE, this.#budget + ((now - this.#since) * RATE) / 1000) - bytes
    this.#since = now
    if (this.#budget < 0) await this.#pause((-this.#budget * 1000) / RATE)
  }
}
