import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import { type Actor, requireSignedIn, userIdOf } from '../../domain/accounts/actor.ts'
import { type ActivityLog, auditText } from '../../domain/server/audit.ts'
import { splitCommand } from '../../domain/text/command-words.ts'
import { fail, isFilemgrError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { mayDo } from '../../domain/access/permissions.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { User } from '../../domain/accounts/user.ts'
import { programEnvironment } from '../../platform/processes/processes.ts'
import { runProcess } from '../../platform/processes/process-runner.ts'
import type { StoreDocument } from '../../store/document.ts'
import type { Store } from '../../store/store.ts'
import type { AccessService } from '../access/access.ts'
import type { FileAccess } from '../access/file-access.ts'
import { requireLocalRoot } from '../access/local-root.ts'
import { UserIndex } from '../stored-users.ts'
import { Slots } from '../../platform/limits/limiter.ts'

export interface TerminalDeps {
  readonly access: AccessService
  readonly store: Store<StoreDocument>
  readonly options: Pick<ServerOptions, 'enableExec'>
  readonly audit: ActivityLog
  /** Override `TERMINAL_LIMITS`. */
  readonly limits?: Partial<TerminalLimits>
  readonly run?: typeof runProcess
}

export interface TerminalLimits {
  /** Milliseconds for one command. */
  readonly time: number
  /** Bytes for one command. */
  readonly output: number
  /** Concurrent commands of one user. */
  readonly commands: number
  /** Connections of one user, including idle ones. */
  readonly connections: number
}

export const TERMINAL_LIMITS: TerminalLimits = {
  time: 10 * 60_000,
  output: 10 * 1024 * 1024,
  commands: 3,
  connections: 16,
}

export interface TerminalCommand {
  /** The folder, as in the request. */
  readonly folder: string
  readonly line: string
  readonly address: string
  /** Sends a line of output, with backpressure. */
  send(line: string): Promise<void>
  /** Terminates the program and everything it started. */
  readonly signal: AbortSignal
  /** Sends SIGINT to the program, like Ctrl-C. */
  readonly interrupt?: AbortSignal
}

const NOT_ALLOWED = 'Command not allowed.'

/** Runs users' commands on the server, if it was started with --enable-exec. That amounts to a shell on the host. */
export function createTerminal({ access, store, options, audit, run: runProgram = runProcess, ...deps }: TerminalDeps) {
  const limits = { ...TERMINAL_LIMITS, ...deps.limits }
  const commands = new Slots<UserId>(limits.commands)
  const connections = new Slots<UserId>(limits.connections)
  const accounts = new UserIndex(store)

  /**
   * Takes a slot for a connection until it is disposed of, so that abandoned connections cannot pile up.
   *
   * @throws BUSY if the user has too many
   */
  function connect(actor: Actor): Disposable {
    requireSignedIn(actor)
    const slot = connections.tryAcquire(userIdOf(actor))
    return slot ?? fail('BUSY', `you have ${limits.connections} terminals open already: close one of them first`)
  }

  /**
   * Runs a command to its end. Checks permissions now, because they may have changed since the connection was opened.
   *
   * @returns how it ended: "exit 0", "refused", "timeout" …
   */
  async function run(actor: Actor, command: TerminalCommand): Promise<string> {
    requireSignedIn(actor)
    const id = userIdOf(actor)
    using files = await access.at(actor, command.folder)
    if (!options.enableExec || !mayDo(files.permissionsAt(files.path), 'terminal.run'))
      return await refuse(files, command)
    const argv = await wordsOf(command)
    if (argv === undefined) return 'refused'
    // Compare the first word exactly: no prefix, no other path to the program, no second command (CVE-2025-52995).
    if (!isGranted(files.user, argv[0]) || isRelative(argv[0])) return await refuse(files, command)
    using slot = commands.tryAcquire(id)
    if (slot === undefined) {
      await command.send(`You are already running ${limits.commands} commands: stop one of them first.`)
      return 'refused'
    }
    using grant = watchGrant(id, argv[0])
    const signal = AbortSignal.any([command.signal, grant.revoked])
    const ending = await start(files, { ...command, signal }, argv)
    if (grant.revoked.aborted && !command.signal.aborted) return await refuse(files, command)
    record(files, command, argv[0], ending)
    return ending
  }

  /** Stops a running command when the user loses the right to run it. */
  function watchGrant(id: UserId, program: string): Disposable & { readonly revoked: AbortSignal } {
    const abort = new AbortController()
    const check = (now: Readonly<StoreDocument>): void => {
      const user = accounts.find(id, now)
      if (user === undefined || !isGranted(user, program)) abort.abort()
    }
    const unsubscribe = store.onChange(check)
    check(store.snapshot())
    return { revoked: abort.signal, [Symbol.dispose]: unsubscribe }
  }

  async function start(files: FileAccess, command: TerminalCommand, argv: [string, ...string[]]): Promise<string> {
    const { signal, interrupt, send } = command
    const output = new OutputLines({ send })
    try {
      const { path } = files
      files.requireAllowed(path)
      const { isDir } = await files.scope.stat(path, { ...files.view('/'), sniff: false })
      if (!isDir) fail('NOT_FOUND', 'there is no such folder')
      // Opened by a descriptor: the attack is to replace the folder by a link before the program starts.
      using cwd = await files.scope.within(path)
      const ended = await runProgram({
        argv,
        env: programEnvironment(),
        cwd: requireLocalRoot(cwd).held,
        merged: true,
        timeout: limits.time,
        outputLimit: limits.output,
        signal,
        interrupt,
        onOutput: async (part) => await output.write(part),
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
  function record({ user }: FileAccess, { address, folder }: TerminalCommand, program: string, ending: string): void {
    const outcome = ending === 'refused' ? 'refused' : ending === 'exit 0' ? 'done' : 'failed'
    const target = auditText(`${folder}: ${program}`)
    audit.record({ who: auditText(user.username), userID: user.id, address, action: 'terminal.run', target, outcome })
  }

  return { connect, run }
}

function isGranted({ perm, commands }: User, program: string): boolean {
  return mayDo(perm, 'terminal.run') && commands.includes(program)
}

/** Error messages are those of File Browser, which old clients show. */
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

/** A relative path would be resolved in the user's folder, where the user can upload any program. */
function isRelative(program: string): boolean {
  return program.includes('/') && !program.startsWith('/')
}

/** Bytes per second. */
const RATE = 1024 * 1024
/** Longer lines are sent in several pieces. */
const MAX_LINE_LENGTH = 64 * 1024

export interface OutputLinesDeps {
  send(line: string): Promise<void>
  /** Milliseconds; only differences matter. */
  readonly now?: () => number
  readonly pause?: (milliseconds: number) => Promise<void>
}

/** Splits output into lines, and limits it to 1 MiB per second after an initial burst of 1 MiB. */
export class OutputLines {
  readonly #send: (line: string) => Promise<void>
  readonly #now: () => number
  readonly #pause: (milliseconds: number) => Promise<void>
  readonly #decoder = new StringDecoder('utf8')
  #incomplete = ''
  #budget = RATE
  #since: number

  constructor({ send, now = () => performance.now(), pause = async (time) => await wait(time) }: OutputLinesDeps) {
    this.#send = send
    this.#now = now
    this.#pause = pause
    this.#since = now()
  }

  /** Call it again only after it has resolved. */
  async write(part: Uint8Array): Promise<void> {
    const text = this.#decoder.write(Buffer.from(part.buffer, part.byteOffset, part.length))
    const lines = (this.#incomplete + text).split('\n')
    this.#incomplete = lines.pop() ?? ''
    while (this.#incomplete.length > MAX_LINE_LENGTH) {
      const cut = this.#incomplete.slice(0, MAX_LINE_LENGTH).isWellFormed() ? MAX_LINE_LENGTH : MAX_LINE_LENGTH - 1
      lines.push(this.#incomplete.slice(0, cut))
      this.#incomplete = this.#incomplete.slice(cut)
    }
    await this.#slowDown(part.length)
    for (const line of lines) await this.#send(line.endsWith('\r') ? line.slice(0, -1) : line)
  }

  /** Sends what follows the last newline. */
  async end(): Promise<void> {
    const last = this.#incomplete + this.#decoder.end()
    if (last !== '') await this.#send(last)
  }

  async #slowDown(bytes: number): Promise<void> {
    const now = this.#now()
    this.#budget = Math.min(RATE, this.#budget + ((now - this.#since) * RATE) / 1000) - bytes
    this.#since = now
    if (this.#budget < 0) await this.#pause((-this.#budget * 1000) / RATE)
  }
}
