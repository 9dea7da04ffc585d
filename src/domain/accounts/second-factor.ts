import { type Static, Type } from 'typebox'
import type { GroupId } from '../ids.ts'

/** Who must have a second factor. Administrators are never exempt from what a group must do. */
const FACTOR_SCOPES = ['nobody', 'administrators', 'groups', 'everyone'] as const

/** Why somebody is refused who must set up a second factor first. */
export const FACTOR_DUE = 'secondFactorDue'

export const SecondFactorSettings = Type.Object(
  {
    required: Type.Enum(FACTOR_SCOPES, {
      default: 'nobody',
      title: 'Second step required for',
      description: 'A code or a passkey after the password.',
    }),
    groups: Type.Array(Type.Unsafe<GroupId>(Type.String({ minLength: 1, maxLength: 100 })), {
      default: [],
      maxItems: 1000,
      title: 'Groups with a second step',
      'x-filemgr': { widget: 'groups' },
    }),
    grace: Type.String({
      default: '7d',
      title: 'Time to set up the second step',
      description: 'Such as 7d, from the first visit. After that, nothing else works.',
      'x-filemgr': { widget: 'duration' },
    }),
    trustDays: Type.Integer({
      default: 30,
      minimum: 0,
      maximum: 365,
      title: 'Days without a second step on trusted devices',
      description: 'People may have a device remembered for so long. 0 = never.',
    }),
  },
  { title: 'Second step', 'x-filemgr': { group: 'Sign-in' } },
)
export type SecondFactorSettings = Static<typeof SecondFactorSettings>
