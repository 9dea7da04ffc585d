import { NO_ROOT } from '../../domain/accounts/place.ts'
import { isRecord } from '../../domain/schema/schema-tools.ts'
import type { Settings } from '../../domain/settings/settings.ts'
import type { ReportWriter } from '../filebrowser/import-report.ts'
import { booleanOf, integerOf, type OldRecord, oldRecord, recordOf, textOf } from '../filebrowser/old-record.ts'
import { freshSettings } from '../../services/server/setup.ts'
import { localeOf, viewModeOf } from './convert-users.ts'
import type { ConfigSection, QuantumConfig, QuantumSource } from './quantum-config.ts'
import { posix } from 'node:path'

export interface ConvertedSettings {
  /** Both in the form of File Browser. */
  readonly settings: OldRecord
  readonly auther: OldRecord
}

/** Settings of the configuration. Those that it does not set get our defaults, not Quantum's. */
export function convertSettings({ sections, sources }: QuantumConfig, report: ReportWriter): ConvertedSettings {
  const settings = freshSettings()
  const { frontend } = sections
  const password = recordOf(recordOf(sections.auth, 'methods'), 'password')
  settings.branding.name = textOf(frontend, 'name')
  settings.branding.disableExternal = booleanOf(frontend, 'disableDefaultLinks')
  settings.branding.disableUsedPercentage = booleanOf(frontend, 'disableUsedPercentage')
  settings.signup = booleanOf(password, 'signup')
  if ('minLength' in password) settings.minimumPasswordLength = integerOf(password, 'minLength')
  convertDefaults(settings, sections.userDefaults, sources, report)
  for (const source of sources.filter(({ hidesFiles }) => hidesFiles)) {
    const advice = 'hide them with filemgr rules add'
    report.add('lookAt', `source ${source.name}`, `its rules that hide files are not imported: ${advice}`)
  }
  const auther = convertSignIn(settings, sections.auth, report)
  return { settings: oldRecord(settings, 'the settings'), auther }
}

/** Defaults of new users: flat in release 1, grouped in release 2. */
function convertDefaults(
  settings: Settings,
  userDefaults: OldRecord,
  sources: readonly QuantumSource[],
  report: ReportWriter,
): void {
  const groups = ['account', 'listing', 'ui'].map((name) => recordOf(userDefaults, name))
  const given = Object.assign({}, userDefaults, ...groups) as OldRecord
  const { defaults, branding } = settings
  if (textOf(given, 'locale') !== '') defaults.locale = localeOf(textOf(given, 'locale'))
  if (textOf(given, 'viewMode') !== '') defaults.viewMode = viewModeOf(textOf(given, 'viewMode'))
  defaults.singleClick = booleanOf(given, 'singleClick')
  defaults.dateFormat = booleanOf(given, 'dateFormat')
  defaults.hideDotfiles = !booleanOf(given, 'showHidden')
  if (typeof given['darkMode'] === 'boolean') branding.theme = given['darkMode'] ? 'dark' : 'light'
  const [source, another] = sources
  const permissions = { download: true, ...recordOf(given, 'permissions'), ...source?.rights }
  const may = (name: string) => booleanOf(permissions, name)
  defaults.perm = {
    admin: false,
    execute: false,
    create: may('create'),
    rename: may('modify'),
    modify: may('modify'),
    delete: may('delete'),
    download: may('download'),
    share: may('share'),
  }
  const subject = 'defaults of new users'
  if (may('admin')) report.add('dropped', subject, 'the administrator permission')
  if (source === undefined) return
  if (another === undefined) {
    defaults.scope = source.userScope
    settings.createUserDir = source.createUserDir
    if (source.createUserDir) settings.userHomeBasePath = source.userScope
  } else {
    defaults.root = NO_ROOT
    report.add('changed', subject, 'they see no files until they are given some: filemgr roots give ROOT --user NAME')
  }
}

const OTHER_METHODS = { oidc: 'OIDC', ldap: 'LDAP', jwt: 'JWT', passkey: 'passkey' }

/** Quantum offers several methods at once; here there is one. Passwords win. */
function convertSignIn(settings: Settings, auth: OldRecord, report: ReportWriter): OldRecord {
  const methods = recordOf(auth, 'methods')
  const isOn = (name: string) => booleanOf(recordOf(methods, name), 'enabled')
  const subject = 'sign-in method'
  for (const [name, title] of Object.entries(OTHER_METHODS)) {
    const advice = 'these users need a password (filemgr users passwd), or a proxy that signs them in'
    if (isOn(name)) report.add('lookAt', subject, `${title} is not available: ${advice}`)
  }
  if (booleanOf(methods, 'noauth')) {
    settings.authMethod = 'noauth'
    return {}
  }
  const password = recordOf(methods, 'password')
  const byPassword = !('enabled' in password) || booleanOf(password, 'enabled')
  if (!isOn('proxy')) return { recaptcha: recordOf(password, 'recaptcha') }
  const header = textOf(recordOf(methods, 'proxy'), 'header')
  if (byPassword) {
    const advice = `to use only ${header}: filemgr settings set authMethod=proxy auth.header=${header}`
    report.add('lookAt', subject, `users sign in with passwords; ${advice}`)
    return { recaptcha: recordOf(password, 'recaptcha') }
  }
  settings.authMethod = 'proxy'
  report.add(
    'lookAt',
    subject,
    'anyone the proxy names gets an account; only those who have one: filemgr settings set auth.createUsers=false',
  )
  return { header }
}

const NETWORK = 'port listen socket tlsKey tlsCert baseURL externalUrl internalUrl trustProxyHeaders trustedHeaders'

/** Keys of each section that are imported, or need no note. */
const IMPORTED: Readonly<Record<ConfigSection, string>> = {
  server: `${NETWORK} sources database disablePreviews disablePreviewResize disableTypeDetectionByHeader disableUpdateCheck`,
  http: NETWORK,
  auth: 'methods key adminUsername adminPassword tokenExpirationHours',
  frontend: 'name disableDefaultLinks disableUsedPercentage',
  userDefaults: 'locale viewMode singleClick dateFormat showHidden darkMode permissions loginMethod account listing ui',
  integrations: '',
}

/** Reports the settings that are not imported. */
export function reportUnknown({ sections }: QuantumConfig, report: ReportWriter): void {
  for (const [section, values] of Object.entries(sections)) {
    const imported = IMPORTED[section as ConfigSection].split(' ')
    for (const [name, value] of Object.entries(values)) {
      if (!imported.includes(name) && !isEmpty(value)) report.add('dropped', `setting ${section}.${name}`)
    }
  }
}

function isEmpty(value: unknown): boolean {
  if (isRecord(value)) return Object.values(value).every(isEmpty)
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** Start-up values in the form of File Browser. @param root the folder that contains all sources */
export function convertServer({ sections, folder }: QuantumConfig, root: string, report: ReportWriter): OldRecord {
  // Release 2 moved the network settings to `http`.
  const given: OldRecord = { ...sections.server, ...sections.http }
  const text = (name: string) => textOf(given, name)
  const path = (name: string) => (text(name) === '' ? '' : posix.resolve(folder, text(name)))
  const baseURL = text('baseURL').replace(/^\/+|\/+$/g, '')
  const hours = integerOf(sections.auth, 'tokenExpirationHours')
  if (text('listen') === '' && text('socket') === '') {
    const advice = 'for others: filemgr server set address=0.0.0.0'
    report.add('lookAt', 'server address', `filemgr listens on 127.0.0.1, Quantum on all addresses; ${advice}`)
  }
  if (booleanOf(given, 'trustProxyHeaders') || 'trustedHeaders' in given) {
    report.add('lookAt', 'server trustProxyHeaders', 'name the proxy: filemgr server set trustedProxies=ADDRESS')
  }
  return {
    root,
    address: text('listen'),
    ...('port' in given && { port: given['port'] }),
    baseurl: baseURL === '' ? '' : `/${baseURL}`,
    publicurl: text('externalUrl'),
    socket: path('socket'),
    tlscert: path('tlsCert'),
    tlskey: path('tlsKey'),
    log: 'stdout',
    tokenexpirationtime: hours > 0 ? `${hours}h` : '',
    enablethumbnails: !booleanOf(given, 'disablePreviews'),
    resizepreview: !booleanOf(given, 'disablePreviewResize'),
    typedetectionbyheader: !booleanOf(given, 'disableTypeDetectionByHeader'),
  }
}
