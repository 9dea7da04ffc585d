import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrandingDeps } from '../services/branding.ts'
import { OWN_BRANDING, type StoreDocument } from '../store/document.ts'
import type { Store } from '../store/store.ts'

/** A folder is held for one request only, so that an operator may replace it as a whole. */
const FEW = 1024

/** How branding files are reached: through the same walls as the users' files. */
export function brandingFolders(
  dataFolder: string | undefined,
  store: Pick<Store<StoreDocument>, 'snapshot'>,
): Omit<BrandingDeps, 'settings'> {
  return {
    folder: () => dataFolder && join(dataFolder, store.snapshot().brandingFolder ?? OWN_BRANDING),
    async openFolder(folder) {
      const { openLocalStorage } = await import('../storage/local-storage.ts')
      return await openLocalStorage(folder, { maxDescriptors: FEW })
    },
    async makeFolder(folder) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
    },
  }
}
