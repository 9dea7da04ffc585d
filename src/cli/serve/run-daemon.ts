import type { Daemon } from '../../daemon.ts'
import type { ServeContext, ServeRequest } from '../../context/open-context.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import type { ResolvedOptions } from '../../options.ts'
import { createLogger } from '../../platform/logging/logger.ts'
import { orRelease } from '../../platform/or-release.ts'
import { MEMBER } from '../../platform/processes/member.ts'
import { packageVersion } from '../../platform/version.ts'
import { accountNamed } from '../../services/accounts/users/account-names.ts'
import type { Invocation } from '../program/command.ts'
import { commandLog, type Output } from '../terminal/output.ts'
import { passwordAdvice, sentPassword } from '../program/prompts.ts'
import { isGoneReader } from '../terminal/standard-output.ts'
import { refuseForgottenDatabase } from '../data-folder.ts'
import { noticeOwnStore } from '../foreign-data.ts'
import { ownStoreLocation } from '../store-location.ts'
import { announce } from './announce.ts'
import type { Supervision } from './orders.ts'
import { readServeInput, type ServeInput, shareFolder, shareInputFrom } from './serve-input.ts'

/** Milliseconds after which a daemon has ended: longer than requests and saving get. */
const STOP_AT_LATEST = 20_000
/** The same if another process has taken its place, and long transfers complete. */
const LEAVE_AT_LATEST = 90_000

/**
 * Runs `filemgr serve` until the first SIGTERM or SIGINT.
 *
 * @param supervision only if it is one of several daemons behind one port
 * @throws INVALID_INPUT for a value that cannot work, STORE_INVALID for the data folder, STORE_BUSY for a second daemon
 */
export async function runDaemon(
  invocation: Invocation,
  flags: Partial<ServerOptions>,
  supervision?: Supervision,
): Promise<void> {
  const { output, terminal, values } = invocation
  const { catchHangups, catchStops } = await import('../../daemon/service-manager.ts')
  // Before anything else: until then, a SIGHUP ends the process.
  using hangups = catchHangups()
  const [{ startDaemon }, { answerCommands }, { loadTls }] = await Promise.all([
    import('../../daemon.ts'),
    import('../../daemon/answer-commands.ts'),
    import('../../platform/network/tls-files.ts'),
  ])
  const share = await shareInputFrom(invocation)
  const location = values['ephemeral'] === true ? undefined : await ownStoreLocation(invocation)
  await using serveContext = await openForServe(invocation, flags, location)
  const { context } = serveContext
  const shared = share === undefined ? undefined : await shareFolder(context, share)
  // Before the address is announced, since a signal may follow at once.
  using stops = catchStops()
  await using daemon = await startDaemon({
    context,
    tls: await loadTls(context.options),
    // If the address cannot be saved, links use the address of the daemon.
    onPublicUrl: (learnedUrl) => void serveContext.record?.publish({ learnedUrl }).catch(() => undefined),
  })
  serveContext.control?.answer(answerCommands(context))
  let reloaded = Promise.resolve()
  hangups.onHangup(async () => await (reloaded = reloaded.then(async () => await reload(serveContext, daemon))))
  await publish(serveContext, daemon)
  using manager = await serviceManagerOf(invocation, serveContext)
  const { root, log, logFormat } = context.options
  const status = `serving ${root} at ${daemon.urls[0]}`
  void manager?.ready(status)
  // Unlike other commands, the daemon continues when its output cannot be written.
  terminal.stdout.once('error', (error) => {
    if (!isGoneReader(error)) output.warning(error.message)
  })
  if (supervision === undefined || (await supervision.reportServing({ status, log, logFormat }))) {
    await announce(invocation, serveContext, daemon.urls, shared)
    await serveContext.forgetPassword()
  }
  const end = await Promise.race([stops.stopped, supervision?.end ?? stops.stopped])
  await manager?.stopping()
  // The log closes soon, and a late reload would write to it.
  hangups.onHangup(async () => undefined)
  await reloaded
  // A disk that hangs keeps the threads that wait for it. The next start finds what they have left, as after a crash.
  terminal.endIn?.(end === 'giveWay' ? LEAVE_AT_LATEST : STOP_AT_LATEST)
  if (end === 'giveWay') await daemon.giveWay()
  if (supervision === undefined) noticeStop(output)
}

export function noticeStop(output: Output): void {
  output.notice('stopping; running requests may take eight more seconds')
}

/** Undefined unless systemd, or a compatible service manager, expects reports. */
async function serviceManagerOf({ terminal: { env } }: Invocation, { log }: ServeContext) {
  if (!env['NOTIFY_SOCKET']) return undefined
  const { serviceManager } = await import('../../daemon/service-manager.ts')
  return serviceManager(env, log)
}

/** Handles SIGHUP: reopens log files, which may have been moved away, and loads a renewed certificate. */
async function reload({ context, log }: ServeContext, daemon: Daemon): Promise<void> {
  const { loadTls } = await import('../../platform/network/tls-files.ts')
  try {
    log.reopen()
    daemon.reopenAccessLog()
    context.services.audit.reopen()
    const tls = await loadTls(context.options)
    if (tls !== undefined) daemon.renewCertificate(tls)
    log.info(tls === undefined ? 'reloaded: the log' : 'reloaded: the log, and the certificate')
  } catch (error) {
    log.error({ err: error }, 'the certificate was not reloaded; the previous one stays in use')
  }
}

async function openForServe(
  invocation: Invocation,
  flags: Partial<ServerOptions>,
  location: ServeRequest['location'],
): Promise<ServeContext> {
  const { terminal, output } = invocation
  const { openServeContext } = await import('../../context/open-context.ts')
  const input = await readServeInput(invocation, flags)
  const { foundFile: { database, path } = {} } = input
  if (location !== undefined) noticeOwnStore(invocation)
  if (location !== undefined && database && path) await refuseForgottenDatabase(location, database, path, terminal)
  const serveContext = await openServeContext({
    location,
    flags: input.flags,
    environment: terminal.env,
    configFile: input.configFile?.options,
    configPath: input.configFile?.path,
    workingFolder: terminal.cwd(),
    account: input.account,
    version: packageVersion(),
    startLog: commandLog(output),
    openLog: async ({ log, logFormat }) =>
      await createLogger({ destination: log, format: logFormat, plain: output.plain }),
    check: async (resolved) => await checkStart(resolved, output),
  })
  return await orRelease(serveContext, async () => {
    if (input.namesAccount && serveContext.newAccount === undefined)
      await requireApplied(invocation, serveContext, input)
    return serveContext
  })
}

/**
 * A unit may pass the same password at every start, and variables are there at every start. A password that is sent to this one
 * start is meant to be set.
 *
 * @throws CONFLICT
 */
async function requireApplied(
  { values, output }: Invocation,
  { context }: ServeContext,
  { account }: ServeInput,
): Promise<void> {
  const flag = sentPassword(values)
  const { users } = context.store.snapshot()
  const named = account.username === undefined ? users.find(isAdministrator) : accountNamed(users, account.username)
  const username = named?.username ?? account.username ?? 'admin'
  const advice = passwordAdvice(flag ?? '--password-stdin', username, named === undefined)
  if (flag === undefined) {
    output.warning(`the given user name and password are not applied: ${advice}`)
    return
  }
  const { createPasswordHasher } = await import('../../platform/security/password-hasher.ts')
  const isSame =
    account.password === undefined
      ? account.passwordHash === named?.passwordHash
      : await createPasswordHasher().verify(account.password, named?.passwordHash)
  if (!isSame) fail('CONFLICT', `${flag} is not applied: ${advice}, and start without ${flag}`)
}

/** Finds all predictable problems before a store is created or a socket opened. */
async function checkStart({ options, sources }: ResolvedOptions, output: Output): Promise<void> {
  const [{ checkCacheFolder, checkValues }, { checkServedFolder }, { loadTls }, { probeAddress }] = await Promise.all([
    import('../../daemon/start-checks.ts'),
    import('../../context/served-folder.ts'),
    import('../../platform/network/tls-files.ts'),
    import('../../daemon/listen.ts'),
  ])
  checkValues(options, sources)
  const { writable, advice } = await checkServedFolder(options.root)
  if (advice !== undefined) output.warning(advice)
  await checkCacheFolder(options)
  if (!writable && !options.readOnly)
    output.warning(`${options.root} is read-only; every change will be refused${await whyReadOnly(options.root)}`)
  await loadTls(options)
  // The supervisor listens already, and this process would get connections before it can answer.
  if (MEMBER.count === 1 || MEMBER.leads) await probeAddress(options)
}

async function whyReadOnly(root: string): Promise<string> {
  const [{ missingRight }, { accountName }] = await Promise.all([
    import('../../platform/files/missing-right.ts'),
    import('../../platform/files/accounts.ts'),
  ])
  const lack = await missingRight(root, 'write')
  if (lack === undefined) return ''
  if (lack.code === 'EROFS') return ': its disk is mounted so'
  return `: the account ${await accountName(process.geteuid?.() ?? 0)} may not ${lack.right} ${lack.path}`
}

/** Writes the daemon record, for commands that run beside the daemon. */
async function publish({ record, context: { options, storage } }: ServeContext, { urls }: Daemon): Promise<void> {
  const { identityOf } = await import('../../platform/files/served-root.ts')
  const identity = await identityOf(options.root)
  const root = identity === undefined ? {} : { root: { path: options.root, identity } }
  // To find it out, the daemon writes.
  const conditions = options.readOnly ? undefined : await storage.conditions().catch(() => undefined)
  await record?.publish({ url: urls[0], ...root, ...(conditions && { conditions }) })
}
