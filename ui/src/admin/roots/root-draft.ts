import { defaultsOf } from '../../../../src/domain/schema/schema-tools.ts'
import { isBucketUrl } from '../../../../src/domain/server/addresses.ts'
import { Root, type RootChange, type RootView } from '../../../../src/domain/server/root.ts'

export type RootKind = 'folder' | 'bucket'

const EDITED = ['name', 'location', 'readOnly', 'trashDays', 'index', 'quota', 'hidden', 'warnAway'] as const

/** A root as edited in the form. Numbers are undefined while they cannot be parsed. */
export interface RootDraft extends Pick<Root, 'name' | 'location' | 'readOnly' | 'index' | 'warnAway'> {
  readonly kind: RootKind
  readonly trashDays: number | undefined
  readonly quota: number | undefined
  readonly hidden: readonly string[] | undefined
}

export function draftOf(root: RootView | undefined): RootDraft {
  const { name, location, readOnly, trashDays, index, quota, hidden, warnAway } = root ?? {
    ...defaultsOf(Root),
    name: '',
    location: '',
  }
  const kind = isBucketUrl(location) ? 'bucket' : 'folder'
  return { kind, name, location, readOnly, trashDays, index, quota, hidden, warnAway }
}

/** What differs from the saved root, so that changes of others stay; all of a new one. */
export function changeOf(draft: RootDraft, root: RootView | undefined): RootChange {
  const values = { ...draft, name: draft.name.trim(), location: locationOf(draft) }
  const changed = EDITED.filter((key) => JSON.stringify(values[key]) !== JSON.stringify(root?.[key]))
  return Object.fromEntries(changed.map((key) => [key, values[key]]))
}

/** A bucket may be typed without its scheme. */
function locationOf({ kind, location }: RootDraft): string {
  const typed = location.trim()
  return kind === 'bucket' && !isBucketUrl(typed) ? `s3://${typed.replace(/^\/+/, '')}` : typed
}
