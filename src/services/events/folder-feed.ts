import type { Actor } from '../../domain/accounts/actor.ts'
import type { ServerEvent } from '../../domain/event.ts'
import {
  below,
  childOf,
  cleanVirtualPath,
  isInside,
  nameOf,
  parentOf,
  type VirtualPath,
} from '../../domain/files/virtual-path.ts'
import type { AccessService, FileAccess } from '../access/access.ts'
import { Pace } from './pace.ts'

/** Changes by other programs come in bursts, and each notice costs the receiver a listing. */
const BY_DISK = { delay: 150, pause: 1000 }
/** What was done through us is told at once. */
const BY_US = { delay: 0, pause: 250 }
/** How often a folder that cannot be watched is polled, in milliseconds. */
const LOOK_EVERY = 10_000

export interface FolderFeedDeps {
  readonly access: Pick<AccessService, 'for'>
  /** The listening account as it is now. Undefined once it is deleted. */
  readonly actor: () => Actor | undefined
  readonly tell: (event: ServerEvent) => void
}

interface Followed {
  readonly path: VirtualPath
  /** The folder of the scope, as the storage names it. */
  readonly scope: VirtualPath
  /** What the listener may see; nothing while a rule denies the folder, or it is missing. */
  allows: ((path: VirtualPath) => boolean) | undefined
  watch: Disposable | undefined
}

/** Notifies one listener of changes in the open folder, and of nothing that the listener may not see. */
export class FolderFeed implements Disposable {
  readonly #deps: FolderFeedDeps
  readonly #pace = new Pace(() => this.#tell())
  #followed: Followed | undefined
  /** How often a folder was asked for. */
  #asked = 0
  #looking: NodeJS.Timeout | undefined
  /** Its last known change, while it is polled. */
  #mark: string | undefined

  constructor(deps: FolderFeedDeps) {
    this.#deps = deps
  }

  get path(): VirtualPath | undefined {
    return this.#followed?.path
  }

  /**
   * From now on of this folder, or of none; of several that are asked for at once, of the last.
   *
   * @throws FORBIDDEN, NOT_FOUND, CONFLICT; then it goes on with the one before
   */
  async follow(path: VirtualPath | undefined): Promise<void> {
    this.#asked += 1
    const asked = this.#asked
    const next = path === undefined ? undefined : await this.#open(path)
    if (this.#asked !== asked) return next?.watch?.[Symbol.dispose]()
    this[Symbol.dispose]()
    this.#followed = next
  }

  /** Permissions may have changed, or the path leads elsewhere. */
  async followAgain(): Promise<void> {
    const { path } = this.#followed ?? {}
    if (path === undefined) return
    this.#pace.word(BY_DISK)
    try {
      const next = await this.#open(path)
      // The listener has opened another folder meanwhile.
      if (this.path !== path) return next.watch?.[Symbol.dispose]()
      this.#release()
      this.#followed = next
    } catch {
      if (this.path === path) this.#lookOnly()
    }
  }

  /** Something was done through us. @param place as the storage names it */
  heard(place: VirtualPath): void {
    const { path, scope, allows } = this.#followed ?? {}
    if (path === undefined || scope === undefined || allows === undefined) return
    const folder = below(scope, path)
    const isHere = isInside(place, folder)
    const isChild = !isHere && parentOf(place) === folder && allows(childOf(path, nameOf(place)))
    if (isHere || isChild) this.#pace.word(BY_US)
  }

  [Symbol.dispose](): void {
    this.#release()
    this.#pace[Symbol.dispose]()
    this.#followed = undefined
  }

  #release(): void {
    clearInterval(this.#looking)
    this.#looking = undefined
    this.#followed?.watch?.[Symbol.dispose]()
  }

  async #open(path: VirtualPath): Promise<Followed> {
    await using files = await this.#files()
    files.requireAllowed(path)
    const { allows } = files
    const followed: Followed = { path, scope: cleanVirtualPath(files.user.scope), allows, watch: undefined }
    followed.watch = await files.scope.watch(path, {
      changed: (name) => {
        if (this.#followed !== followed) return
        if (name === undefined) void this.followAgain()
        // A name on the disk may not be valid UTF-8, and so no path that a client can name.
        else if (!this.#pace.isDue && allows(below(path, `/${name}` as VirtualPath))) this.#pace.word(BY_DISK)
      },
      lost: () => {
        if (this.#followed !== followed) return
        this.#deps.tell({ name: 'gap', data: {} })
        this.#lookOnly(allows)
      },
    })
    return followed
  }

  async #files(): Promise<FileAccess> {
    const actor = this.#deps.actor()
    if (actor === undefined) throw new Error('the user is gone')
    return await this.#deps.access.for(actor)
  }

  #lookOnly(allows?: (path: VirtualPath) => boolean): void {
    this.#release()
    if (this.#followed === undefined) return
    this.#followed = { ...this.#followed, allows, watch: undefined }
    this.#mark = undefined
    void this.#look()
    this.#looking = setInterval(() => void this.#look(), LOOK_EVERY).unref()
  }

  async #look(): Promise<void> {
    const followed = this.#followed
    if (followed === undefined) return
    const mark = await this.#markOf(followed.path).catch(() => 'missing')
    if (this.#followed !== followed) return
    const before = this.#mark
    this.#mark = mark
    // The folder changes, so watch it again.
    if (before !== undefined && mark !== before) await this.followAgain()
  }

  async #markOf(path: VirtualPath): Promise<string> {
    await using files = await this.#files()
    files.requireAllowed(path)
    return (await files.scope.stat(path, { ...files.view('/'), sniff: false })).modified
  }

  #tell(): void {
    const { path } = this.#followed ?? {}
    if (path !== undefined) this.#deps.tell({ name: 'folder', data: { path } })
  }
}
