import type { Actor } from '../domain/actor.ts'
import type { Settings, WireSettings } from '../domain/settings.ts'

/** The parts of an object to change, at any depth; lists are replaced as a whole. */
export type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> | undefined }
    : T

/** Live settings. */
export interface SettingsService {
  /** @throws FORBIDDEN for whoever is no administrator */
  get(actor: Actor): Promise<WireSettings>
  /** All of them, those the wire does not show too. */
  current(): Readonly<Settings>
  /** Replaces what the wire shows as a whole. @throws FORBIDDEN, INVALID_INPUT, PRECONDITION_FAILED */
  replace(actor: Actor, wire: unknown, how?: { ifMatch?: string | undefined }): Promise<void>
  /** Changes single values. @throws FORBIDDEN, INVALID_INPUT */
  patch(actor: Actor, partial: DeepPartial<Settings>): Promise<Readonly<Settings>>
  /** Of what `get` answers, in quotes. */
  etag(): string
}
