import type { Context } from '../../context.ts'
import type { AccountInput } from '../../context/first-start.ts'
import { OPERATOR } from '../../domain/accounts/actor.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { fail } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server/server-options.ts'
import { resolveOptions } from '../../options.ts'
import { type ConfigFile, liesInside } from '../../options/config-file.ts'
import { environmentValue, optionsFromEnvironment, unknownVariables } from '../../options/environment.ts'
import { absoluteRoot } from '../../platform/files/served-root.ts'
import type { ShareInput } from '../../services/shares/shares.ts'
import type { Invocation, Terminal } from '../program/command.ts'
import { configFileOf, storeFlag } from '../store-location.ts'
import { warnOfObsolete } from '../old-flags.ts'
import { hashOrPassword, passwordFile, passwordFrom } from '../program/prompts.ts'
import { expiryFrom, sharePasswordFrom } from '../share-links.ts'
import { dataFolder, namesFile } from '../data-folder.ts'
import { globalsFromWords } from '../program/line.ts'

/** Input of a start from command line, environment and config file. */
export interface ServeInput {
  readonly flags: Partial<ServerOptions>
  readonly configFile: ConfigFile | undefined
  readonly account: AccountInput
  /** True if an account is given, which only a first start creates. */
  readonly namesAccount: boolean
  /** The config file, even if it is not trusted. */
  readonly foundFile: ConfigFile | undefined
}

/** @throws INVALID_INPUT naming the flag, the variable or the line of the file */
export async function readServeInput(invocation: Invocation, flags: Partial<ServerOptions>): Promise<ServeInput> {
  const { terminal, globals, output } = invocation
  const named = withFolder(invocation, { ...flags, ...storeFlag(globals) })
  const found = await configFileOf(globals, terminal)
  const configFile = found && isTrusted(found, named, invocation) ? found : undefined
  if (found !== undefined && configFile === undefined) {
    output.warning(
      `${found.path} is ignored because it is in the served folder; if you trust it, pass it with --config`,
    )
  }
  for (const name of unknownVariables(terminal.env)) output.warning(`${name} is set, but filemgr has no such option`)
  warnOfObsolete(invocation, configFile?.hasObsolete === true ? configFile.path : undefined)
  const account = await accountInput(invocation, configFile)
  return { flags: named, configFile, account, namesAccount: Object.keys(account).length > 0, foundFile: found }
}

/** How many daemons to start, which the store does not say. @throws INVALID_INPUT */
export async function processesFrom(invocation: Invocation, flags: Partial<ServerOptions>): Promise<number> {
  const { terminal, globals } = invocation
  const named = withFolder(invocation, flags)
  const found = await configFileOf(globals, terminal)
  const configFile = found && isTrusted(found, named, invocation) ? found.options : undefined
  const input = { workingFolder: terminal.cwd(), flags: named, environment: terminal.env, configFile }
  return resolveOptions(input).options.processes
}

/** Adds the folder of "serve <folder>", which is relative to the working folder, as the root. */
function withFolder({ words, terminal }: Invocation, flags: Partial<ServerOptions>): Partial<ServerOptions> {
  const [folder] = words
  if (typeof folder !== 'string') return flags
  if (flags.root !== undefined) fail('INVALID_INPUT', 'the folder is given twice: omit --root', { field: 'root' })
  return { ...flags, root: absoluteRoot(terminal.cwd(), folder) }
}

/** The attack is a config file that a user uploads into the served folder: only files named on the command line may be there. */
function isTrusted(file: ConfigFile, flags: Partial<ServerOptions>, { terminal }: Invocation): boolean {
  if (!file.discovered) return true
  const input = { workingFolder: terminal.cwd(), flags, environment: terminal.env }
  const without = resolveOptions(input)
  const within = resolveOptions({ ...input, configFile: file.options })
  const roots = without.sources.root === 'default' ? [within] : [without, within]
  return roots.every(({ options }) => !liesInside(file, options.root))
}

async function accountInput(invocation: Invocation, file: ConfigFile | undefined): Promise<AccountInput> {
  const { values, terminal } = invocation
  const username =
    typeof values['username'] === 'string'
      ? values['username']
      : (environmentValue(terminal.env, 'USERNAME')?.text ?? file?.username)
  const given = await passwordFrom(invocation)
  const secretFile = environmentValue(terminal.env, 'PASSWORD_FILE')?.text
  const text =
    environmentValue(terminal.env, 'PASSWORD')?.text ??
    (secretFile === undefined ? file?.password : await passwordFile(secretFile))
  const secret =
    given !== undefined && 'password' in given
      ? hashOrPassword(given.password)
      : (given ?? (text === undefined ? undefined : hashOrPassword(text)))
  return { ...(username !== undefined && { username }), ...secret }
}

/** The link requested by `serve --share`; undefined without that flag. @throws INVALID_INPUT */
export async function shareInputFrom(invocation: Invocation): Promise<ShareInput | undefined> {
  const { values } = invocation
  const hasShareFlags = ['expires', 'sharePassword', 'sharePasswordStdin'].some((name) => values[name] !== undefined)
  if (values['share'] !== true) {
    if (hasShareFlags) fail('INVALID_INPUT', '--expires and --share-password need --share')
    return undefined
  }
  if (values['passwordStdin'] === true && values['sharePasswordStdin'] === true) {
    fail('INVALID_INPUT', 'standard input can hold only one password', { field: 'share' })
  }
  return { password: await sharePasswordFrom(invocation), expire: expiryFrom(invocation, Date.now()) ?? 0 }
}

/**
 * Shares the whole folder for the first administrator. Reuses an existing link without password and expiry, because otherwise
 * each start would add one.
 *
 * @returns the hash of the share
 */
export async function shareFolder({ services, store }: Context, share: ShareInput): Promise<string> {
  const owner = store.snapshot().users.find(isAdministrator)
  if (owner === undefined)
    fail('NOT_FOUND', 'there is no administrator to own the link; create one with "filemgr users"')
  if (share.password === undefined && share.expire === 0) {
    const existing = await services.shares.details(OPERATOR, services.shares.list(OPERATOR))
    const same = existing.find(
      ({ userID, path, expire, hasPassword, target }) =>
        userID === owner.id && path === '/' && expire === 0 && !hasPassword && target === 'bound',
    )
    if (same !== undefined) return same.hash
  }
  const { hash } = await services.shares.create(OPERATOR, '/', share, owner.id)
  return hash
}

/** Whether environment, config file or store say what to serve when the command line names no command. */
export async function hasSomethingToServe(words: readonly string[], terminal: Terminal): Promise<boolean> {
  const globals = globalsFromWords(words)
  if (namesFile(terminal) || globals.store !== undefined) return true
  if (Object.keys(optionsFromEnvironment(terminal.env)).length > 0) return true
  if ((await configFileOf(globals, terminal)) !== undefined) return true
  const { hasStore } = await import('../../context/first-start.ts')
  return await hasStore({ folder: dataFolder(globals, terminal), url: '' })
}
