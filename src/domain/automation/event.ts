import { Type, type Static, type TObject } from 'typebox'
import { Job } from './job.ts'

const Nothing = Type.Object({})

/**
 * The events of the stream, by name. Most only say that something has changed: clients fetch it again, and get what they are
 * allowed to see. Event ids increase, also across restarts.
 */
export const EVENTS = {
  /** The first event. The folders are watched from now on. */
  hello: Type.Object({
    stream: Type.String(),
    folder: Type.Optional(Type.String()),
    beside: Type.Optional(Type.String()),
  }),
  /** Events were lost: everything on the screen may be outdated. */
  gap: Nothing,
  /** A watched folder or one of its entries changed. */
  folder: Type.Object({ path: Type.String() }),
  /** A job of the user (for administrators of any user), about four times a second while it runs. */
  job: Job,
  /** The settings changed, or maintenance began or ended. */
  settings: Nothing,
  /** Start-up values were saved (for administrators), or the server is stopping. */
  server: Type.Object({ state: Type.Enum(['changed', 'stopping']) }),
  /** The last event: the session is over, or the user has too many streams. Do not reconnect at once. */
  session: Type.Object({ end: Type.Enum(['revoked', 'expired', 'replaced']) }),
  /** The user's own sessions. */
  sessions: Nothing,
  /** Shares of the user (for administrators of any user). */
  shares: Nothing,
  /** The user's account (for administrators any account). */
  users: Nothing,
} as const satisfies Readonly<Record<string, TObject>>

type Events = { readonly [Name in keyof typeof EVENTS]: Static<(typeof EVENTS)[Name]> }

export type EventName = keyof Events

export type ServerEvent = { [Name in EventName]: { readonly name: Name; readonly data: Events[Name] } }[EventName]
