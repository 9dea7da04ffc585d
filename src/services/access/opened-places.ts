import type { EffectiveUser } from '../../domain/accounts/effective-user.ts'
import {
  neededFor,
  NO_PERMISSIONS,
  type Permissions,
  requireRight,
  type Right,
} from '../../domain/access/permissions.ts'
import type { PathJudge } from '../../domain/access/rule-check.ts'
import { fail } from '../../domain/errors.ts'
import { isInside, parseVirtualPath, relativeTo, ROOT, type VirtualPath } from '../../domain/files/virtual-path.ts'
import { isSharedPath } from '../../domain/shares/shared-folder.ts'
import type { ListingView, Scope } from '../../storage/storage.ts'
import type { FileAccess, PathIn, Place } from './file-access.ts'
import { failListsPlaces, mayDownloadIn, openEach, type OpeningPlace, type PlaceInAll, topOf } from './place-in-all.ts'
import { createPlacesScope } from './places-scope.ts'

interface AllPlaces {
  readonly user: EffectiveUser
  /** The path that was asked for, as the request has it. */
  readonly text: string
  /** The path that an API token is limited to. */
  readonly within: VirtualPath
  readonly opening: readonly OpeningPlace[]
  readonly refresh: FileAccess['refresh']
}

/** "/" of a user with several places: it lists them, and paths in it are those of the user. Only looking is possible. */
export class OpenedPlaces implements FileAccess {
  readonly user: EffectiveUser
  readonly by: EffectiveUser
  readonly scope: Scope
  readonly countsAs: string
  readonly rootName = 'files'
  readonly place: Place = { all: true }
  readonly given = undefined
  readonly top = ROOT
  readonly rootRecord = undefined
  readonly refresh: FileAccess['refresh']
  readonly requireStill = (): void => {
    for (const { files } of this.#places) files?.requireStill()
    for (const check of this.#others) check()
  }
  readonly #places: readonly PlaceInAll[]
  readonly #text: string
  readonly #within: VirtualPath
  readonly #others = new Set<() => void>()

  private constructor({ user, text, within, refresh }: AllPlaces, places: readonly PlaceInAll[]) {
    this.user = user
    this.by = user
    this.countsAs = `user ${user.id}`
    this.refresh = refresh
    this.#text = text
    this.#within = within
    this.#places = places
    this.scope = createPlacesScope(places)
  }

  static async open(all: AllPlaces): Promise<OpenedPlaces> {
    return new OpenedPlaces(all, await openEach(all.opening))
  }

  get judge(): PathJudge {
    const allows = (path: VirtualPath) => this.allows(path)
    return {
      rules: [],
      permissionRules: [],
      allows,
      permits: (path) => this.permits(path),
      explain: (path) => ({ allowed: allows(path), rule: undefined, matching: [], hiddenDotfile: false }),
      permissionsBy: () => ({}),
      permissionRuleFor: () => undefined,
    }
  }

  permissionsAt(path: VirtualPath): Permissions {
    if (path !== ROOT) {
      const at = this.#in(path)
      return at === undefined ? NO_PERMISSIONS : at.files.permissionsAt(at.path)
    }
    const download = this.#places.some(({ files }) => files !== undefined && mayDownloadIn(files))
    return { ...NO_PERMISSIONS, download }
  }

  get away(): readonly string[] {
    return this.#places.filter(({ files }) => files === undefined).map(({ name }) => name)
  }

  get hasRules(): boolean {
    return this.#places.some(({ files }) => files?.hasRules === true)
  }

  get hasPermissionRules(): boolean {
    return this.#places.some(({ files }) => files?.hasPermissionRules === true)
  }

  get path(): VirtualPath {
    return this.pathOf(this.#text)
  }

  pathOf(text: string): VirtualPath {
    return isSharedPath(text)
      ? fail('INVALID_INPUT', 'this takes only paths in your own files')
      : parseVirtualPath(text)
  }

  shown(path: VirtualPath): VirtualPath {
    return path
  }

  view(shownPath: string): ListingView {
    const { download, create, modify, rename, delete: remove, share } = this.permissionsAt(ROOT)
    return {
      rules: [],
      rulePrefix: ROOT,
      hideDotfiles: false,
      sorting: this.user.sorting,
      shownPath,
      sniff: false,
      canModify: false,
      permissions: { download, create, modify, rename, delete: remove, share },
    }
  }

  readableView(): ListingView {
    return this.view('/')
  }

  allows(path: VirtualPath): boolean {
    const at = this.#found(path)
    return at?.files === undefined || at.files.allows(at.path)
  }

  permits(path: VirtualPath): boolean {
    const at = this.#found(path)
    return at?.files === undefined || at.files.permits(at.path)
  }

  requireAllowed(path: VirtualPath): void {
    if (!isInside(this.#within, path)) fail('FORBIDDEN', `this API token reaches only ${this.#within}`)
    const at = this.#in(path)
    at?.files.requireAllowed(at.path)
  }

  require(right: Right, path: VirtualPath): void {
    const at = this.#in(path)
    if (at !== undefined) return at.files.require(right, at.path)
    // A reader is told what is there: nothing.
    const isReading = neededFor(right).every((permission) => permission === 'download')
    if (!isReading) failListsPlaces()
    requireRight(this.permissionsAt(ROOT), right)
  }

  keepRulesOf(folder: VirtualPath): void {
    const at = this.#in(folder)
    if (at !== undefined) at.files.keepRulesOf(at.path)
    else for (const { files } of this.#places) files?.keepRulesOf(ROOT)
  }

  keep(check: () => void): void {
    this.#others.add(check)
  }

  keepRights(check: () => void): void {
    this.#others.add(check)
  }

  [Symbol.dispose](): void {
    this.scope[Symbol.dispose]()
  }

  /** Undefined for "/" and for what is in no place. @throws UNAVAILABLE for a place that is away */
  #in(path: VirtualPath): PathIn | undefined {
    const found = this.#found(path)
    if (found === undefined) return undefined
    if (found.files === undefined) throw found.problem
    return found
  }

  #found(path: VirtualPath): (PlaceInAll & { readonly path: VirtualPath }) | undefined {
    const found = this.#places.find((place) => isInside(topOf(place), path))
    return found && { ...found, path: relativeTo(topOf(found), path) }
  }
}
