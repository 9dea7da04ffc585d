import { parseDuration } from '../../domain/units.ts'
import { fail } from '../../domain/errors.ts'
import type { PatternCompiler } from '../../domain/rule-check.ts'
import type { Settings } from '../../domain/settings.ts'
import { cleanVirtualPath } from '../../domain/virtual-path.ts'
import { requireUsableRules } from '../rules/usable-rules.ts'
const SHORTEST_SESSION = 60_000

/** Checks what the schema cannot say. @returns the settings as they are. @throws INVALID_INPUT naming the field */
export function requireMeaningful(settings: Settings, compile: PatternCompiler): Settings {
  const { rules, sessionMaxAge, logoutPage, defaults, userHomeBasePath } = settings
  requireUsableRules(rules, compile)
  requireSessionLife(sessionMaxAge)
  // The page goes there: "javascript:" would run in it, "//host" leave it unseen.
  if (!/^(\/(?![/\\])|https?:\/\/)[^\s\\]*$/.test(logoutPage)) {
    const message = `logoutPage must be a path such as /login or an address such as https://…, not "${logoutPage}"`
    fail('INVALID_INPUT', message, { field: 'logoutPage' })
  }
  if (defaults.perm.share && !defaults.perm.download) {
    fail('INVALID_INPUT', 'permission to share requires permission to download', { field: 'defaults.perm.share' })
  }
  requirePath('defaults.scope', defaults.scope)
  requirePath('userHomeBasePath', userHomeBasePath)
  return settings
}

function requireSessionLife(text: string): void {
  const age = parseDuration(text)
  if (age !== undefined && age >= SHORTEST_SESSION) return
  const message = `sessionMaxAge must be a duration of at least a minute, such as 12h or 30d, not "${text}"`
  fail('INVALID_INPUT', message, { field: 'sessionMaxAge' })
}

function requirePath(field: string, text: string): void {
  try {
    cleanVirtualPath(text)
  } catch (error) {
    fail('INVALID_INPUT', `${field} is no path: ${error instanceof Error ? error.message : ''}`, { field })
  }
}
