import { auditTrail } from './context/audit-trail.ts'
import { backupFolders } from './store/disk/backup-folders.ts'
import { brandingFolders, sharedBrandingFolders } from './context/branding-folders.ts'
import { protectedPathsOf, hiddenPaths, thumbnailCache } from './context/protected-paths.ts'
import { openRoots } from './context/open-roots.ts'
import { checkServedFolder } from './context/served-folder.ts'
import { keepForUploads, type StagingRun } from './context/staging-run.ts'
import { parseDuration } from './domain/text/units.ts'
import { fail } from './domain/errors.ts'
import type { OptionSource, ServerOptions } from './domain/server/server-options.ts'
import type { Session } from './domain/accounts/session.ts'
import { ForeignDecoders } from './platform/images/foreign-decoders.ts'
import { createMajorGc } from './platform/garbage.ts'
import { HeavyMemory } from './platform/limits/heavy-memory.ts'
import { MEMORY_PLAN } from './platform/limits/memory-plan.ts'
import { ImageProcesses } from './platform/images/image-processes.ts'
import { type Clock, systemClock } from './platform/clock.ts'
import { type Logger, silentLogger } from './platform/logging/logger.ts'
import { createPasswordHasher, type PasswordHasher } from './platform/security/password-hasher.ts'
import { createPostForm, type PostForm } from './platform/network/post-form.ts'
import { TextReader } from './platform/text/text-reader.ts'
import { systemRandom } from './platform/security/random.ts'
import { packageVersion } from './platform/version.ts'
import { notingChanges } from './services/activity-notes.ts'
import { createServices, type Services } from './services/index.ts'
import { StagedNames } from './storage/reserved-names.ts'
import type { Storage } from './storage/storage.ts'
import type { StoreDocument } from './store/document.ts'
import { soleDaemon } from './store/sole-daemon.ts'
import { storeCodec, type Stores } from './store/open-stores.ts'
import type { Collection, Shared, Store } from './store/store.ts'

/** Everything that runs, wired once. Disposing of it ends the services and closes storage and stores. */
export interface Context extends AsyncDisposable {
  readonly options: ServerOptions
  readonly optionSources: Readonly<Record<string, OptionSource>>
  /** Of the stores, or of what this machine has beside the database; see `ContextParts`. */
  readonly dataFolder?: string
  readonly version: string
  readonly log: Logger
  readonly clock: Clock
  readonly store: Store<StoreDocument>
  readonly sessions: Collection<Session>
  /** Only where other daemons use the store too. */
  readonly shared?: Shared
  readonly storage: Storage
  /** Reads people's texts in any encoding. */
  readonly texts: TextReader
  readonly services: Services
}

/** The parts of a context, which owns and disposes of them. */
export interface ContextParts {
  readonly options: ServerOptions
  readonly optionSources?: Readonly<Record<string, OptionSource>>
  readonly stores: Stores
  /** Folder of the stores, if they are on disk. Never served, even if it is inside the served folder. */
  readonly dataFolder?: string
  /** False if the activity log is in the database only: the data folder of this machine has never had a store. */
  readonly hasActivityFile?: boolean
  /** Never served. */
  readonly configFile?: string | undefined
  /** The staged names of a daemon; disposed of while the stores are still locked. */
  readonly staging?: Promise<StagingRun> | undefined
  /** Default: the folder or bucket that `options.root` names, opened on first use. */
  readonly storage?: Storage
  /** Default: no log. */
  readonly log?: Logger
  readonly clock?: Clock
  /** Of all heavy work. Default: what this process may use. */
  readonly memory?: HeavyMemory
  readonly hasher?: PasswordHasher
  /** Sends requests to the captcha service. */
  readonly postForm?: PostForm
  /** External decoders for videos and HEIF images. Default: those installed on this machine. */
  readonly foreign?: ForeignDecoders
}

/** Cheaper than for accounts: anyone can make the server hash a guess for a link, and the password of a link protects less. */
const SHARE_PASSWORD_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The composition root. @throws INVALID_INPUT for invalid options */
export async function createContext(parts: ContextParts): Promise<Context> {
  const { options, optionSources = {}, dataFolder, log = silentLogger, clock = systemClock } = parts
  const stores = { ...parts.stores, store: notingChanges(parts.stores.store) }
  requireTokenLife(options)
  const protectedPaths = () =>
    protectedPathsOf({ dataFolder, options, configFile: parts.configFile, settings: stores.store.snapshot().settings })
  const { root } = options
  const memory = parts.memory ?? new HeavyMemory({ onRest: createMajorGc() })
  const shared = stores.shared ?? soleDaemon({ folder: dataFolder, clock, log })
  const stagedNames = async () => {
    const { names } = (await parts.staging) ?? { names: new StagedNames() }
    keepForUploads(names, shared.uploadRecords)
    return names
  }
  const { opened: storage, close } = openRoots({
    store: stores.store,
    options,
    ...(parts.storage && { files: parts.storage }),
    served: async () => ({ staged: await stagedNames(), protectedPaths, locks: shared.nameLocks, memory }),
    log,
  })
  const hidden = await hiddenPaths(root, protectedPaths())
  const hasher = parts.hasher ?? createPasswordHasher({ memory })
  const shareHasher = parts.hasher ?? createPasswordHasher({ cost: SHARE_PASSWORD_COST, memory })
  const images = new ImageProcesses({ size: Math.min(options.imageProcessors, MEMORY_PLAN.pictures), memory })
  const texts = new TextReader(memory)
  const { brandingRecords } = stores.shared ?? {}
  const branding = { folder: dataFolder, store: stores.store }
  const services = createServices({
    ...stores,
    ...shared,
    options,
    optionSources,
    storage,
    protectedPaths,
    checkBucket: checkServedFolder,
    lookAtRoot: async (path) => await (await import('./storage/local/where-folder-is.ts')).lookAtRoot(path),
    whereFolderIs: async (path) => await (await import('./storage/local/where-folder-is.ts')).whereFolderIs(path),
    forgetsUploads: dataFolder === undefined,
    memory,
    texts,
    images,
    foreign: parts.foreign ?? new ForeignDecoders({ memory }),
    cache: thumbnailCache(dataFolder, options.cacheDir, clock),
    hasher,
    shareHasher,
    postForm: parts.postForm ?? createPostForm(),
    clock,
    random: systemRandom,
    log,
    hidden,
    brandingFolders: brandingRecords
      ? sharedBrandingFolders({ ...branding, records: brandingRecords })
      : brandingFolders(branding),
    auditTrail: auditTrail(parts.hasActivityFile === false ? undefined : dataFolder, stores.shared?.auditEntries),
    backup: { codec: storeCodec(), folders: backupFolders(dataFolder, brandingRecords) },
  })
  return {
    options,
    optionSources,
    ...(dataFolder !== undefined && { dataFolder }),
    get version() {
      return packageVersion()
    },
    log,
    clock,
    ...stores,
    storage,
    texts,
    services,
    async [Symbol.asyncDispose]() {
      const staging = await parts.staging
      for (const part of [services, texts, images, close, staging, parts.stores]) await part?.[Symbol.asyncDispose]()
    },
  }
}

function requireTokenLife({ tokenExpirationTime: text }: ServerOptions): void {
  if ((parseDuration(text) ?? 0) >= 1000) return
  const message = `the life of a token must be a duration of a second or more, such as 30m or 2h30m, not "${text}"`
  fail('INVALID_INPUT', message, { field: 'tokenExpirationTime' })
}
