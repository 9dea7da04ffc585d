import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrandingRecord } from '../domain/settings/branding.ts'
import type { BrandingContent, BrandingDeps, SharedBranding } from '../services/settings/branding.ts'
import { OWN_BRANDING, type StoreDocument } from '../store/document.ts'
import type { Records, Store } from '../store/store.ts'
import { makeDurableFolder } from '../store/disk/atomic-file.ts'
import { newBrandingName } from '../store/disk/backup-folders.ts'
import { brandingRecord, mirrorBranding, shareBranding } from '../store/disk/shared-branding.ts'

const MAX_BRANDING_DESCRIPTORS = 1024
/** Milliseconds between two checks whether the local copy must be made. */
const CHECK_INTERVAL = 5000

interface BrandingFoldersDeps {
  /** The data folder. */
  readonly folder: string | undefined
  readonly store: Pick<Store<StoreDocument>, 'snapshot'>
}

/** Opens branding files with the same protection as users' files; per request, so that the operator can replace the folder. */
export function brandingFolders({ folder, store }: BrandingFoldersDeps): Omit<BrandingDeps, 'settings'> {
  return {
    folder: () => folder && join(folder, store.snapshot().brandingFolder ?? OWN_BRANDING),
    async openFolder(path) {
      const { openLocalStorage } = await import('../storage/local/local-storage.ts')
      return await openLocalStorage(path, { maxDescriptors: MAX_BRANDING_DESCRIPTORS })
    },
    makeFolder: makeDurableFolder,
  }
}

interface SharedFoldersDeps extends BrandingFoldersDeps {
  readonly store: Store<StoreDocument>
  readonly records: Records<BrandingRecord>
}

/** The same for daemons that share branding files: each copies them to its data folder on first use. */
export function sharedBrandingFolders({ records, ...deps }: SharedFoldersDeps): Omit<BrandingDeps, 'settings'> {
  const { folder, store } = deps
  const own = brandingFolders(deps)
  let copy: { readonly path: string; readonly made: Promise<boolean>; readonly checked: number } | undefined

  const makeCopy = async (path: string): Promise<void> => {
    const { brandingFolder } = store.snapshot()
    if (folder === undefined || brandingFolder === undefined || path !== join(folder, brandingFolder)) return
    const before = copy
    if (before?.path !== path || performance.now() > before.checked + CHECK_INTERVAL) {
      copy = { path, made: mirrorBranding(records, path), checked: performance.now() }
      await copy.made
      if (before !== undefined && before.path !== path) await rm(before.path, { recursive: true, force: true })
    }
    await copy?.made
  }

  return {
    ...own,
    async openFolder(path) {
      await makeCopy(path)
      return await own.openFolder(path)
    },
    shared: sharedFiles(store, records),
  }
}

function sharedFiles(store: Store<StoreDocument>, records: Records<BrandingRecord>): SharedBranding {
  const shareUnlessShared = async (present: () => AsyncIterable<BrandingContent>): Promise<void> => {
    if ((await records.list()).length > 0) return
    const files = new Map<string, Uint8Array>()
    for await (const { name, bytes } of present()) files.set(name, bytes)
    await shareBranding(records, files)
  }
  /** Called after the records are written: a daemon that copies them under the new name must find all of them. */
  const announce = async (): Promise<void> => {
    const name = newBrandingName(new Date())
    await store.update((draft) => void (draft.brandingFolder = name))
  }
  return {
    async put({ name, bytes }, present) {
      await shareUnlessShared(present)
      await records.put(brandingRecord(name, bytes))
      await announce()
    },
    async remove(name, present) {
      await shareUnlessShared(present)
      await records.remove(name)
      await announce()
    },
  }
}
