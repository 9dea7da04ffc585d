import { defaultsOf, isRecord } from '../../domain/schema/schema-tools.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import { type Random, systemRandom } from '../../platform/security/random.ts'
import { wireOf } from '../../services/settings/settings-values.ts'
import type { Rule } from '../../domain/access/rule.ts'
import type { User } from '../../domain/accounts/user.ts'

const KEY_BYTES = 64

export interface SettingsExportInput {
  readonly settings: Readonly<Settings>
  /** Saved start-up values. */
  readonly server: Readonly<Partial<ServerOptions>>
  readonly random?: Random
}

/**
 * Settings and start-up values in the format of File Browser 2's `config import`, in the order in which it writes them.
 * The signing key is a new one: ours must stay secret, and with an empty one anyone could sign tokens.
 */
export function exportSettings({ settings, server, random = systemRandom }: SettingsExportInput) {
  const wire = wireOf(settings)
  const key = Buffer.from(random.token(KEY_BYTES), 'base64url').toString('base64')
  const { logoutPage, fileMode, dirMode } = settings
  return {
    settings: { key, ...wire, logoutPage, fileMode, dirMode, hideDotfiles: false },
    server: serverRecord({ ...defaultsOf(ServerOptions), ...server }),
    auther: autherOf(settings),
  }
}

/** Settings of the sign-in method; their fields depend on the method. */
function autherOf({ authMethod, auth, recaptcha }: Readonly<Settings>): object {
  if (authMethod === 'proxy') return { header: auth.header }
  if (authMethod === 'hook') return { command: auth.command.join(' ') }
  if (authMethod === 'noauth') return {}
  return { recaptcha: recaptcha.secret === '' ? null : { ...recaptcha } }
}

function serverRecord(options: ServerOptions) {
  return {
    root: options.root,
    baseURL: options.baseURL,
    socket: options.socket,
    tlsKey: options.key,
    tlsCert: options.cert,
    port: String(options.port),
    address: options.address,
    log: options.log,
    enableThumbnails: !options.disableThumbnails,
    resizePreview: !options.disablePreviewResize,
    enableExec: options.enableExec,
    typeDetectionByHeader: !options.disableTypeDetectionByHeader,
    imageResolutionCalculation: !options.disableImageResolutionCalc,
    authHook: '',
    tokenExpirationTime: options.tokenExpirationTime,
    followExternalSymlinks: options.followExternalSymlinks,
  }
}

export interface UsersExport {
  /** In the format of File Browser 2's `users import`. */
  readonly users: readonly object[]
  /** Names of users who need a new password there, because File Browser only checks bcrypt hashes. */
  readonly withoutPassword: readonly string[]
  /** Names of users with permissions in folders, places, or another root, none of which File Browser has. */
  readonly losing: readonly string[]
}

/** Accounts with their password hashes, in the format of File Browser 2. */
export function exportUsers(users: readonly Readonly<User>[]): UsersExport {
  return {
    users: users.toSorted((a, b) => a.id - b.id).map(record),
    withoutPassword: users
      .filter(({ passwordHash, disabled }) => disabled || !/^\$2[aby]\$/.test(passwordHash))
      .map((user) => user.username),
    losing: users
      .filter(({ root, places, permissionRules }) => root ?? (places.length > 0 || permissionRules.length > 0))
      .map((user) => user.username),
  }
}

/** The same scope of the served folder may be what the user has never seen. */
const NOTHING: Rule = { regex: false, allow: false, path: '/', regexp: null }

function record(user: Readonly<User>): object {
  return {
    id: user.id,
    username: user.username,
    // File Browser cannot disable an account: without its password no one gets in.
    password: user.disabled ? '' : user.passwordHash,
    scope: user.scope,
    locale: user.locale,
    lockPassword: user.lockPassword,
    viewMode: user.viewMode,
    singleClick: user.singleClick,
    redirectAfterCopyMove: user.redirectAfterCopyMove,
    perm: user.perm,
    commands: user.commands,
    sorting: user.sorting,
    rules: user.root === undefined ? user.rules : [NOTHING],
    hideDotfiles: user.hideDotfiles,
    dateFormat: user.dateFormat,
    aceEditorTheme: user.aceEditorTheme,
  }
}

/**
 * Converts an export to the form of File Browser's YAML files: lower-case names, two differences to the names in JSON, and
 * the key as a list of bytes.
 */
export function toYamlForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toYamlForm)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, field]) => yamlFields(name, field)))
}

function yamlFields(name: string, value: unknown): [string, unknown][] {
  if (name === 'key' && typeof value === 'string') return [['key', [...Buffer.from(value, 'base64')]]]
  if (name === 'imageResolutionCalculation') return [['imageresolutioncal', value]]
  const field: [string, unknown] = [name.toLowerCase(), toYamlForm(value)]
  return name === 'followExternalSymlinks' ? [field, ['caseinsensitivefs', false]] : [field]
}
