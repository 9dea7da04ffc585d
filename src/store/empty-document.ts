import { Value } from 'typebox/value'
import { Settings } from '../domain/settings.ts'
import { systemRandom, type Random } from '../platform/random.ts'
import { STORE_VERSION, type StoreDocument } from './document.ts'

/** A store without users: settings at their defaults, no saved server options, a fresh key to sign tokens with. */
export function emptyDocument(random: Random = systemRandom): StoreDocument {
  return {
    version: STORE_VERSION,
    settings: Value.Create(Settings),
    server: {},
    users: [],
    shares: [],
    nextUserId: 1 as StoreDocument['nextUserId'],
    secrets: { tokenKey: random.token(64) },
  }
}
