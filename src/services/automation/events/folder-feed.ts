import type { Actor } from '../../../domain/accounts/actor.ts'
import { servedFolderOf } from '../../../domain/server/root.ts'
import type { ServerEvent } from '../../../domain/automation/event.ts'
import {
  below,
  childOf,
  isInside,
  nameOf,
  parentOf,
  ROOT,
  type VirtualPath,
} from '../../../domain/files/virtual-path.ts'
import { SHARED_FOLDER } from '../../../domain/shares/shared-folder.ts'
import type { AccessService } from '../../access/access.ts'
import { Debounce } from './debounce.ts'

/** Changes by other programs come in bursts, and each event makes the client fetch a listing. */
const BY_DISK = { delay: 150, pause: 1000 }
/** Our own changes are reported immediately. */
const BY_US = { delay: 0, pause: 250 }
/** Milliseconds between polls of a folder that cannot be watched. */
const POLL_INTERVAL = 10_000

export interface FolderFeedDeps {
  readonly access: Pick<AccessService, 'at'>
  /** The client, with no checks passed yet. */
  readonly actor: () => Actor
  readonly notify: (event: ServerEvent) => void
  /** Called with the storage path of the folder, as often as its client is notified. */
  readonly onChanged: (folder: VirtualPath) => void
}

interface Followed {
  /** As the client names it. */
  readonly path: VirtualPath
  /** In the scope. */
  readonly opened: VirtualPath
  /** The scope that it is in, as a storage path. */
  readonly scope: VirtualPath
  /** What the user may see; undefined while the folder is denied or missing. */
  allows: ((path: VirtualPath) => boolean) | undefined
  watch: Disposable | undefined
}

/** Notifies a client of changes in its open folder, except those that the user may not see. */
export class FolderFeed implements Disposable {
  readonly #deps: FolderFeedDeps
  readonly #debounce = new Debounce(() => this.#notify())
  #followed: Followed | undefined
  /** Counts calls of `follow`, because only the last one counts. */
  #calls = 0
  #polling: NodeJS.Timeout | undefined
  /** The folder's mtime at the last poll. */
  #modified: string | undefined

  constructor(deps: FolderFeedDeps) {
    this.#deps = deps
  }

  get path(): VirtualPath | undefined {
    return this.#followed?.path
  }

  /**
   * Switches to a folder, or to none, or stays. Of concurrent calls, the last one wins.
   *
   * @throws FORBIDDEN, NOT_FOUND, CONFLICT; the previous folder is then still followed
   */
  async follow(path: VirtualPath | undefined): Promise<void> {
    this.#calls += 1
    if (path === this.path) return
    const call = this.#calls
    const next = path === undefined ? undefined : await this.#open(path)
    if (this.#calls !== call) return next?.watch?.[Symbol.dispose]()
    this[Symbol.dispose]()
    this.#followed = next
  }

  /** Opens the folder again, because permissions may have changed or the path may lead elsewhere. */
  async refreshAccess(): Promise<void> {
    const { path } = this.#followed ?? {}
    if (path === undefined) return
    this.#debounce.trigger(BY_DISK)
    try {
      const next = await this.#open(path)
      // The client has opened another folder meanwhile.
      if (this.path !== path) return next.watch?.[Symbol.dispose]()
      this.#release()
      this.#followed = next
    } catch {
      if (this.path === path) this.#poll()
    }
  }

  /** Reports a change that was made through us. @param changed a storage path */
  changedByUs(changed: VirtualPath): void {
    const { opened, scope, allows } = this.#followed ?? {}
    if (opened === undefined || scope === undefined || allows === undefined) return
    const folder = below(scope, opened)
    const isFolderItself = isInside(changed, folder)
    const isChild = !isFolderItself && parentOf(changed) === folder && allows(childOf(opened, nameOf(changed)))
    if (isFolderItself || isChild) this.#debounce.trigger(BY_US)
  }

  [Symbol.dispose](): void {
    this.#release()
    this.#debounce[Symbol.dispose]()
    this.#followed = undefined
  }

  #release(): void {
    clearInterval(this.#polling)
    this.#polling = undefined
    this.#followed?.watch?.[Symbol.dispose]()
  }

  async #open(path: VirtualPath): Promise<Followed> {
    // Its entries are on no disk: `shares` tells of those.
    if (path === SHARED_FOLDER) return { path, opened: path, scope: ROOT, allows: undefined, watch: undefined }
    using files = await this.#deps.access.at(this.#deps.actor(), path)
    const { path: opened } = files
    files.requireAllowed(opened)
    // Its entries are places, which change only by a change of the account.
    if (files.place.all === true) return { path, opened, scope: ROOT, allows: undefined, watch: undefined }
    // Not that of `files`, which fails once the session has ended.
    const { judge } = files
    const allows = (each: VirtualPath) => judge.allows(each)
    const followed: Followed = { path, opened, scope: servedFolderOf(files.user), allows, watch: undefined }
    followed.watch = await files.scope.watch(opened, {
      changed: (name) => {
        if (this.#followed !== followed) return
        if (name === undefined) void this.refreshAccess()
        // Not parsed as a path, because a name on the disk may be invalid UTF-8.
        else if (!this.#debounce.isDue && allows(below(opened, `/${name}` as VirtualPath)))
          this.#debounce.trigger(BY_DISK)
      },
      lost: () => {
        if (this.#followed !== followed) return
        this.#deps.notify({ name: 'gap', data: {} })
        this.#poll(allows)
      },
    })
    return followed
  }

  /** Polls a folder that cannot be watched. */
  #poll(allows?: (path: VirtualPath) => boolean): void {
    this.#release()
    if (this.#followed === undefined) return
    this.#followed = { ...this.#followed, allows, watch: undefined }
    this.#modified = undefined
    void this.#checkModified()
    this.#polling = setInterval(() => void this.#checkModified(), POLL_INTERVAL).unref()
  }

  async #checkModified(): Promise<void> {
    const followed = this.#followed
    if (followed === undefined) return
    const modified = await this.#modifiedOf(followed.path).catch(() => 'missing')
    if (this.#followed !== followed) return
    const before = this.#modified
    this.#modified = modified
    // The folder has changed, so try to watch it again.
    if (before !== undefined && modified !== before) await this.refreshAccess()
  }

  async #modifiedOf(shown: VirtualPath): Promise<string> {
    using files = await this.#deps.access.at(this.#deps.actor(), shown)
    const { path } = files
    files.requireAllowed(path)
    return (await files.scope.stat(path, { ...files.view('/'), sniff: false })).modified
  }

  #notify(): void {
    const { path, opened = ROOT, scope = ROOT } = this.#followed ?? {}
    if (path === undefined) return
    this.#deps.onChanged(below(scope, opened))
    this.#deps.notify({ name: 'folder', data: { path } })
  }
}
