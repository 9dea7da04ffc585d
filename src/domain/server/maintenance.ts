import { type Static, Type } from 'typebox'
import { isAdministrator, type User } from '../accounts/user.ts'
import { FilemgrError } from '../errors.ts'

/** One line, since it is also sent as plain text. */
const Message = Type.String({
  default: '',
  maxLength: 500,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  title: 'Message',
  description: 'For users and visitors, on one line. Leave empty for the default text.',
})

/** Maintenance mode while it is on. Times are RFC 3339. */
export const Maintenance = Type.Object({
  message: Message,
  since: Type.String({ maxLength: 32 }),
  /** When it is expected to end; it does not end by itself. */
  until: Type.Optional(Type.String({ maxLength: 32 })),
})
export type Maintenance = Static<typeof Maintenance>

export const MaintenanceInput = Type.Object({
  message: Type.Optional(Message),
  until: Type.Optional(
    Type.String({
      maxLength: 32,
      title: 'Expected end',
      description: 'Shown to users and visitors. Maintenance does not end by itself.',
    }),
  ),
})
export type MaintenanceInput = Static<typeof MaintenanceInput>

export const MaintenanceStatus = Type.Object({
  on: Type.Boolean(),
  message: Type.String(),
  since: Type.Union([Type.String(), Type.Null()]),
  until: Type.Union([Type.String(), Type.Null()], { description: 'When it is expected to end' }),
  running: Type.Object(
    {
      requests: Type.Integer({ description: 'Downloads and other requests' }),
      jobs: Type.Integer({ description: 'Copies and other long operations' }),
    },
    { description: 'Work that users and visitors began before, and that still runs' },
  ),
})
export type MaintenanceStatus = Static<typeof MaintenanceStatus>

/** Seconds after which clients should try again if the end is not known. */
const DEFAULT_WAIT = 300

/**
 * Decides who is let in during maintenance: administrators only. Every entry point calls it.
 *
 * @param user undefined for visitors of links, and for people without an account
 * @returns the error for everyone else
 */
export function maintenanceRefusal(
  maintenance: Readonly<Maintenance> | undefined,
  user: Pick<User, 'perm' | 'disabled'> | undefined,
  now: number,
): FilemgrError | undefined {
  if (maintenance === undefined || (user !== undefined && isAdministrator(user))) return undefined
  const { message, until } = maintenance
  const seconds = until === undefined ? 0 : Math.ceil((Date.parse(until) - now) / 1000)
  return new FilemgrError('MAINTENANCE', message === '' ? 'under maintenance; try again later' : message, {
    retryAfter: seconds > 0 ? seconds : DEFAULT_WAIT,
    ...(until !== undefined && { until }),
  })
}
