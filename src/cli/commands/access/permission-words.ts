import { PATH_PERMISSIONS, type PathPermission } from '../../../domain/access/rule.ts'
import { fail } from '../../../domain/errors.ts'
import { nearestName } from '../../../domain/text/option-names.ts'

/** "view" alone is to look only, and is part of everything else. */
export const PERMISSION_WORDS: readonly string[] = ['view', ...PATH_PERMISSIONS]

/** The permissions of a list such as "view,download". @throws INVALID_INPUT */
export function permissionsIn(text: string): PathPermission[] {
  const words = text.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !PERMISSION_WORDS.includes(word))
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, PERMISSION_WORDS)
    const hint = nearest === undefined ? '' : ` (did you mean ${nearest}?)`
    const message = `unknown permission "${unknown}"${hint}; list some of ${PERMISSION_WORDS.join(', ')}`
    fail('INVALID_INPUT', message, { field: 'permissions' })
  }
  return PATH_PERMISSIONS.filter((permission) => words.includes(permission))
}
