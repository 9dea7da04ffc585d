import type { PlaceView } from '../../../src/domain/accounts/place.ts'
import { createStore } from '../lib/create-store.ts'
import type { SessionUser } from './token.ts'

/**
 * The places of a user who has several: "/" lists them, and each path begins with the name of one. Undefined for everybody else,
 * empty until the page has asked for them.
 */
export const places = createStore<readonly PlaceView[] | undefined>(undefined)

/** Call it with each token, before anything is drawn for it. */
export function expectPlaces({ severalPlaces }: Pick<SessionUser, 'severalPlaces'>): void {
  places.set((known) => (severalPlaces === true ? (known ?? []) : undefined))
}

/** "/" only lists places. */
export function hasPlaces(): boolean {
  return places.get() !== undefined
}

/** The name of the place that a path is in, as a path; undefined for "/", and for a user with one place. */
export function placePathOf(path: string, all = places.get()): string | undefined {
  return all !== undefined ? /^\/[^/]+/.exec(path)?.[0] : undefined
}

/** Whether the path is that of a place itself, which stays as it is. */
export function isPlace(path: string, all = places.get()): boolean {
  return all !== undefined && /^\/[^/]+\/?$/.test(path)
}

/** Undefined also while places are unknown. */
export function placeOfPath(path: string, all = places.get()): PlaceView | undefined {
  return all?.find((place) => `${path}/`.startsWith(`${place.path}/`))
}
