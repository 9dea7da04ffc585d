import { type Static, Type } from 'typebox'

/** Which requests a bucket refuses if the object has changed since it was looked at. */
export const Conditions = Type.Object({
  put: Type.Boolean(),
  /** The end of an upload in parts. */
  complete: Type.Boolean(),
  copy: Type.Boolean(),
  remove: Type.Boolean(),
  /** Removal of several objects by one request. */
  removeMany: Type.Boolean(),
})
export type Conditions = Readonly<Static<typeof Conditions>>

const NAMES: Record<keyof Conditions, string> = {
  put: 'writing',
  complete: 'completing an upload in parts',
  copy: 'copying',
  remove: 'deleting',
  removeMany: 'deleting several objects',
}

/** For people: the kinds of requests that another program can overtake; undefined if there are none. */
export function describeUnconditional(conditions: Conditions): string | undefined {
  const names = (Object.keys(NAMES) as (keyof Conditions)[])
    .filter((kind) => !conditions[kind])
    .map((kind) => NAMES[kind])
  if (names.length === 0) return undefined
  return `does not support conditions for ${names.join(', ')}`
}
