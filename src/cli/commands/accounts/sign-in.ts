import type { CommandGroup } from '../../program/command.ts'
import { ldap } from './directories.ts'
import { oidc } from './oidc.ts'

export const signIn: CommandGroup = { commands: [oidc, ldap] }
