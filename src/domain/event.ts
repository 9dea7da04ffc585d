import { Type, type Static, type TObject } from 'typebox'
import { Job } from './job.ts'

const Nothing = Type.Object({})

/**
 * What a stream of events tells, by name. Most say only that something has changed: clients that show it ask again, and get
 * what they may see. Numbers of events grow, also over a restart.
 */
export const EVENTS = {
  /** The first one. The folder is watched from now on. */
  hello: Type.Object({ stream: Type.String(), folder: Type.Optional(Type.String()) }),
  /** Events were lost: all that is shown may be outdated. */
  gap: Nothing,
  /** Something in the watched folder, or the folder itself. */
  folder: Type.Object({ path: Type.String() }),
  /** A job of the user, or of any user for administrators; about four times a second while it runs. */
  job: Job,
  settings: Nothing,
  /** Start-up values were saved (for administrators), or the server is stopping. */
  server: Type.Object({ state: Type.Enum(['changed', 'stopping']) }),
  /** The last event: the session is over, or the user has too many streams. Do not reconnect at once. */
  session: Type.Object({ end: Type.Enum(['revoked', 'expired', 'replaced']) }),
  /** The devices on which the user is signed in. */
  sessions: Nothing,
  /** Shares of the user, or of any user for administrators. */
  shares: Nothing,
  /** The own account; for administrators any account. */
  users: Nothing,
} as const satisfies Readonly<Record<string, TObject>>

type Events = { readonly [Name in keyof typeof EVENTS]: Static<(typeof EVENTS)[Name]> }

export type EventName = keyof Events

/** One event with its data. */
export type ServerEvent = { [Name in EventName]: { readonly name: Name; readonly data: Events[Name] } }[EventName]
