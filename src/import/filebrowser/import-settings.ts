import { problemIn } from '../../domain/errors.ts'
import { DISABLED, HOOK_EVENTS } from '../../domain/automation/hook.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { type Leaf, leaves, setAt, valueAt } from '../../domain/schema/schema-tools.ts'
import { Settings } from '../../domain/settings/settings.ts'
import { requireMeaningful } from '../../services/settings/settings-values.ts'
import { freshSettings } from '../../services/server/setup.ts'
import { leafProblem, type ReportWriter } from './import-report.ts'
import { importRules } from './import-rules.ts'
import { booleanOf, type OldInstallation, type OldRecord, recordOf, textOf, textsOf } from './old-record.ts'
import { localeOf, permissionsOf } from './import-users.ts'
import { AUTH_METHODS } from '../../domain/accounts/auth-method.ts'
import { ServerOptions } from '../../domain/server/server-options.ts'

export interface SettingsImport {
  readonly old: OldInstallation
  readonly compile: PatternCompiler
  readonly report: ReportWriter
}

/** Values that File Browser treats as "not set". */
const UNSET_VALUES: Readonly<Record<string, unknown>> = {
  minimumPasswordLength: 0,
  userHomeBasePath: '',
  fileMode: 0,
  dirMode: 0,
  logoutPage: '',
  'defaults.viewMode': '',
}

/** Settings, or prefixes of them, that have import functions of their own. */
const IMPORTED_SEPARATELY = [
  'rules',
  'commands',
  'authMethod',
  'auth.',
  'recaptcha.',
  'defaults.perm.',
  'defaults.locale',
  'defaults.commands',
]

/** The settings of an old installation; those it does not have are as in a new one. */
export function importSettings({ old, compile, report }: SettingsImport): Settings {
  const settings = freshSettings()
  const { settings: record } = old
  if (record === undefined) return settings
  for (const leaf of leaves(Settings)) {
    if (!IMPORTED_SEPARATELY.some((name) => leaf.key === name || (name.endsWith('.') && leaf.key.startsWith(name)))) {
      importLeaf(settings, leaf, record, report)
    }
  }
  const defaults = recordOf(record, 'defaults')
  const subject = 'defaults of new users'
  settings.rules = importRules({ record, appliesTo: 'all users', compile, report })
  settings.defaults.perm = permissionsOf(recordOf(defaults, 'perm'), subject, report)
  settings.defaults.commands = textsOf(defaults, 'commands')
  settings.defaults.locale = localeOf(textOf(defaults, 'locale'), 'en', subject, report)
  importSignIn(settings, old, report)
  settings.commands = hooksOf(recordOf(record, 'commands'), report)
  replaceInvalid(settings, compile, report)
  reportSettings(record, settings, report)
  return settings
}

/**
 * Sets to their defaults what the schema allows and `requireMeaningful` refuses: with "javascript:…" as the page after
 * signing out, a script would run in our page.
 */
function replaceInvalid(settings: Settings, compile: PatternCompiler, report: ReportWriter): void {
  const findProblem = () => problemIn(() => requireMeaningful(settings, compile), 'INVALID_INPUT')
  for (let problem = findProblem(); problem; problem = findProblem()) {
    const { message, details } = problem
    const wrong = leaves(Settings).find(({ key }) => key === details.field)
    const standard = wrong?.schema.default
    // The problem involves more than this setting.
    if (wrong === undefined || valueAt(settings, wrong.path) === standard) throw problem
    setAt(settings, wrong.path, standard)
    report.add('changed', `setting ${wrong.key}`, `${message}; now "${String(standard)}"`)
  }
}

function importLeaf(settings: Settings, leaf: Leaf, record: OldRecord, report: ReportWriter): void {
  const value = valueAt(
    record,
    leaf.path.map((name) => name.toLowerCase()),
  )
  // Older releases behave as if the switches that they lack were off.
  if (value === undefined || value === null) {
    if (leaf.schema.type === 'boolean' && isFromFileBrowser(leaf)) setAt(settings, leaf.path, false)
    return
  }
  if (value === UNSET_VALUES[leaf.key]) return
  const problem = leafProblem(leaf, value)
  if (problem === undefined) return setAt(settings, leaf.path, structuredClone(value))
  const kept = JSON.stringify(valueAt(settings, leaf.path))
  report.add('changed', `setting ${leaf.key}`, `${problem}; now ${kept}`)
}

function isFromFileBrowser({ path }: Leaf): boolean {
  return ['signup', 'hideLoginButton', 'createUserDir', 'branding', 'defaults'].includes(path[0] ?? '')
}

/** Old hooks ran in a shell, so an administrator must review them before they run here without one. */
function hooksOf(old: OldRecord, report: ReportWriter): Settings['commands'] {
  const hooks: Settings['commands'] = Object.fromEntries(HOOK_EVENTS.map((event) => [event, []]))
  for (const event of Object.keys(old)) {
    const lines = textsOf(old, event)
    if (lines.length === 0) continue
    const name = event.startsWith(DISABLED) ? event : `${DISABLED}${event}`
    if (!/^[a-z_]{1,64}$/.test(name)) {
      report.add('dropped', `hooks of ${event.slice(0, 64)}`, 'unknown event')
      continue
    }
    hooks[name] = lines
    for (const line of lines) {
      const advice = HOOK_EVENTS.includes(event) ? `; to enable it: filemgr hooks ls, then hooks enable` : ''
      report.add('changed', `hook ${event}: ${line}`, `saved as ${name}, which never runs${advice}`)
    }
  }
  return hooks
}

function reportSettings(record: OldRecord, { signup, shell, branding }: Settings, report: ReportWriter): void {
  report.add('dropped', 'signing key', 'all users must sign in again')
  if (booleanOf(record, 'hidedotfiles')) report.add('dropped', 'setting hideDotfiles', 'File Browser never used it')
  if (shell.length > 0) report.add('changed', 'setting shell', 'saved for old clients; commands run without a shell')
  if (branding.files !== '') report.add('lookAt', 'branding', `do not move the files in ${branding.files}`)
  if (!signup) return
  const note = booleanOf(record, 'createuserdir')
    ? 'anyone can sign up; each new account gets a home folder'
    : 'anyone could sign up and see all files; now each new account gets a home folder'
  report.add('lookAt', 'sign-up is open', note)
}

const SUBJECT = 'sign-in method'

/** The sign-in method and its settings. An invalid or unknown one becomes sign-in by password, and is reported. */
function importSignIn(
  settings: Settings,
  { settings: record, auther = {} }: OldInstallation,
  report: ReportWriter,
): void {
  const name = textOf(record ?? {}, 'authmethod')
  const method = AUTH_METHODS.find((known) => known === (name === '' ? 'json' : name))
  if (method === 'proxy') importProxy(settings, textOf(auther, 'header'), report)
  else if (method === 'hook') importProgram(settings, textOf(auther, 'command'), report)
  else if (method === 'noauth') {
    settings.authMethod = 'noauth'
    report.add('lookAt', SUBJECT, 'anyone who can reach the daemon is signed in as user 1, without a password')
  } else if (method === undefined) report.add('changed', SUBJECT, `"${name.slice(0, 20)}" is unknown; now json`)
  else importCaptcha(settings, recordOf(auther, 'recaptcha'), report)
}

function importProxy(settings: Settings, header: string, report: ReportWriter): void {
  if (!isValid('auth.header', header) || header === '') return usePasswords('the proxy header is invalid', report)
  settings.authMethod = 'proxy'
  settings.auth.header = header
  const advice =
    'filemgr server set trustedProxies=ADDRESS. File Browser trusted every client; filemgr trusts none without this'
  report.add('lookAt', SUBJECT, `set the proxy whose ${header} header is trusted: ${advice}`)
}

/** File Browser splits the line at single spaces and passes name and password in environment variables. */
function importProgram(settings: Settings, line: string, report: ReportWriter): void {
  const words = line.split(' ').filter((word) => word !== '')
  if (!isValid('auth.command', words) || words.length === 0) return usePasswords('no valid program is set', report)
  settings.authMethod = 'hook'
  settings.auth.command = words
  settings.auth.commandEnvironment = true
  const advice = 'change it to read them from standard input, then: filemgr settings set auth.commandEnvironment=false'
  report.add('lookAt', SUBJECT, `${words.join(' ')} still gets name and password in its environment; ${advice}`)
}

function importCaptcha(settings: Settings, old: Readonly<Record<string, unknown>>, report: ReportWriter): void {
  const [host, key, secret] = [textOf(old, 'host'), textOf(old, 'key'), textOf(old, 'secret')]
  if (secret === '') return
  const captcha = { host: host === '' ? settings.recaptcha.host : host, key, secret }
  const wrong = Object.entries(captcha).find(([name, value]) => !isValid(`recaptcha.${name}`, value))?.[0]
  if (wrong !== undefined) {
    report.add('dropped', 'captcha', `its ${wrong} is invalid`)
    return
  }
  for (const [name, value] of Object.entries(captcha)) setAt(settings, ['recaptcha', name], value)
  if (leaves(ServerOptions).some((leaf) => isAllowedHost(leaf, captcha.host))) return
  const advice = 'no one can sign in until you allow it with filemgr server set recaptchaHosts'
  report.add('lookAt', 'captcha', `${captcha.host} is not one of the hosts allowed by default: ${advice}`)
}

function isAllowedHost({ key, schema }: Leaf, host: string): boolean {
  return key === 'recaptchaHosts' && Array.isArray(schema.default) && schema.default.includes(host)
}

function isValid(key: string, value: unknown): boolean {
  const leaf = leaves(Settings).find((candidate) => candidate.key === key)
  return leaf !== undefined && leafProblem(leaf, value) === undefined
}

function usePasswords(reason: string, report: ReportWriter): void {
  report.add('changed', SUBJECT, `${reason}; users now sign in with their passwords`)
}
