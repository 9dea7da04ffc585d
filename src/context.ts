import type { OptionSource, ServerOptions } from './domain/server-options.ts'
import type { Clock } from './platform/clock.ts'
import type { Logger } from './platform/logger.ts'
import type { PasswordHasher } from './platform/password-hasher.ts'
import type { Services } from './services/index.ts'
import type { Storage } from './storage/storage.ts'
import type { SessionDocument, StoreDocument } from './store/document.ts'
import type { Store } from './store/store.ts'

/** Everything that runs, wired once. Disposing of it ends the services and closes storage and stores. */
export interface Context extends AsyncDisposable {
  readonly options: ServerOptions
  readonly optionSources: Readonly<Record<string, OptionSource>>
  readonly version: string
  readonly log: Logger
  readonly clock: Clock
  readonly store: Store<StoreDocument>
  readonly sessions: Store<SessionDocument>
  readonly storage: Storage
  readonly services: Services
}

/** What a context is made of; it owns all of it from then on. */
export interface ContextParts {
  readonly options: ServerOptions
  readonly optionSources?: Readonly<Record<string, OptionSource>>
  readonly stores: { readonly store: Store<StoreDocument>; readonly sessions: Store<SessionDocument> }
  /** Folder of the stores, if they lie on a disk: nobody reaches it as a file, even when it lies in a served folder. */
  readonly dataFolder?: string
  /** The local disk under `options.root` unless given; opened at its first use. */
  readonly storage?: Storage
  /** Nothing is logged unless given. */
  readonly log?: Logger
  readonly clock?: Clock
  readonly hasher?: PasswordHasher
}

/** The composition root. @throws INVALID_INPUT for options that cannot work */
export declare function createContext(parts: ContextParts): Promise<Context>
