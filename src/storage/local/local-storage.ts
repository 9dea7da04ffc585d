import type { RuleCheck } from '../../domain/access/rule-check.ts'
import { fail } from '../../domain/errors.ts'
import { parseVirtualPath, ROOT, segmentsOf } from '../../domain/files/virtual-path.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { type NameLocks, ProcessLocks } from '../../platform/limits/name-locks.ts'
import { ensureFolder } from './scope/ensure-folder.ts'
import { type LocalResourcesOptions, openLocalResources, type OwnedLocalResources } from './local-resources.ts'
import { localScope } from './local-scope.ts'
import { isReservedName, StagedNames, type Unseen } from '../reserved-names.ts'
import { holdFolder } from './scope/resolve.ts'
import { bounded, OperationRunner } from './scope/run-operation.ts'
import { bareScopeRoot } from './scope/scope-root.ts'
import { ServedRoot } from './scope/served-root.ts'
import { statsOf } from './system/disk.ts'
import { stat } from './system/gated-calls.ts'
import { at, type Handle, hold, HOLD_FOLDER } from './system/handle.ts'
import { translateError } from './system/os-error.ts'
import { visitHidden } from './tree/visit-hidden.ts'
import type { LinkPolicy, Scope, Storage, StoragePath, VisitHidden, Work } from '../storage.ts'

export interface LocalStorageOptions extends LocalResourcesOptions {
  /** What messages call it. Defaults to "the served folder". */
  readonly called?: (() => string) | undefined
  /** Threads and descriptors that it shares with other folders. By default it has its own. */
  readonly resources?: OwnedLocalResources | undefined
  /** The folder is away unless a disk is mounted here. Empty if it needs none. */
  readonly mountPoint?: string | undefined
  /** False if searches must not remember names. */
  readonly index?: boolean | undefined
  /** The current paths of the daemon's own files, which no user may reach. */
  readonly protectedPaths?: () => readonly string[]
  /** Names for staged files. Defaults to names without an owner. */
  readonly staged?: StagedNames | undefined
  /** Locks for what several daemons change. Defaults to locks of this storage. */
  readonly locks?: NameLocks | undefined
  readonly clock?: Clock
}

const MAX_KEPT = 128
/** Of each of several folders. */
const MAX_KEPT_EACH = 16
const FOLDER_MODE = 0o750

/**
 * Opens a folder of this machine as storage.
 *
 * @throws NOT_FOUND, FORBIDDEN, BUSY if its disk does not respond, UNSUPPORTED if the system cannot open files by descriptor
 */
export async function openLocalStorage(root: string, options: LocalStorageOptions = {}): Promise<Storage> {
  await bounded(async () => {
    try {
      using handle = await hold(root, HOLD_FOLDER)
      await requireDescriptorPaths(handle)
    } catch (error) {
      throw translateError(error, '/')
    }
  })
  return localStorage(root, options)
}

function localStorage(root: string, options: LocalStorageOptions): Storage {
  const { clock = systemClock, protectedPaths = () => [], mountPoint, index = true } = options
  const { called = () => 'the served folder' } = options
  const staged = options.staged ?? new StagedNames()
  const resources = options.resources ?? openLocalResources(options)
  const onReplaced = () => {
    resources.watches.loseAll()
    staged.rootReplaced()
  }
  const maxKept = Math.min(options.resources ? MAX_KEPT_EACH : MAX_KEPT, Math.floor(resources.maxDescriptors / 16))
  const { locks = new ProcessLocks() } = options
  const served = new ServedRoot({ path: root, called, mountPoint, protectedPaths, maxKept, onReplaced, locks, staged })

  async function visitAll(visit: VisitHidden, signal?: AbortSignal): Promise<Unseen> {
    const { root, protectedPaths, effects } = await served.acquire()
    using _root = root
    const { descriptors, copies } = resources
    const scopeRoot = bareScopeRoot(root, 'inside', protectedPaths, effects)
    const runner = new OperationRunner(scopeRoot, descriptors, copies)
    const { moves } = effects
    const visitEach = async (work: Work) => await visitHidden(scopeRoot, visit, work, clock)
    const isWhole = await runner.walk(ROOT, { signal }, visitEach)
    if (!isWhole) return 'unreadable'
    return effects.moves === moves ? 'nothing' : 'moved'
  }

  async function openScope(folder: StoragePath, links: LinkPolicy, permits?: RuleCheck): Promise<Scope> {
    using permit = await resources.descriptors.acquire(1)
    try {
      const { root, openedPath, protectedPaths, kept, effects } = await served.acquire()
      using _root = root
      const segments = segmentsOfScope(folder)
      const held = await holdFolder({ ...bareScopeRoot(root, links, protectedPaths), kept, openedPath }, segments)
      const scopeRoot = {
        folder: held,
        links,
        protectedPaths,
        permits,
        realPrefix: ROOT,
        staged,
        effects,
        // The served folder is whatever is at its path. A scope inside stays the folder that was opened, even if it is moved.
        kept,
        openedPath: segments.length === 0 ? openedPath : undefined,
        ...(!index && { forgetsNames: true as const }),
      }
      return localScope(scopeRoot, resources, permit.split(1))
    } catch (error) {
      throw translateError(error, folder)
    }
  }

  async function makeScope(folder: StoragePath, links: LinkPolicy, admitFolder: Work['admitFolder']): Promise<void> {
    using _permit = await resources.descriptors.acquire(2)
    try {
      const { root, protectedPaths, effects } = await served.acquire()
      using _root = root
      const bare = bareScopeRoot(root, links, protectedPaths, effects)
      const made = await ensureFolder(bare, segmentsOfScope(folder), FOLDER_MODE, { admitFolder })
      made[Symbol.dispose]()
    } catch (error) {
      throw translateError(error, folder)
    }
  }

  return {
    async ready() {
      const { root } = await served.acquire()
      root[Symbol.dispose]()
    },

    conditions: async () => undefined,

    openScope: async (folder, links, permits) => await bounded(async () => await openScope(folder, links, permits)),

    async makeScope(folder, links = 'inside', { admitFolder } = {}) {
      await bounded(async () => await makeScope(folder, links, admitFolder))
    },

    visitHidden: async (visit, signal) => (await visitAll(visit, signal)) !== 'unreadable',

    visitStaged: visitAll,

    sweep: async (options = {}) =>
      await staged.sweep(options, async (isAbandoned) => await visitAll(isAbandoned, options.signal)),

    async [Symbol.asyncDispose]() {
      if (options.resources === undefined) await resources[Symbol.asyncDispose]()
      served[Symbol.dispose]()
    },
  }
}

function segmentsOfScope(folder: StoragePath): string[] {
  const segments = segmentsOf(parseVirtualPath(folder))
  if (segments.some(isReservedName)) fail('NOT_FOUND', 'there is nothing at this path')
  return segments
}

/**
 * All paths go through /proc/self/fd, so it must lead to the open entries. Without it, a folder swapped for a link could
 * redirect operations anywhere, so there is no weaker fallback.
 */
async function requireDescriptorPaths(root: Handle): Promise<void> {
  const held = await statsOf(root)
  const seen = await stat(at(root), { bigint: true }).catch(() => undefined)
  if (process.platform === 'linux' && seen?.ino === held.ino && seen.dev === held.dev) return
  fail('UNSUPPORTED', 'files cannot be served safely here: Linux with /proc mounted is needed')
}
