import { parentOf, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import type { Resource } from '../../../src/domain/files/resource.ts'
import { createStore } from '../lib/create-store.ts'

/** What rules permit at the paths that were opened; undefined where no rule decides. */
export type Ruled = Readonly<Record<string, Resource['permissions']>>

export const ruled = createStore<Ruled>({})

/** By what the server has said of the path or, until it is opened, of the folder that it is in, unless that says nothing of it. */
export function ruledAt(path: string, rules: Ruled, isAlone = false): Resource['permissions'] {
  const at = path.replace(/(.)\/$/, '$1')
  return rules[isAlone || at in rules ? at : parentOf(at as VirtualPath)]
}

/** Call it with each reply about a path. */
export function keepRuled(path: string, permissions: Resource['permissions']): void {
  const rules = ruled.get()
  // Everything that may be offered renders again.
  const isKnown = path in rules && JSON.stringify(rules[path]) === JSON.stringify(permissions)
  if (!isKnown) ruled.set({ ...rules, [path]: permissions })
}
