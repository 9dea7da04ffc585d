import type { Rule } from './rule.ts'
import type { VirtualPath } from './virtual-path.ts'

/** How a path in a scope is called by rules, which always see the owner's own path (GHSA-j9jx-hp4c-ghhh), and what they say. */
export interface Visibility {
  /** Global rules, then the user's. */
  readonly rules: readonly Rule[]
  /** The scope's root as the owner calls it: "/" except inside a share. */
  readonly rulePrefix: VirtualPath
  readonly hideDotfiles: boolean
}
