import { leaves } from '../domain/schema-tools.ts'
import { ServerOptions } from '../domain/server-options.ts'
import { Settings } from '../domain/settings.ts'
import { LeafOption, optionsOf } from './schema-options.ts'

/** Flags of File Browser's "config set" for the defaults of new users: it calls `defaults.perm.create` `--perm.create`. */
export const DEFAULTS_FLAGS: readonly LeafOption[] = leaves(Settings)
  .filter(({ path: [group] }) => group === 'defaults')
  .map((leaf) => hidden(new LeafOption({ ...leaf, key: leaf.path.slice(1).join('.') })))

/** Its "config set" saves start-up values too. */
export const SERVER_FLAGS: readonly LeafOption[] = optionsOf(ServerOptions).map(hidden)

function hidden(option: LeafOption): LeafOption {
  option.hideHelp()
  return option
}
