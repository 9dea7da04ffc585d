import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { giveNewToFolderOwner } from '../platform/files/folder-owner.ts'
import type { BrandingDeps } from '../services/settings/branding.ts'
import { OWN_BRANDING, type StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'

const MAX_BRANDING_DESCRIPTORS = 1024

/** Opens branding files with the same protection as users' files; per request, so that the operator can replace the folder. */
export function brandingFolders(
  dataFolder: string | undefined,
  store: Pick<Store<StoreDocument>, 'snapshot'>,
  isCommand: boolean,
): Omit<BrandingDeps, 'settings'> {
  return {
    folder: () => dataFolder && join(dataFolder, store.snapshot().brandingFolder ?? OWN_BRANDING),
    async openFolder(folder) {
      const { openLocalStorage } = await import('../storage/local-storage.ts')
      return await openLocalStorage(folder, { maxDescriptors: MAX_BRANDING_DESCRIPTORS, givesToOwner: isCommand })
    },
    async makeFolder(folder) {
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      if (made !== undefined) giveNewToFolderOwner(folder)
    },
  }
}
