import { AUTH_METHODS } from '../../domain/auth-method.ts'
import { leaves, setAt, type Leaf } from '../../domain/schema-tools.ts'
import { ServerOptions } from '../../domain/server-options.ts'
import { Settings } from '../../domain/settings.ts'
import type { ReportWriter } from './import-report.ts'
import { leafProblem } from './leaf-problem.ts'
import { recordOf, textOf, type OldInstallation } from './old-record.ts'

const SUBJECT = 'way to sign in'

/** The way to sign in, with what it needs. One that cannot be had here becomes the one by password, and is named. */
export function importSignIn(
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
    report.add('lookAt', SUBJECT, 'everybody who reaches the daemon is the user with the id 1, without a password')
  } else if (method === undefined) report.add('changed', SUBJECT, `"${name.slice(0, 20)}" is not known; it is json now`)
  else importCaptcha(settings, recordOf(auther, 'recaptcha'), report)
}

function importProxy(settings: Settings, header: string, report: ReportWriter): void {
  if (!fits('auth.header', header) || header === '') return refuse('the header of the proxy cannot be one', report)
  settings.authMethod = 'proxy'
  settings.auth.header = header
  const advice = 'filemgr server set trustedProxies=ADDRESS; before, everybody was believed, and without it nobody is'
  report.add('lookAt', SUBJECT, `name the proxy whose header ${header} is believed: ${advice}`)
}

/** The line was split at single spaces, and the program found name and password in its environment. */
function importProgram(settings: Settings, line: string, report: ReportWriter): void {
  const words = line.split(' ').filter((word) => word !== '')
  if (!fits('auth.command', words) || words.length === 0) return refuse('there is no program to ask', report)
  settings.authMethod = 'hook'
  settings.auth.command = words
  settings.auth.commandEnvironment = true
  const advice = 'read them from the standard input, then: filemgr settings set auth.commandEnvironment=false'
  report.add('lookAt', SUBJECT, `${words.join(' ')} still finds name and password in its environment, too; ${advice}`)
}

function importCaptcha(settings: Settings, old: Readonly<Record<string, unknown>>, report: ReportWriter): void {
  const [host, key, secret] = [textOf(old, 'host'), textOf(old, 'key'), textOf(old, 'secret')]
  if (secret === '') return
  const wanted = { host: host === '' ? settings.recaptcha.host : host, key, secret }
  const wrong = Object.entries(wanted).find(([name, value]) => !fits(`recaptcha.${name}`, value))?.[0]
  if (wrong !== undefined) {
    report.add('dropped', 'captcha', `its ${wrong} cannot be one`)
    return
  }
  for (const [name, value] of Object.entries(wanted)) setAt(settings, ['recaptcha', name], value)
  if (leaves(ServerOptions).some((leaf) => isAmong(leaf, wanted.host))) return
  const advice = 'filemgr server set recaptchaHosts names the hosts that may be asked; nobody can sign in until then'
  report.add('lookAt', 'captcha', `${wanted.host} is none of the hosts that are asked by default: ${advice}`)
}

function isAmong({ key, schema }: Leaf, host: string): boolean {
  return key === 'recaptchaHosts' && Array.isArray(schema.default) && schema.default.includes(host)
}

function fits(key: string, value: unknown): boolean {
  const leaf = leaves(Settings).find((candidate) => candidate.key === key)
  return leaf !== undefined && leafProblem(leaf, value) === undefined
}

function refuse(why: string, report: ReportWriter): void {
  report.add('changed', SUBJECT, `${why}; users sign in with their passwords now`)
}
