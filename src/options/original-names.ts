import { foldName } from '../domain/option-names.ts'
import { leaves, type Leaf } from '../domain/schema-tools.ts'
import { ServerOptions } from '../domain/server-options.ts'

/** A start-up value as a config file, the environment or an old script may name it. */
export interface NamedOption {
  readonly leaf: Leaf
  /** True for a name that says the opposite: `disableExec=false` is `enableExec=true`. */
  readonly inverted: boolean
}

/** Names of File Browser that mean something here under another name, folded. */
const INVERTED: Readonly<Record<string, keyof ServerOptions>> = { disableexec: 'enableExec' }

/** Names of File Browser's config file that need no value here. */
export const OBSOLETE_NAMES: readonly string[] = ['database', 'rediscacheurl']

export const SERVER_LEAVES: readonly Leaf[] = leaves(ServerOptions)

/** Finds the option that a name in any spelling means. */
export function findOption(name: string): NamedOption | undefined {
  const folded = foldName(name)
  const key = INVERTED[folded]
  const leaf = SERVER_LEAVES.find((candidate) =>
    key === undefined ? foldName(candidate.key) === folded : candidate.key === key,
  )
  return leaf && { leaf, inverted: key !== undefined }
}
