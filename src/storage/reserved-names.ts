import { randomUUID } from 'node:crypto'
import { fail } from '../domain/errors.ts'
import type { HiddenEntry, StagedBy } from '../domain/files/hidden-entry.ts'
import { ROOTS_FOLDER } from '../domain/server/root.ts'
import { SHARED_FOLDER } from '../domain/shares/shared-folder.ts'
import { foldForDisks } from '../domain/text/fold.ts'
import { segmentsOf, type VirtualPath } from '../domain/files/virtual-path.ts'
import { type Clock, systemClock } from '../platform/clock.ts'

/** The folder that contains the trash. */
export const TRASH = '.filemgr-trash'
/** Among the files of each user, what others share with them: no entry of a disk may be mistaken for it. */
const SHARED = SHARED_FOLDER.slice(1)
/** Beneath it are the roots. */
const ROOTS = ROOTS_FOLDER.slice(1)
/** Name of a deleted file or folder in its own folder of the trash, `.filemgr-trash/<owner>/<id>`, beside its record. */
export const TRASH_CONTENT = 'content'
/** Milliseconds without a change after which a staged file of an unknown run counts as abandoned. */
const FORGOTTEN = 24 * 60 * 60_000
const STAGED = /^\.(?:([0-9a-f]{8})-([0-9a-f]{8})-)?[\w-]{12}\.fm-tmp$/i

/** Who stages files: an installation, and one run of its daemon. Each is eight hexadecimal digits. */
export interface Stager {
  readonly installation: string
  readonly run: string
}

/**
 * Name of a file that is still being written, in the folder of its target so that a rename can put it in place.
 *
 * @param by undefined for commands and ephemeral daemons, whose names have no owner
 */
function stagedName(by: Stager | undefined): string {
  const random = randomUUID().replace('-', '').slice(0, 12)
  return by === undefined ? `.${random}.fm-tmp` : `.${by.installation}-${by.run}-${random}.fm-tmp`
}

export function isStagedName(name: string): boolean {
  return STAGED.test(name)
}

/** Another name with the same owner, so that a sweep still knows whose it is. */
export function otherStagedName(name: string): string {
  return stagedName(stagerOf(name))
}

/** The owner in a staged name; undefined if it has none. Ignores case, because some disks store names in capitals. */
function stagerOf(name: string): Stager | undefined {
  const [, installation, run] = STAGED.exec(name.toLowerCase()) ?? []
  return installation === undefined || run === undefined ? undefined : { installation, run }
}

/**
 * Reserved names, which users cannot see, reach or create. Some disks ignore case, and characters that draw nothing: the attack is
 * another spelling, which opens the trash of others there.
 */
export function isReservedName(name: string): boolean {
  if (!MAY_BE_RESERVED.test(name)) return false
  const folded = foldForDisks(name)
  return STAGED.test(folded) || folded === TRASH || folded === SHARED || folded === ROOTS
}

/** Begins with a dot, in any width, or with something that a disk may ignore. */
const MAY_BE_RESERVED = /^[.\u2024\ufe52\uff0e\p{Default_Ignorable_Code_Point}]/u

/** Segments of an existing path. @throws NOT_FOUND for reserved names */
export function reachableSegments(path: VirtualPath): string[] {
  const segments = segmentsOf(path)
  if (segments.some(isReservedName)) fail('NOT_FOUND', 'there is nothing at this path')
  return segments
}

/** Segments of a path to create. @throws FORBIDDEN for reserved names */
export function creatableSegments(path: VirtualPath): string[] {
  const segments = segmentsOf(path)
  if (segments.some(isReservedName)) fail('FORBIDDEN', 'this name is reserved')
  return segments
}

/** A text that identifies a run. */
export function runOf({ installation, run }: Stager): string {
  return `${installation}-${run}`
}

/** Runs of other daemons, as `runOf` names them: alive or dead, according to their leases. */
export interface OtherRuns {
  readonly alive?: readonly string[]
  readonly dead?: readonly string[]
}

interface Judging {
  /** Names that unfinished uploads need, whichever run began them. */
  readonly kept: ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Whether an entry has a staged name, and the operation that it belongs to may still run. @param changed as in `StagedEntry` */
export type IsLiving = (name: string, changed: number) => boolean

export interface SweepOptions {
  readonly signal?: AbortSignal | undefined
  /** Runs of other daemons that have died, as `runOf` names them; they count as earlier runs. */
  readonly dead?: readonly string[]
  /** Names of files that other daemons have left behind, whichever run began them. */
  readonly left?: readonly string[]
  /** A number that grows whenever another daemon may have moved a folder. */
  readonly movesElsewhere?: () => number
}

export interface Swept {
  /** Files and folders at the top of what was left. */
  readonly removed: number
  /** False if something may still be there: the next sweep looks again. */
  readonly isComplete: boolean
}

/** What a search may have missed: entries that could not be read or removed, or folders that were moved meanwhile. */
export type Unseen = 'nothing' | 'moved' | 'unreadable'

/** How often a sweep looks through everything, if folders are moved all the time. What is left then waits for the next sweep. */
const MAX_PASSES = 5

/** Generates the names of this process's staged files, and tracks whether files may be left when it ends. */
export class StagedNames {
  #stager: Stager | undefined
  /** Other runs, by name: true for those that are alive. */
  readonly #others = new Map<string, boolean>()
  /** True if an earlier run may have left staged files behind. */
  isSweepDue: boolean
  readonly #wasUnclean: boolean
  /** Names of this run whose operations have ended without removing them. */
  readonly #leftBehind = new Set<string>()
  /** Those that other daemons have left behind, as the last sweep was told. */
  #leftElsewhere: ReadonlySet<string> = new Set()
  /** Names that operations are using at this moment. */
  readonly #inUse = new Set<string>()
  #expectsLateWrites = false
  /** Called with the name of a file of another run that was left behind: nobody would look for it. */
  onForeignLeft: (name: string) => void = () => undefined
  /** Resolves with the names that unfinished uploads need. */
  neededByUploads: () => Promise<ReadonlySet<string>> = async () => new Set()

  /** @param wasUnclean the last run ended without cleaning up */
  constructor(stager?: Stager, wasUnclean = false) {
    this.#stager = stager
    this.#wasUnclean = wasUnclean
    this.isSweepDue = wasUnclean
  }

  /** Undefined if names of this process have no owner. */
  get stager(): Stager | undefined {
    return this.#stager
  }

  /** Names belong to another run from now on, because the other daemons take the present one for dead. */
  startNewRun(stager: Stager): void {
    this.#stager = stager
  }

  /** Records which other runs are alive and which are dead, whose files a sweep removes. */
  noteRuns({ alive = [], dead = [] }: OtherRuns): void {
    for (const run of alive) this.#others.set(run, true)
    for (const run of dead) this.#others.set(run, false)
    if (dead.length > 0) this.isSweepDue = true
  }

  next(): string {
    return stagedName(this.stager)
  }

  /** The same, until `end`: if the process ends before, the next run has to sweep it. */
  begin(): string {
    const name = this.next()
    this.#inUse.add(name)
    return name
  }

  /** Nothing has the name any more. */
  end(name: string): void {
    this.#inUse.delete(name)
  }

  /** Call when a staged file could not be removed, so that the next run sweeps it. */
  leaveBehind(name: string): void {
    this.end(name)
    this.#leftBehind.add(name)
    if (stagerOf(name) !== undefined && !this.isOwn(name)) this.onForeignLeft(name)
  }

  /**
   * Call for a name under which others may still write once it is not needed any more. The attack is to fill the storage beside the
   * quota: each sweep looks for such files.
   */
  expectLateWrites(name: string): void {
    this.leaveBehind(name)
    this.#expectsLateWrites = true
  }

  /** Whether a name is of this very run. */
  isOwn(name: string): boolean {
    const stager = stagerOf(name)
    return stager !== undefined && this.#stager !== undefined && runOf(stager) === runOf(this.#stager)
  }

  /** Call when another disk is served: the sweep did not cover the one that the last run served. */
  rootReplaced(): void {
    this.isSweepDue = this.#wasUnclean
  }

  get isClean(): boolean {
    return !this.isSweepDue && this.#leftBehind.size === 0 && this.#inUse.size === 0
  }

  /**
   * Removes abandoned files, if there may be any.
   *
   * @param visit removes the hidden entries for which its argument returns true. Resolves to what it may not have seen.
   */
  async sweep(
    { dead = [], left = [], movesElsewhere = () => 0 }: SweepOptions,
    visit: (isAbandoned: (entry: HiddenEntry) => boolean) => Promise<Unseen>,
  ): Promise<Swept> {
    this.noteRuns({ dead })
    this.#leftElsewhere = new Set(left)
    if (left.length > 0 || this.#expectsLateWrites) this.isSweepDue = true
    let removed = 0
    for (let pass = 0; pass < MAX_PASSES && this.isSweepDue; pass += 1) {
      let found = 0
      const moves = movesElsewhere()
      const unseen = await visit((entry) => {
        const isAbandoned = entry.kind === 'staged' && entry.by !== 'another installation' && !entry.isAlive
        if (isAbandoned) found += 1
        return isAbandoned
      })
      removed += found
      if (unseen === 'unreadable') break
      // Messages of other daemons may be late: where one file was left, there may be more.
      this.isSweepDue = unseen === 'moved' || movesElsewhere() !== moves || found > 0
    }
    return { removed, isComplete: !this.isSweepDue }
  }

  /** Judges staged entries for a walk, by the uploads that are unfinished when it begins: later ones belong to a living run. */
  async living(clock: Clock = systemClock): Promise<IsLiving> {
    const judging = { kept: await this.neededByUploads(), now: clock.now() }
    return (name, changed) => isStagedName(name) && this.#isAlive(name, changed, judging)
  }

  /** The one decision whether a staged file or folder belongs to an operation that may still run. */
  #isAlive(name: string, changed: number, { kept, now }: Judging): boolean {
    if (kept.has(name)) return true
    const by = this.stagedBy(name)
    if (by === 'this run') return !this.#leftBehind.has(name)
    return by !== 'an earlier run' && now - changed <= FORGOTTEN
  }

  stagedBy(name: string): StagedBy {
    const made = stagerOf(name)
    if (made === undefined) return 'unknown'
    if (this.#leftElsewhere.has(name)) return 'an earlier run'
    const isAlive = this.#others.get(runOf(made))
    if (isAlive !== undefined) return isAlive ? 'this run' : 'an earlier run'
    if (made.installation !== this.stager?.installation) return 'another installation'
    return made.run === this.stager.run ? 'this run' : 'an earlier run'
  }
}
