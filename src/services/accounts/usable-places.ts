import { type GivenPlace, requirePlaceName } from '../../domain/accounts/place.ts'
import type { PatternCompiler } from '../../domain/access/rule-check.ts'
import { fail } from '../../domain/errors.ts'
import { servedFolderOf } from '../../domain/server/root.ts'
import { requireUsableRules } from '../access/usable-rules.ts'
import { cleanScope } from './users/home-folder.ts'

/**
 * The places of an account or a group as they are stored. Their folders need not exist.
 *
 * @throws INVALID_INPUT for names and rules that cannot be used, and if a folder is listed twice
 */
export function usablePlaces(places: readonly GivenPlace[], compile: PatternCompiler): GivenPlace[] {
  const folders = new Set<string>()
  return places.map((place, index) => {
    requireUsableRules(place.rules, compile, `places.${index}.rules`)
    requireUsableRules(place.permissionRules, compile, `places.${index}.permissionRules`)
    const clean = { ...place, scope: cleanScope(place.scope), name: requirePlaceName(place.name) }
    const folder = servedFolderOf(clean)
    if (folders.has(folder))
      fail('INVALID_INPUT', `the folder ${clean.scope} of a root is listed twice`, { field: 'places' })
    folders.add(folder)
    return clean
  })
}
