import type { CommandGroup } from '../../program/command.ts'
import { oidc } from './oidc.ts'

export const signIn: CommandGroup = { commands: [oidc] }
